import { demoApiKey } from "../../src/base/demo.ts";
import { expandParts } from "../support/expand-parts.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON of many forms
type Json = any;

/** The outcome of each operation of a host's document, called with its examples, which name records of the demo store. */
export type Outcomes = Record<string, string>;

type Call = { name: string; method: string; path: string; body: string | undefined };

/** Calls every operation in the order of methods, so that what is read is there. */
export async function walkExamples(origin: string): Promise<Outcomes> {
  const document = expandParts((await (await fetch(`${origin}/api.json`)).json()) as Json);
  const headers = { "X-API-Key": demoApiKey, "Content-Type": "application/json" };
  const body = JSON.stringify({ actor_type: "admin", name: "Ada" });
  const signed = await fetch(`${origin}/api/auth/token`, { method: "POST", headers, body });
  const token = ((await signed.json()) as Json).access_token;
  const outcomes: Outcomes = {};
  for (const { name, method, path, body } of callsOf(document)) {
    const init = { method, headers: { ...headers, Authorization: `Bearer ${token}` } };
    const answer = await fetch(origin + path, { ...init, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    outcomes[name] = `${answer.status} ${/"errorCode":"(\w+)"/.exec(text)?.[1] ?? ""}`.trim();
  }
  return outcomes;
}

function callsOf(document: Json): Call[] {
  const methods = ["get", "post", "put", "patch", "delete"];
  const all = Object.entries<Json>(document.paths).flatMap(([path, its]) =>
    methods.filter((method) => its[method]).map((method) => ({ path, method, operation: its[method] })),
  );
  return all
    .toSorted((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method))
    .map(({ path, method, operation }) => {
      const form = operation.requestBody?.content?.["application/json"];
      const parameters: Json[] = operation.parameters ?? [];
      const named = (where: string) => parameters.filter((one) => one.in === where);
      const filled = named("path").reduce(
        (to, { name, schema }) => to.replace(`{${name}}`, encodeURIComponent(exampleOf(schema, document))),
        path,
      );
      const query = named("query")
        .filter(({ required }) => required)
        .map(({ name, schema }) => `${name}=${encodeURIComponent(exampleOf(schema, document))}`);
      return {
        ...{ name: `${method} ${path}`, method: method.toUpperCase() },
        path: query.length === 0 ? filled : `${filled}?${query.join("&")}`,
        body: form && JSON.stringify(form.example ?? exampleOf(form.schema, document)),
      };
    });
}

/** The example of a schema, or one that is made of the examples of its required members. */
function exampleOf(schema: Json, document: Json): Json {
  if (schema === undefined) return "x";
  if (schema.$ref) return exampleOf(document.components.schemas[schema.$ref.split("/").at(-1)], document);
  const stated = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0] ?? schema.default;
  if (stated !== undefined) return stated;
  const [one] = schema.oneOf ?? schema.anyOf ?? [];
  if (one) return exampleOf(one, document);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part: Json) => exampleOf(part, document)));
  if (schema.type === "array") return [exampleOf(schema.items, document)];
  if (schema.properties)
    return Object.fromEntries(
      (schema.required ?? []).map((name: string) => [name, exampleOf(schema.properties[name], document)]),
    );
  return schema.type === "integer" || schema.type === "number" ? (schema.minimum ?? 1) : "x";
}
