type Value = Record<string, unknown>;

/** A document of OpenAPI with each parameter, header and response in the place of the reference to it. What stands beside a reference counts. */
export function expandParts<Document extends object>(document: Document): Document {
  const { components } = document as { components: Record<string, Record<string, Value>> };
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...beside } = value as Value;
    const [, kind = "", name = ""] =
      /^#\/components\/(parameters|headers|responses)\/(.+)$/.exec(String($ref)) ?? [];
    if (kind !== "") return { ...(expand(components[kind]?.[name]) as Value), ...beside };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
  };
  return expand(document) as Document;
}
