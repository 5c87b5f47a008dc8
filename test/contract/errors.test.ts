import { describe, expect, test } from "vitest";
import { type Answer, api } from "../support/client.ts";
import { select } from "../support/database.ts";
import { each, jsonBodyOf, type Operation, operations, resolve, withJsonBody } from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { bodyOf, call, callerOf, pathOf } from "../support/world.ts";

const { shared } = useWorld();

const maxTextLength = 200;
/** A hundred details, their names and quotes, four bytes a character at most. */
const maxBytes = 100_000;
const long = "🐶".repeat(100_000);

/** MCP's messages may have any field; what is refused of them has a test of its own below. */
const closed = withJsonBody.filter(({ path }) => !path.startsWith("/mcp"));

type Refusal = { error: string; details?: { path: string; message: string }[] };

function expectBounded({ status, text, body }: Answer): void {
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
function withField(operation: Operation, name: string, value: unknown = 1): unknown {
  const body = bodyOf(operation, shared());
  return Array.isArray(body) ? [{ [name]: value }] : { ...(body as object), [name]: value };
}

describe("whatever was sent, an error has at most 200 characters in each text, and at most 100 details", () => {
  describe("unknown fields of any length and number", () => {
    test.each(each(closed))("%s", async (_, operation) => {
      const numbered = Object.fromEntries(
        Array.from({ length: 500 }, (_, nth) => [`field ${nth} ${"x".repeat(500)}`, 1]),
      );
      for (const body of [
        withField(operation, long),
        { ...(bodyOf(operation, shared()) as object), ...numbered },
        { [long]: { [long]: 1 } },
      ]) {
        const answer = await call(operation, shared(), { body });
        if (answer.status >= 300) expectBounded(answer);
        else expect(resolve(jsonBodyOf(operation)!).additionalProperties, "takes any field").not.toBe(false);
      }
    });
  });

  describe("long texts in the place of every field", () => {
    test.each(each(closed))("%s", async (_, operation) => {
      const names = Object.keys(resolve(jsonBodyOf(operation)!).properties ?? {});
      const text = "🐶".repeat(Math.floor(200_000 / (names.length + 1)));
      for (const value of [text, [text], { [text]: 1 }, { [text]: { [text]: text } }]) {
        const body = Object.fromEntries(names.map((name) => [name, value]));
        const answer = await call(operation, shared(), { body });
        if (answer.status >= 300) expectBounded(answer);
      }
    });
  });

  describe("long names and values in the query", () => {
    test.each(each(operations.filter(({ openQuery }) => !openQuery)))("%s", async (_, operation) => {
      const name = "x".repeat(4_000);
      expectBounded(await call(operation, shared(), { query: { [name]: "1" } }));
      for (const { name } of operation.parameters?.filter((one) => one.in === "query") ?? []) {
        const answer = await call(operation, shared(), { query: { [name]: "🐶".repeat(1_000) } });
        if (answer.status >= 300) expectBounded(answer);
      }
    });
  });

  test("text that cannot be stored, under names of any length", async () => {
    const places = `{"${"x".repeat(300_000)}":[${Array(50_000).fill('"\\u0000"').join(",")}]}`;
    const [operation] = closed.filter(({ path }) => path === "/api/subscriptions/entities");
    const { attributes: _none, ...body } = bodyOf(operation!, shared()) as Record<string, unknown>;
    const raw = JSON.stringify(body).replace("{", `{"attributes":${places},`);
    const answer = await call(operation!, shared(), { raw, headers: { "Content-Type": "application/json" } });
    expectBounded(answer);
    expect((answer.body as Refusal).details).toHaveLength(100);
  });

  test("over MCP, too: tools, arguments and resources", async () => {
    const operation = withJsonBody.find(({ path }) => path === "/mcp")!;
    const calls = [
      { method: "tools/call", params: { name: long, arguments: {} } },
      { method: "tools/call", params: { name: "listProfiles", arguments: { [long]: 1 } } },
      { method: "resources/read", params: { uri: `perennial://profiles/${"x".repeat(100_000)}` } },
      { method: "resources/read", params: { uri: `perennial://${"x".repeat(200_000)}` } },
      { method: "prompts/get", params: { name: long, arguments: { [long]: long } } },
      { method: long },
      { method: "tools/call", params: { [long]: long } },
      { method: "initialize", params: { protocolVersion: long } },
    ];
    for (const message of calls) {
      const { text } = await call(operation, shared(), { body: { jsonrpc: "2.0", id: 1, ...message } });
      expect(text.length, message.method).toBeLessThan(maxBytes);
      expect(text).toMatch(/"error"|isError/);
    }
  });

  test("as a problem, too", async () => {
    const [operation] = closed;
    const headers = { Accept: "application/problem+json" };
    const answer = await call(operation!, shared(), { body: withField(operation!, long), headers });
    expectBounded(answer);
    expect([...(answer.body as { detail: string }).detail].length).toBeLessThanOrEqual(maxTextLength);
  });
});

describe("a refusal that is stored for its Idempotency-Key is as short", () => {
  const keyed = closed.filter(({ parameters }) => parameters?.some(({ name }) => name === "Idempotency-Key"));
  test.each(each(keyed))("%s", async (_, operation) => {
    const headers = { "Idempotency-Key": `long ${operation.operationId}` };
    const body = withField(operation, "x".repeat(900_000));
    const answer = await api(
      await callerOf(operation, shared()),
      operation.method,
      pathOf(operation, shared()),
      {
        body,
        headers,
      },
    );
    expect(answer.status).toBe(400);
    const [kept] = await select<{ size: number }>(
      "SELECT length(body) AS size FROM idempotency_keys WHERE key = ?",
      headers["Idempotency-Key"],
    );
    expect(kept?.size).toBeLessThan(2_000);
  });
});
