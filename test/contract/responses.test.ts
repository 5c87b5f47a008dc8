import { describe, expect, test } from "vitest";
import { nobody } from "../support/client.ts";
import { apiDocument, each, faultsOf, isAnonymous, operations, type Schema } from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { call } from "../support/world.ts";

const { shared, callToSucceed } = useWorld();

describe("every operation succeeds as documented", () => {
  test.each(each())("%s", async (_, operation) => {
    const { status, text } = await callToSucceed(operation);
    const success = Object.keys(operation.responses)
      .map(Number)
      .filter((code) => code < 300);
    expect(success, text.slice(0, 500)).toContain(status);
  });
});

describe("with Accept: application/problem+json an error has RFC 9457's members too", () => {
  const secured = operations.filter((operation) => !isAnonymous(operation));
  test.each(each(secured))("%s", async (_, operation) => {
    const accept = { headers: { Accept: "application/problem+json" } };
    const { status, headers, body } = await call(operation, shared(), { as: nobody, ...accept });
    expect(status).toBe(401);
    expect(headers.get("Content-Type")).toBe("application/problem+json");
    expect(body).toMatchObject({
      status: 401,
      title: "Unauthorized",
      detail: body.error,
      type: "about:blank",
    });
  });
});

describe("an error has the form that Accept prefers, problem+json if both are equal", () => {
  const [json, problem] = ["application/json", "application/problem+json"];
  const refused = operations.find(({ operationId }) => operationId === "listSubscriptions")!;
  test.each([
    [problem, problem],
    [`${json}, ${problem}`, problem],
    [`${problem};q=0.9, ${json};q=0.8`, problem],
    [`${json};q=0.5, Application/Problem+JSON;q=0.7, */*;q=0.1`, problem],
    [`${problem};q=0.2, ${json}`, json],
    [`${problem};q=0`, json],
    [`${problem};q=0, */*`, json],
    ["application/*", json],
    ["*/*", json],
    ["text/html", json],
    ["", json],
  ])("%j: %s", async (accept, type) => {
    const { headers } = await call(refused, shared(), { as: nobody, headers: { Accept: accept } });
    expect(headers.get("Content-Type")).toBe(type);
  });
});

function examplesIn(schema: Schema, at: string): { at: string; schema: Schema }[] {
  return [
    ...(schema.example === undefined ? [] : [{ at, schema }]),
    ...Object.entries(schema).flatMap(([key, value]) =>
      typeof value === "object" && value !== null && key !== "example"
        ? examplesIn(value, `${at}/${key}`)
        : [],
    ),
  ];
}

describe("every example in the document satisfies its schema", () => {
  const examples = examplesIn(apiDocument.components.schemas, "components");
  test.each(examples)("$at", ({ schema }) => {
    expect(faultsOf(schema, schema.example)).toEqual([]);
  });
});
