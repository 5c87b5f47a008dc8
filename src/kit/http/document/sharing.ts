export type DocumentPart = Record<string, unknown>;
export type DocumentParts = Record<string, DocumentPart>;

/** One use of a part, with the name that it would have as a component. */
export type Use = readonly [label: string, part: DocumentPart];

type Shared = {
  /** The components of the kind, with those that parts have become. */
  components: DocumentParts;
  /** The part itself, or a reference to the component that it has become. */
  replace: (part: DocumentPart) => DocumentPart;
};

/** Makes components of the parts that would else stand in several places, where that is shorter. */
export function share({
  kind,
  own,
  uses,
}: {
  kind: string;
  own?: DocumentParts | undefined;
  uses: Use[];
}): Shared {
  const components = { ...own };
  const references = new Map<string, { $ref: string }>();
  for (const [text, [[label, part] = ["", {}], ...others]] of Map.groupBy(uses, textOf)) {
    const name = freeName(label, components);
    const reference = { $ref: `#/components/${kind}/${name}` };
    const spared = others.length * text.length - (others.length + 1) * textOf([name, reference]).length;
    if (spared <= 0) continue;
    references.set(text, reference);
    components[name] = part;
  }
  return { components, replace: (part) => references.get(textOf(["", part])) ?? part };
}

function textOf([, part]: Use): string {
  return JSON.stringify(part);
}

function freeName(label: string, components: DocumentParts): string {
  let name = label;
  for (let n = 2; name in components; n += 1) name = `${label}_${n}`;
  return name;
}

export function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
