/** The fields whose value is not undefined. A field that a request does not send is undefined and changes nothing. */
export function definedFields<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
