/** The texts that a form sends, by name. Fields that were left empty are absent. */
export type Fields = Record<string, string>;

/** Those of a form's fields that it has sent with something in them. */
export function readFields(sent: URLSearchParams, fields: readonly string[]): Fields {
  const named = fields.map((field) => [field, sent.get(field)?.trim() ?? ""] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ""));
}
