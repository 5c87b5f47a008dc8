/** An error stays short whatever was sent, over HTTP, as a problem and over MCP. */
import { beforeAll, describe, expect, test } from "vitest";
import { withJsonBody } from "../support/document.ts";
import { bodyOf, call, openWorld, type World } from "../support/world.ts";
import { expectBounded, isClosed, long, maxBytes, type Refusal, withField } from "./checks/errors.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
const closed = withJsonBody.filter(isClosed);

describe("whatever was sent, an error has at most 200 characters in each text, and at most 100 details", () => {
  test("text that cannot be stored, under names of any length", async () => {
    const places = `{"${"x".repeat(300_000)}":[${Array(50_000).fill('"\\u0000"').join(",")}]}`;
    const [operation] = closed.filter(({ path }) => path === "/api/subscriptions/entities");
    const { attributes: _none, ...body } = bodyOf(operation!, world) as Record<string, unknown>;
    const raw = JSON.stringify(body).replace("{", `{"attributes":${places},`);
    const answer = await call(operation!, world, { raw, headers: { "Content-Type": "application/json" } });
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
      const { text } = await call(operation, world, { body: { jsonrpc: "2.0", id: 1, ...message } });
      expect(text.length, message.method).toBeLessThan(maxBytes);
      expect(text).toMatch(/"error"|isError/);
    }
  });

  test("as a problem, too", async () => {
    const [operation] = closed;
    const headers = { Accept: "application/problem+json" };
    const answer = await call(operation!, world, { body: withField(operation!, world, long), headers });
    expectBounded(answer);
    expect([...(answer.body as { detail: string }).detail].length).toBeLessThanOrEqual(200);
  });
});
