/** An object that a history entry stores as JSON, such as its changes or its metadata; null where it stores none. */
export function parseStored(json: string | null): Record<string, unknown> | null {
  return json === null ? null : JSON.parse(json);
}
