/** Every operation that agents can use is one tool, and says whether it changes, ends or charges anything. */
import { expect, test } from "vitest";
import { allOperations } from "../../../src/runtime/operations.ts";
import { nobody } from "../../support/client.ts";
import type { Schema } from "../../support/document.ts";
import { connect, toolOperations } from "./session.ts";

const declared = await allOperations();

const { tools } = await (await connect("2026-07-28", nobody)).listTools();
function propertiesOf(schema: Schema): Schema {
  return schema.properties ?? {};
}

test("every operation that agents can use is a tool, and every tool is one, by its operationId", () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(
    toolOperations.map(({ operationId }) => operationId).sort(),
  );
  expect(toolOperations.length).toBeGreaterThan(70);
});

test("services are no tools: tokens, keys, staff, health, the document, this endpoint, files, and the test clock of a deployment", () => {
  const left = declared.filter(({ id }) => !tools.some(({ name }) => name === id));
  const services = left.filter(({ success }) => success.contentType === undefined).map(({ id }) => id);
  for (const id of ["createToken", "listPublicKeys", "getHealth", "advanceTestClock", "getTestClock", "mcp"])
    expect(services).toContain(id);
  for (const { id, resource, secretAnswer, secretBody, rawMedia } of left)
    expect(
      !resource ||
        resource === "tokens" ||
        resource === "staff" ||
        /^(list|delete)ApiKeys?$|Declarations?$|^listConsents$/.test(id) ||
        secretAnswer ||
        secretBody ||
        rawMedia ||
        id.endsWith("TestClock"),
      id,
    ).toBeTruthy();
});

test("yes and no are booleans, not the words of a query", () => {
  for (const { name, inputSchema } of tools)
    for (const [argument, schema] of Object.entries(propertiesOf(inputSchema as Schema)))
      expect((schema as Schema).enum ?? [], `${name} ${argument}`).not.toContain("true");
});

test("what ends something or charges is marked destructive, and what can be done again without harm idempotent", () => {
  const namesWith = (hint: "destructiveHint" | "idempotentHint") =>
    tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
  for (const name of [
    "cancelSubscription",
    "shipNow",
    "retryPayment",
    "changePaymentMethod",
    "uploadProfiles",
  ])
    expect(namesWith("destructiveHint")).toContain(name);
  for (const name of ["shipNow", "retryPayment", "skipSubscription", "createSubscriptions"])
    expect(namesWith("idempotentHint")).not.toContain(name);
  expect(namesWith("idempotentHint")).toContain("pauseSubscription");
});
