/** The parameters of a request: texts, nested as in `metadata[key]` and `expand[]`. */
export type Params = { [name: string]: string | Params };

/** Reads a form as Stripe does (docs.stripe.com/api, "form-encoded request bodies"); lists are objects of numbered fields. */
export function parseForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = "", ...inner] = name.replaceAll("]", "").split("[");
    let level = params;
    let field = first;
    for (const next of inner) {
      const found = level[field];
      const below: Params = typeof found === "object" ? found : {};
      level[field] = below;
      level = below;
      field = next === "" ? String(Object.keys(level).length) : next;
    }
    level[field] = value;
  }
  return params;
}

/** Parameters in an order of their own, so that two requests can be compared. */
export function canonical(params: Params): string {
  const sorted = Object.entries(params)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, typeof value === "string" ? value : canonical(value)]);
  return JSON.stringify(sorted);
}

/** The form in a request's body. The runtime of Workers warns when a form is read as text. */
export async function formIn(request: Request): Promise<Params> {
  return parseForm(new TextDecoder().decode(await request.arrayBuffer()));
}
