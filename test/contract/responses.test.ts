/** An error has the form that the client prefers, and every example of the document satisfies its schema. */
import { expect, test } from "vitest";
import { nobody } from "../support/client.ts";
import { apiDocument, faultsOf, operations, type Schema } from "../support/document.ts";
import { call, openWorld } from "../support/world.ts";

test("an error has the form that Accept prefers, problem+json if both are equal", async () => {
  const [json, problem] = ["application/json", "application/problem+json"];
  const refused = operations.find(({ operationId }) => operationId === "listSubscriptions")!;
  const preferences = [
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
  ];
  const world = await openWorld();
  for (const [accept = "", type] of preferences) {
    const { headers } = await call(refused, world, { as: nobody, headers: { Accept: accept } });
    expect.soft(headers.get("Content-Type"), accept).toBe(type);
  }
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

test("every example in the document satisfies its schema", () => {
  const examples = examplesIn(apiDocument.components.schemas, "components");
  expect(examples.length).toBeGreaterThan(500);
  for (const { at, schema } of examples) expect.soft(faultsOf(schema, schema.example), at).toEqual([]);
});
