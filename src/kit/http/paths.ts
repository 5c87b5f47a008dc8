/** An OpenAPI path as Hono writes it. */
export function honoPath(path: string): string {
  return withParameters(path, ":$1");
}

/** An OpenAPI path with something else in the place of each parameter; `$1` is the parameter's name. */
export function withParameters(path: string, replacement: string): string {
  return path.replaceAll(/\{(.+?)\}/g, replacement);
}

/** The names of the parameters in an OpenAPI path, in their order. */
export function parameterNamesOf(path: string): string[] {
  return [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name ?? "");
}

/**
 * Orders paths as OpenAPI matches them: concrete segments before templated ones. Others are ordered by name: a sort needs a
 * verdict on any two paths, or it leaves apart what it never compared.
 */
export function bySpecificity(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  for (const [index, segment] of left.entries()) {
    const other = right[index] ?? "";
    const difference = Number(segment.startsWith("{")) - Number(other.startsWith("{"));
    if (difference !== 0) return difference;
    if (segment !== other) return segment < other ? -1 : 1;
  }
  return left.length - right.length;
}

/** The parameters in a path that was made from an OpenAPI path, as they stand there. */
export function paramsIn(path: string, made: string): Record<string, string> {
  const segments = made.split("/");
  const named = path.split("/").map((segment, nth) => [/^\{(.+)\}$/.exec(segment)?.[1], segments[nth] ?? ""]);
  return Object.fromEntries(named.filter(([name]) => name !== undefined));
}
