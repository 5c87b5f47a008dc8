/** A value that has been written as JSON already. `T` is the value's type. */
export type JsonText<T> = { readonly text: string; readonly value?: T; toJSON(): unknown };

/** An object of which some members may have been written as JSON. */
export type Writable<T> = { [Name in keyof T]: T[Name] | JsonText<T[Name]> };

export function jsonText<T>(text: string): JsonText<T> {
  return { text, toJSON };
}

/** The value of a text, for whoever decides by it. */
export function readJson<T>({ text }: JsonText<T>): T {
  return JSON.parse(text);
}

/** The JSON of an answer. A member that is text already is not written anew. */
export function writeJson(answer: object): string {
  if (!Object.values(answer).some(isWritten)) return JSON.stringify(answer);
  // Added up rather than joined, which would copy the texts of a page once more.
  let text = "";
  for (const [name, value] of Object.entries(answer))
    if (value !== undefined) text += `${text && ","}"${name}":${textOfRecord(value)}`;
  return `{${text}}`;
}

/** The JSON of a record, some of whose members have been written already. */
export function writeRecord<Own extends object, Texts extends Record<string, JsonText<unknown>>>(
  own: Own,
  texts: Texts,
): JsonText<Own & { [Name in keyof Texts]: ValueOf<Texts[Name]> }> {
  let text = JSON.stringify(own).slice(0, -1);
  for (const name in texts) text += `${text === "{" ? "" : ","}"${name}":${texts[name]?.text}`;
  return jsonText(`${text}}`);
}

/** The JSON of a record with another member, which comes first. */
export function withMember<Own extends object, More extends object>(
  record: JsonText<Own>,
  more: More,
): JsonText<Own & More> {
  return jsonText(`${JSON.stringify(more).slice(0, -1)},${record.text.slice(1)}`);
}

/** The JSON of records, each of which may have been written already. */
export function writeRecords<Item>(items: (Item | JsonText<Item>)[]): JsonText<Item[]> {
  if (!items.some(isWritten)) return jsonText(JSON.stringify(items));
  let text = "";
  for (const item of items) text += `${text && ","}${textOfRecord(item)}`;
  return jsonText(`[${text}]`);
}

export function textOfRecord(item: unknown): string {
  return isWritten(item) ? item.text : JSON.stringify(item);
}

/** Within a value that is written as a whole, it is read and written again. */
function toJSON(this: JsonText<unknown>): unknown {
  return readJson(this);
}

type ValueOf<Text> = Text extends JsonText<infer Value> ? Value : never;

/** By a function, which nobody's JSON has. */
function isWritten(value: unknown): value is JsonText<unknown> {
  return (value as Partial<JsonText<unknown>> | null | undefined)?.toJSON === toJSON;
}
