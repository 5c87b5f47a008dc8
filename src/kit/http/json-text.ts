const written = Symbol("written as JSON");

/** A value that has been written as JSON already. `T` is the value's type. */
export type JsonText<T> = { readonly [written]: string; readonly value?: T };

/** An object of which some members may have been written as JSON. */
export type Writable<T> = { [Name in keyof T]: T[Name] | JsonText<T[Name]> };

export function jsonText<T>(text: string): JsonText<T> {
  return { [written]: text };
}

/** The JSON of an answer. A member that is text already is not written anew. */
export function writeJson(answer: object): string {
  const members = Object.entries(answer);
  if (!members.some(([, value]) => isWritten(value))) return JSON.stringify(answer);
  const texts = members.flatMap(([name, value]) => {
    const text = isWritten(value) ? value[written] : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${texts.join(",")}}`;
}

function isWritten(value: unknown): value is JsonText<unknown> {
  return typeof value === "object" && value !== null && written in value;
}
