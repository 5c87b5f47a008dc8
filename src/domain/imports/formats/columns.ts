/** A row of a CSV file by column, without its empty cells. */
export type CsvRow = Record<string, string>;

/** The first of these columns that has a value. */
export function firstOf(row: CsvRow, ...names: string[]): string | undefined {
  for (const name of names) if (row[name] !== undefined) return row[name];
  return undefined;
}

/** The fields that have a value. */
export function definedText<Field extends string>(
  fields: Partial<Record<Field, unknown>>,
): Partial<Record<Field, string>> {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries) as Partial<Record<Field, string>>;
}

/** A value of JSON as the text of a cell; undefined for none. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A member of an object at a path; undefined where there is none. */
export function memberAt(value: unknown, ...path: string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** The unit of an interval, whether it stands in the plural or not: `months` is MONTH. */
export function unitOf(text: unknown): string | undefined {
  return typeof text === "string" && text !== "" ? text.trim().replace(/s$/i, "").toUpperCase() : undefined;
}
