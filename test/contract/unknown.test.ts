import { describe, expect, test } from "vitest";
import {
  each,
  jsonBodyOf,
  type Operation,
  operations,
  resolve,
  type Schema,
  withJsonBody,
} from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { bodyOf, call, queryOf } from "../support/world.ts";

const { shared } = useWorld();

function pathsIn(details: { path: string }[] = []): string[] {
  return details.map(({ path }) => path);
}

describe("an unknown query parameter is named", () => {
  test.each(each(operations.filter(({ openQuery }) => !openQuery)))("%s", async (_, operation) => {
    for (const name of ["surprise", "Page", "page[]", "__proto__"]) {
      const { status, body } = await call(operation, shared(), {
        query: { ...queryOf(operation, shared()), [name]: "1" },
      });
      expect([status, body?.errorCode], name).toEqual([400, "VALIDATION_FAILED"]);
      expect(pathsIn(body.details)).toContain(name);
    }
  });
});

describe("where the query is open, other parameters are ignored", () => {
  test.each(each(operations.filter(({ openQuery }) => openQuery)))("%s", async (_, operation) => {
    const query = { ...queryOf(operation, shared()), surprise: "1", signature: "x" };
    const answers = [await call(operation, shared()), await call(operation, shared(), { query })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });
});

describe("a repeated query parameter is 400", () => {
  const withQuery = operations.filter(({ parameters }) => parameters?.some((one) => one.in === "query"));
  test.each(each(withQuery))("%s", async (_, operation) => {
    const { name } = operation.parameters!.find((one) => one.in === "query")!;
    const path = `${operation.path.replaceAll(/\{.+?\}/g, "1")}?${name}=1&${name}=1`;
    const { status, body } = await call(operation, shared(), { path, query: {} });
    expect(status).toBe(400);
    expect(body.details).toContainEqual({ path: name, message: "is given more than once" });
  });
});

describe("a query parameter with a NUL is named", () => {
  const withText = operations.filter(({ parameters }) => parameters?.some((one) => one.in === "query"));
  test.each(each(withText))("%s", async (_, operation) => {
    for (const { name } of operation.parameters!.filter((one) => one.in === "query")) {
      const { status, body } = await call(operation, shared(), {
        query: { ...queryOf(operation, shared()), [name]: "a\u0000b" },
      });
      expect([status, body?.errorCode], name).toEqual([400, "VALIDATION_FAILED"]);
      expect(pathsIn(body.details)).toContain(name);
    }
  });
});

type Keys = (string | number)[];

/** The paths of all objects in a valid body that allow only known keys. */
function closedObjects(schema: Schema, value: unknown, at: Keys = []): Keys[] {
  const { properties, items, additionalProperties } = resolve(schema);
  if (Array.isArray(value))
    return value.slice(0, 1).flatMap((item) => closedObjects(items ?? {}, item, [...at, 0]));
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    closedObjects(properties?.[key] ?? {}, member, [...at, key]),
  );
  const { oneOf, anyOf } = resolve(schema);
  const closed = additionalProperties === false || oneOf !== undefined || anyOf !== undefined;
  return closed ? [at, ...inner] : inner;
}

function within(root: unknown, keys: Keys): Record<string, unknown> {
  return keys.reduce((value, key) => (value as Record<string | number, unknown>)[key], root) as Record<
    string,
    unknown
  >;
}

describe("an unknown body key is named, at every depth", () => {
  /** Bodies whose shape others define are documented as open: MCP's messages and a store's webhooks. */
  const isOpen = (operation: Operation) =>
    typeof resolve(jsonBodyOf(operation)!).additionalProperties === "object";
  const closed = withJsonBody.filter((operation) => !isOpen(operation));
  test("only those bodies are open whose shape others define", () => {
    expect(withJsonBody.filter(isOpen).map(({ path }) => path)).toEqual(["/webhooks/shopify"]);
  });
  test.each(each(closed))("%s", async (_, operation) => {
    const places = closedObjects(jsonBodyOf(operation)!, bodyOf(operation, shared()));
    expect(places.length).toBeGreaterThan(0);
    for (const place of places)
      for (const key of ["surprise_field", "account_id", "constructor", "__proto__"]) {
        const body = bodyOf(operation, shared());
        Object.defineProperty(within(body, place), key, { value: {}, enumerable: true, configurable: true });
        const answer = await call(operation, shared(), { body });
        expect([answer.status, answer.body.errorCode], key).toEqual([400, "VALIDATION_FAILED"]);
        expect(pathsIn(answer.body.details)).toContain([...place, key].join("."));
      }
  });
});
