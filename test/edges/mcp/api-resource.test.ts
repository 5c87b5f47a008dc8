/** The resource perennial://api has every operation and field of the document within 420 KB. */
import { beforeAll, describe, expect, test } from "vitest";
import { nobody } from "../../support/client.ts";
import { apiDocument, operations, type Schema } from "../../support/document.ts";
import { message } from "./session.ts";

type Brief = Pick<typeof apiDocument, "paths"> & {
  openapi: string;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Schema> };
};

let text: string;
let brief: Brief;
beforeAll(async () => {
  const read = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "perennial://api" } };
  const { body } = await message<{ result: { contents: { text: string }[] } }>(nobody, read);
  text = body.result.contents[0]!.text;
  brief = JSON.parse(text);
});

describe("perennial://api is the API's document in brief", () => {
  test("of at most 420 KB, without what only repeats", () => {
    expect(new TextEncoder().encode(text).byteLength).toBeLessThanOrEqual(420_000);
    expect(brief.openapi).toBe(apiDocument.openapi);
    expect(brief).not.toHaveProperty("webhooks");
  });

  test("with every operation, its credentials, parameters, body and answer", () => {
    const described = operations.map(({ path, method }) => brief.paths[path]?.[method.toLowerCase()]);
    operations.forEach((operation, nth) => {
      const { operationId, summary, security, requestBody, responses } = operation;
      const one = described[nth]!;
      expect(one).toMatchObject({ operationId, summary, security });
      expect((one.parameters ?? []).map(parameterOf).sort()).toEqual(
        (operation.parameters ?? [])
          .filter((parameter) => parameter.in !== "header")
          .map(({ name, in: place }) => `${place} ${name}`)
          .sort(),
      );
      expect(Object.keys(one.requestBody?.content ?? {})).toEqual(Object.keys(requestBody?.content ?? {}));
      expect(Object.keys(one.responses)).toEqual(Object.keys(responses).filter((status) => status < "400"));
    });
  });

  test("with every field of every schema that operations use, and where a value has its form", () => {
    for (const [name, schema] of Object.entries(brief.components.schemas)) {
      const whole = apiDocument.components.schemas[name]!;
      expect(Object.keys(schema.properties ?? {}), name).toEqual(Object.keys(whole.properties ?? {}));
      expect(schema.required, name).toEqual(whole.required);
      for (const field of Object.keys(schema.properties ?? {}))
        expect(found(schema.properties[field]).type, `${name}.${field}`).toEqual(
          whole.properties[field].type,
        );
    }
  });

  test("each of whose references leads somewhere", () => {
    const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!));
    expect(references.size).toBeGreaterThan(100);
    for (const path of references) expect(at(path), path).toBeDefined();
  });
});

/** A schema with what a reference to another schema's field leads to in its place. */
function found(schema: Schema): Schema {
  return schema.$ref?.includes("/properties/") ? at(schema.$ref.slice(2)) : schema;
}

function at(path: string): Schema {
  return path
    .split("/")
    .reduce((inner: Schema | undefined, key) => inner?.[key] as Schema | undefined, brief as Schema)!;
}

function parameterOf(parameter: Schema): string {
  const { name, in: place } = parameter.$ref ? at(parameter.$ref.slice(2)) : parameter;
  return `${place} ${name}`;
}
