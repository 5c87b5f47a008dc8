/** An OpenAPI path as Hono writes it. */
export function honoPath(path: string): string {
  return path.replaceAll(/\{(.+?)\}/g, ":$1");
}

/** Orders paths as OpenAPI matches them: concrete segments before templated ones. */
export function bySpecificity(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  for (const [index, segment] of left.entries()) {
    const other = right[index] ?? "";
    if (segment !== other) return Number(segment.startsWith("{")) - Number(other.startsWith("{"));
  }
  return 0;
}
