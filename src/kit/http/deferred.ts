/** A value, or what loads the module that makes it. */
export type Deferrable<T> = T | (() => Promise<T>);

/** The value behind one that may be deferred. */
export type Loaded<D> = D extends () => Promise<infer T> ? T : D;

/**
 * The exports of a module that is loaded when one of them is first needed. Most of what a new isolate does until its first answer is making
 * schemas: so only those are made that a request asks for.
 */
export function deferred<M extends object>(
  load: () => Promise<M>,
): { [Name in keyof M]: () => Promise<M[Name]> } {
  const names = {
    get: (_: object, name: string) => async () => (await load())[name as keyof M],
  };
  return new Proxy({}, names) as { [Name in keyof M]: () => Promise<M[Name]> };
}

export async function loaded<T>(value: Deferrable<T>): Promise<T> {
  return typeof value === "function" ? (value as () => Promise<T>)() : value;
}
