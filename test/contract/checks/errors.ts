import { expect } from "vitest";
import { type Answer, api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { jsonBodyOf, type Operation, resolve } from "../../support/document.ts";
import { bodyOf, call, callerOf, pathOf, type World } from "../../support/world.ts";
import { takesJson } from "./bodies.ts";
import { type Checks, turnsOf } from "./check.ts";

export const errorChecks: Checks = {
  "an error about unknown fields, of any length and number, has at most 200 characters a text and 100 details":
    {
      appliesTo: isClosed,
      async run(operation, { world }) {
        const bodies = [
          withField(operation, world(), long),
          { ...(bodyOf(operation, world()) as object), ...numbered },
          { [long]: { [long]: 1 } },
        ];
        for (const body of turnsOf(operation, bodies)) {
          const answer = await call(operation, world(), { body });
          if (answer.status >= 300) expectBounded(answer);
          else
            expect(resolve(jsonBodyOf(operation)!).additionalProperties, "takes any field").not.toBe(false);
        }
      },
    },
  "an error about long texts, in the place of every field, is as short": {
    appliesTo: isClosed,
    async run(operation, { world }) {
      const names = Object.keys(resolve(jsonBodyOf(operation)!).properties ?? {});
      const text = "🐶".repeat(Math.floor(20_000 / (names.length + 1)));
      for (const value of turnsOf(
        operation,
        [text, [text], { [text]: 1 }, { [text]: { [text]: text } }],
        2,
      )) {
        const body = Object.fromEntries(names.map((name) => [name, value]));
        const answer = await call(operation, world(), { body });
        if (answer.status >= 300) expectBounded(answer);
      }
    },
  },
  "an error about long names and values in the query is as short": {
    appliesTo: ({ openQuery }) => !openQuery,
    async run(operation, { world }) {
      expectBounded(await call(operation, world(), { query: { ["x".repeat(4_000)]: "1" } }));
      for (const { name } of operation.parameters?.filter((one) => one.in === "query") ?? []) {
        const answer = await call(operation, world(), { query: { [name]: "🐶".repeat(1_000) } });
        if (answer.status >= 300) expectBounded(answer);
      }
    },
  },
  "a refusal that is stored for its Idempotency-Key is as short": {
    appliesTo: (operation) => isClosed(operation) && takesKey(operation),
    async run(operation, { world }) {
      const headers = { "Idempotency-Key": `long ${operation.operationId}` };
      const body = withField(operation, world(), "x".repeat(120_000));
      const path = pathOf(operation, world());
      const as = await callerOf(operation, world());
      const answer = await api(as, operation.method, path, { body, headers });
      expect(answer.status).toBe(400);
      const [kept] = await select<{ size: number }>(
        "SELECT length(body) AS size FROM idempotency_keys WHERE key = ?",
        headers["Idempotency-Key"],
      );
      expect(kept?.size).toBeLessThan(2_000);
    },
  },
};

const maxTextLength = 200;
/** A hundred details, their names and quotes, four bytes a character at most. */
export const maxBytes = 100_000;
export const long: string = "🐶".repeat(60_000);
const numbered = Object.fromEntries(
  Array.from({ length: 500 }, (_, nth) => [`field ${nth} ${"x".repeat(500)}`, 1]),
);

/** MCP's messages may have any field; what is refused of them has tests of its own. */
export function isClosed(operation: Operation): boolean {
  return takesJson(operation) && !operation.path.startsWith("/mcp");
}

/** A POST that may be sent again under its Idempotency-Key. */
export function takesKey({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === "Idempotency-Key");
}

export type Refusal = { error: string; details?: { path: string; message: string }[] };

export function expectBounded({ status, text, body }: Answer): void {
  const { error, details = [] } = body as Refusal;
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text.length).toBeLessThan(maxBytes);
  expect(details.length).toBeLessThanOrEqual(100);
  for (const one of [error, ...details.flatMap(({ path, message }) => [path, message])]) {
    expect([...one].length).toBeLessThanOrEqual(maxTextLength);
    expect(one.isWellFormed(), "cut between two characters").toBe(true);
  }
}

/** The body that an operation takes, with one more field. */
export function withField(operation: Operation, of: World, name: string, value: unknown = 1): unknown {
  const body = bodyOf(operation, of);
  return Array.isArray(body) ? [{ [name]: value }] : { ...(body as object), [name]: value };
}
