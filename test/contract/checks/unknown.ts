import { expect } from "vitest";
import { jsonBodyOf, type Operation, resolve, type Schema } from "../../support/document.ts";
import { bodyOf, call, queryOf } from "../../support/world.ts";
import { takesJson } from "./bodies.ts";
import type { Checks } from "./check.ts";

export const unknownChecks: Checks = {
  "an unknown query parameter is named": {
    appliesTo: ({ openQuery }) => !openQuery,
    async run(operation, { world }) {
      const names = ["surprise", "Page", "page[]", "__proto__"];
      const unknown = Object.fromEntries(names.map((name) => [name, "1"]));
      const query = { ...queryOf(operation, world()), ...unknown };
      const { status, body } = await call(operation, world(), { query });
      expect([status, body?.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
      expect(pathsIn(body.details)).toEqual(expect.arrayContaining(names));
    },
  },
  "where the query is open, other parameters are ignored": {
    appliesTo: ({ openQuery }) => openQuery,
    async run(operation, { world }) {
      const query = { ...queryOf(operation, world()), surprise: "1", signature: "x" };
      const answers = [await call(operation, world()), await call(operation, world(), { query })];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
    },
  },
  "a repeated query parameter is 400": {
    appliesTo: takesQuery,
    async run(operation, { world }) {
      const [name = ""] = queryNames(operation);
      const path = `${operation.path.replaceAll(/\{.+?\}/g, "1")}?${name}=1&${name}=1`;
      const { status, body } = await call(operation, world(), { path, query: {} });
      expect(status).toBe(400);
      expect(body.details).toContainEqual({ path: name, message: "is given more than once" });
    },
  },
  "a query parameter with a NUL is named": {
    appliesTo: takesQuery,
    async run(operation, { world }) {
      const askWith = async (names: string[]): Promise<string[]> => {
        const query = Object.fromEntries(names.map((name) => [name, "a\u0000b"]));
        const { status, body } = await call(operation, world(), {
          query: { ...queryOf(operation, world()), ...query },
        });
        expect([status, body?.errorCode], names.join()).toEqual([400, "VALIDATION_FAILED"]);
        return pathsIn(body.details);
      };
      const names = queryNames(operation);
      const named = await askWith(names);
      for (const name of names.filter((each) => !named.includes(each)))
        expect(await askWith([name])).toContain(name);
    },
  },
  "an unknown body key is named, at every depth": {
    appliesTo: (operation) => takesJson(operation) && !isOpen(operation),
    async run(operation, { world }) {
      const places = closedObjects(jsonBodyOf(operation)!, bodyOf(operation, world()));
      expect(places.length).toBeGreaterThan(0);
      for (const place of places) {
        const body = bodyOf(operation, world());
        const keys = ["surprise_field", "account_id", "constructor", "__proto__"];
        for (const key of keys)
          Object.defineProperty(within(body, place), key, {
            value: {},
            enumerable: true,
            configurable: true,
          });
        const answer = await call(operation, world(), { body });
        expect([answer.status, answer.body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
        const paths = keys.map((key) => [...place, key].join("."));
        expect(pathsIn(answer.body.details)).toEqual(expect.arrayContaining(paths));
      }
    },
  },
};

/** Bodies whose shape others define are documented as open: a store's webhooks. */
export function isOpen(operation: Operation): boolean {
  return typeof resolve(jsonBodyOf(operation)!).additionalProperties === "object";
}

export function takesQuery(operation: Operation): boolean {
  return queryNames(operation).length > 0;
}

function queryNames({ parameters = [] }: Operation): string[] {
  return parameters.filter((one) => one.in === "query").map(({ name }) => name);
}

function pathsIn(details: { path: string }[] = []): string[] {
  return details.map(({ path }) => path);
}

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
