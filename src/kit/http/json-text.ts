/** A value that has been written as JSON already. `T` is the value's type. */
export class JsonText<T> {
  readonly text: string;
  declare readonly value: T;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object of which some members may have been written as JSON. */
export type Writable<T> = { [Name in keyof T]: T[Name] | JsonText<T[Name]> };

/** The JSON of an answer. What is text already is not written anew. */
export function writeJson(answer: object): string {
  const members = Object.entries(answer);
  if (!members.some(([, value]) => value instanceof JsonText)) return JSON.stringify(answer);
  const written = members.map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`,
  );
  return `{${written.join(",")}}`;
}
