import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { allOperations } from "../../src/runtime/operations.ts";
import { nobody } from "../support/client.ts";
import { jsonBodyOf, type Operation, type Schema } from "../support/document.ts";
import { openWorld } from "../support/world.ts";
import { argumentsOf, connect, eachTool, formsOf, rowSchemaOf, toolOperations } from "./session.ts";

const declared = await allOperations();

type Tool = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>["listTools"]>>["tools"][number];

const { tools } = await (await connect("2026-07-28", nobody)).listTools();
function toolOf({ operationId }: Operation): Tool {
  const tool = tools.find(({ name }) => name === operationId);
  if (!tool) throw new Error(`There is no tool ${operationId}`);
  return tool;
}

function declaredOf({ operationId }: Operation) {
  return declared.find(({ id }) => id === operationId)!;
}

function namesIn({ parameters = [] }: Operation, place: string) {
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
}

function bodyForms(operation: Operation): Schema[] {
  return formsOf(jsonBodyOf(operation) ?? {}).filter(({ properties }) => properties);
}

function fieldsOf(operation: Operation): string[] {
  return [...new Set(bodyForms(operation).flatMap(({ properties }) => Object.keys(properties)))];
}

function propertiesOf(schema: Schema): Schema {
  return schema.properties ?? {};
}

test("every operation that agents can use is a tool, and every tool is one, by its operationId", () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(
    toolOperations.map(({ operationId }) => operationId).sort(),
  );
  expect(toolOperations.length).toBeGreaterThan(70);
});

test("services are no tools: tokens, keys, health, the document, this endpoint, and the test clock of a deployment", () => {
  const left = declared.filter(({ id }) => !tools.some(({ name }) => name === id));
  const services = left.filter(({ success }) => success.contentType === undefined).map(({ id }) => id);
  for (const id of ["createToken", "listPublicKeys", "getHealth", "advanceTestClock", "getTestClock", "mcp"])
    expect(services).toContain(id);
  for (const { id, resource, secretAnswer } of left)
    expect(!resource || resource === "tokens" || secretAnswer || id.endsWith("TestClock"), id).toBe(true);
});

/** Every schema that a schema contains, with itself. */
function schemasIn(schema: unknown): Schema[] {
  if (Array.isArray(schema)) return schema.flatMap(schemasIn);
  if (typeof schema !== "object" || schema === null) return [];
  return [schema, ...Object.values(schema).flatMap(schemasIn)];
}

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Well-formed by itself: its references are local and lead somewhere, its keywords are those of 2020-12. */
function expectWellFormed(schema: Schema): void {
  for (const inner of schemasIn(schema)) {
    expect(inner.$ref, "a model would have to look it up").toBeUndefined();
    expect(inner).not.toHaveProperty("nullable");
    expect(inner.enum?.length ?? 0, "a list that agents need not be sent").toBeLessThanOrEqual(50);
    if (typeof inner.type === "string") expect(types).toContain(inner.type);
    if (typeof inner.exclusiveMinimum !== "object") expect(inner.exclusiveMinimum).not.toBe(true);
    if (inner.pattern !== undefined && typeof inner.pattern === "string") new RegExp(inner.pattern, "u");
  }
  expect(() => new Validator(schema, "2020-12", false).validate({})).not.toThrow();
}

describe.each(eachTool())("%s", (name, operation) => {
  const tool = toolOf(operation);
  const input = tool.inputSchema as Schema;

  test("is named as the operation is, and says when to use it", () => {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(tool.title).toBe(operation.summary);
    expect(tool.description?.startsWith(`${operation.summary}.`)).toBe(true);
    expect(tool.description?.length).toBeLessThanOrEqual(450);
    expect("outputSchema" in tool, "a model has no use for it").toBe(false);
  });

  test("takes path, query and body in one object, and nothing else", () => {
    const fields = fieldsOf(operation);
    const parameters = [...namesIn(operation, "path"), ...namesIn(operation, "query")];
    const keyed = namesIn(operation, "header").includes("Idempotency-Key") ? ["idempotency_key"] : [];
    const listed = rowSchemaOf(operation) ? ["full"] : [];
    const named = [...fields, ...parameters, ...keyed, ...listed];
    expect(new Set(named).size, "no name stands for two things").toBe(named.length);
    expect(Object.keys(propertiesOf(input)).sort()).toEqual(named.sort());
    expect([input.type, input.additionalProperties]).toEqual(["object", false]);
    expect(named, "a body's fields are arguments themselves").not.toContain("body");
  });

  test("requires what the operation requires", () => {
    const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
    const forms = bodyForms(operation);
    const ofBody = fieldsOf(operation).filter((field) =>
      forms.every(({ required }) => required?.includes(field)),
    );
    expect([...(input.required ?? [])].sort()).toEqual(
      [...required.map((one) => one.name), ...ofBody].sort(),
    );
  });

  test("has a schema that stands by itself, in JSON Schema 2020-12", () => {
    expectWellFormed(input);
  });

  test("has an input schema that takes what succeeds, and not what is unknown", async () => {
    const given = argumentsOf(operation, await openWorld());
    const validator = new Validator(input, "2020-12", false);
    expect(validator.validate(given).errors).toEqual([]);
    expect(validator.validate({ ...given, surprise: 1 }).valid).toBe(false);
  });

  test("has annotations that are true", () => {
    const { method, destructive, resource } = declaredOf(operation);
    const reads = method === "get";
    expect(tool.annotations).toMatchObject({
      readOnlyHint: reads,
      destructiveHint: destructive ?? method === "delete",
    });
    if (method !== "post") expect(tool.annotations?.idempotentHint).toBe(true);
    if (resource === "subscriptions" || resource === "billing")
      expect(tool.annotations?.openWorldHint, "the store learns of it").toBe(!reads);
    expect(method !== "delete" || tool.annotations?.destructiveHint).toBe(true);
  });

  test("takes idempotency_key if it is a POST that honours the header, dry_run if the operation has one", () => {
    const taken = Object.keys(propertiesOf(input));
    const { method, idempotent } = declaredOf(operation);
    expect(taken.includes("idempotency_key")).toBe(method === "post" && idempotent !== false);
    expect(taken.includes("dry_run")).toBe(namesIn(operation, "query").includes("dry_run"));
    const isChange = operation.path.startsWith("/api/subscriptions/{id}") && method !== "get";
    if (isChange) expect(taken, "a change of a subscription can be tried").toContain("dry_run");
  });
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
