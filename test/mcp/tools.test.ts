import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { operations as declared } from "../../src/operations.ts";
import { nobody } from "../support/client.ts";
import { jsonBodyOf, type Operation, resolve, type Schema } from "../support/document.ts";
import { openWorld } from "../support/world.ts";
import { answerSchemaOf, argumentsOf, connect, eachTool, hasPlainBody, toolOperations } from "./session.ts";

type Tool = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>["listTools"]>>["tools"][number];

const { tools } = await (await connect("2026-07-28", nobody)).listTools();
const toolOf = ({ operationId }: Operation): Tool => {
  const tool = tools.find(({ name }) => name === operationId);
  if (!tool) throw new Error(`There is no tool ${operationId}`);
  return tool;
};
const declaredOf = ({ operationId }: Operation) => declared.find(({ id }) => id === operationId)!;
const namesIn = ({ parameters = [] }: Operation, place: string) =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
const propertiesOf = (schema: Schema): Schema => schema.properties ?? {};

test("every operation that answers JSON is a tool, and every tool is one, by its operationId", () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(
    toolOperations.map(({ operationId }) => operationId).sort(),
  );
  expect(toolOperations.length).toBeGreaterThan(70);
});

test("only the endpoint itself and operations that return no JSON are not tools", () => {
  const left = declared.filter(({ id }) => !tools.some(({ name }) => name === id));
  for (const { path, success } of left)
    expect(path === "/mcp" || success.contentType !== undefined, path).toBe(true);
});

/** Every schema that a schema contains, with itself. */
const schemasIn = (schema: unknown): Schema[] => {
  if (Array.isArray(schema)) return schema.flatMap(schemasIn);
  if (typeof schema !== "object" || schema === null) return [];
  return [schema, ...Object.values(schema).flatMap(schemasIn)];
};

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Well-formed by itself: its references are local and lead somewhere, its keywords are those of 2020-12. */
const expectWellFormed = (schema: Schema): void => {
  for (const inner of schemasIn(schema)) {
    if (typeof inner.$ref === "string") {
      expect(inner.$ref).toMatch(/^#\/\$defs\/[A-Za-z0-9]+$/);
      expect(schema.$defs, inner.$ref).toHaveProperty(inner.$ref.slice("#/$defs/".length));
    }
    expect(inner).not.toHaveProperty("nullable");
    expect(inner.enum?.length ?? 0, "a list that agents need not be sent").toBeLessThanOrEqual(50);
    if (typeof inner.type === "string") expect(types).toContain(inner.type);
    if (typeof inner.exclusiveMinimum !== "object") expect(inner.exclusiveMinimum).not.toBe(true);
    if (inner.pattern !== undefined && typeof inner.pattern === "string") new RegExp(inner.pattern, "u");
  }
  const used = new Set(schemasIn(schema).map(({ $ref }) => $ref));
  for (const name of Object.keys(schema.$defs ?? {})) expect(used, "is used").toContain(`#/$defs/${name}`);
  expect(() => new Validator(schema, "2020-12", false).validate({})).not.toThrow();
};

describe.each(eachTool())("%s", (name, operation) => {
  const tool = toolOf(operation);
  const input = tool.inputSchema as Schema;
  const takesBody = jsonBodyOf(operation) !== undefined;

  test("is named and described as the operation is", () => {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(tool.title).toBe(operation.summary);
    expect(tool.description).toContain(operation.summary);
    expect(tool.description).toContain(declaredOf(operation).description ?? "");
  });

  test("takes path, query and body in one object, and nothing else", () => {
    const body = resolve(jsonBodyOf(operation) ?? {});
    const fields = hasPlainBody(operation) ? Object.keys(propertiesOf(body)) : takesBody ? ["body"] : [];
    const parameters = [...namesIn(operation, "path"), ...namesIn(operation, "query")];
    const keyed = namesIn(operation, "header").includes("Idempotency-Key") ? ["idempotency_key"] : [];
    const named = [...fields, ...parameters, ...keyed];
    expect(new Set(named).size, "no name stands for two things").toBe(named.length);
    expect(Object.keys(propertiesOf(input)).sort()).toEqual(named.sort());
    expect([input.type, input.additionalProperties]).toEqual(["object", false]);
    expect(named.includes("body")).toBe(takesBody && !hasPlainBody(operation));
  });

  test("requires what the operation requires", () => {
    const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
    const body = resolve(jsonBodyOf(operation) ?? {});
    const ofBody = hasPlainBody(operation)
      ? (body.required ?? [])
      : operation.requestBody?.required
        ? ["body"]
        : [];
    expect([...(input.required ?? [])].sort()).toEqual(
      [...required.map((one) => one.name), ...ofBody].sort(),
    );
  });

  test("has schemas that stand by themselves, in JSON Schema 2020-12", () => {
    expectWellFormed(input);
    if (tool.outputSchema) expectWellFormed(tool.outputSchema as Schema);
  });

  test("has an input schema that takes what succeeds, and not what is unknown", async () => {
    const given = argumentsOf(operation, await openWorld());
    const validator = new Validator(input, "2020-12", false);
    expect(validator.validate(given).errors).toEqual([]);
    expect(validator.validate({ ...given, surprise: 1 }).valid).toBe(false);
  });

  test("tells what it answers: an object, a list in `result`", () => {
    const schema = answerSchemaOf(operation);
    if (!schema) expect(tool.outputSchema).toBeUndefined();
    else {
      expect(tool.outputSchema?.type).toBe("object");
      const isObject = resolve(schema).type === "object";
      if (!isObject) expect(Object.keys(tool.outputSchema?.properties ?? {})).toEqual(["result"]);
      else
        expect(Object.keys(propertiesOf(tool.outputSchema as Schema)).sort()).toEqual(
          Object.keys(propertiesOf(resolve(schema))).sort(),
        );
    }
  });

  test("is annotated by its method", () => {
    const { method, destructive } = declaredOf(operation);
    expect(tool.annotations).toEqual({
      title: tool.title,
      readOnlyHint: method === "get",
      destructiveHint: destructive ?? method === "delete",
      idempotentHint: method !== "post",
      openWorldHint: false,
    });
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

test("cancelling is marked destructive", () => {
  const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint);
  expect(destructive.map(({ name }) => name)).toContain("cancelSubscription");
});
