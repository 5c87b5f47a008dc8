/** A message that is no JSON-RPC request of the protocol is refused in its terms. */
import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { api, nobody } from "../../support/client.ts";
import { expectSafeHeaders } from "../../support/conform.ts";
import { faultsOf } from "../../support/document.ts";
import { endpoint, message, refused, toolCall, useMcpWorld } from "./session.ts";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const { caller } = useMcpWorld();

describe("the message", () => {
  const raw = (text: BodyInit, type: string | undefined = "application/json", caller = nobody) =>
    api(caller, "POST", endpoint, { raw: text, headers: type ? { "Content-Type": type } : {} });

  test("larger than 1 MiB is 413", async () => {
    const call = JSON.stringify(toolCall("createSkipReason", { label: "x".repeat(1024 * 1024) }));
    expect(refused(await raw(call))).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const padded = (size: number) => {
      const text = JSON.stringify(list);
      return text + " ".repeat(size - text.length);
    };
    expect((await raw(padded(1024 * 1024))).status).toBe(200);
    expect((await raw(padded(1024 * 1024 + 1))).status).toBe(413);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml"])(
    "as %s is 415: a form of another page cannot send it",
    async (type) => {
      expect(refused(await raw(JSON.stringify(list), type))).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    },
  );

  test.each(["GET", "DELETE", "PUT", "PATCH"])(
    "%s is 405, and Allow names the allowed method",
    async (method) => {
      const answer = await api(nobody, method, endpoint);
      expect(refused(answer)).toEqual([405, "METHOD_NOT_ALLOWED"]);
      expect(answer.headers.get("Allow")).toBe("POST");
    },
  );

  test.each([
    "",
    "{",
    "null",
    "1",
    '"x"',
    "[]",
    JSON.stringify([list, list]),
    "{}",
    '{"jsonrpc":"1.0"}',
    "\ufffe",
  ])("%j is 400", async (text) => {
    expect((await raw(text)).status).toBe(400);
  });

  test("JSON that nests too deep is 400, and nothing crashes", async () => {
    const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const depth of [100, 10_000, 400_000]) {
      const text = JSON.stringify(toolCall("createEntity", { attributes: 0 })).replace(
        ":0}",
        `:${deep(depth)}}`,
      );
      expect((await raw(text, undefined, caller)).status).toBe(depth > 60 ? 400 : 200);
    }
  });

  test.each([
    ["an unknown method", { ...list, method: "tools/destroy" }, -32601],
    ["an unknown tool", toolCall("dropTables", {}), -32602],
    ["a tool with the name of an object's member", toolCall("constructor", {}), -32602],
    ["a tool without a name", { ...list, method: "tools/call", params: {} }, -32602],
    ["arguments that are no object", toolCall("listSkipReasons", [1]), -32602],
    [
      "an unknown resource",
      { ...list, method: "resources/read", params: { uri: "file:///etc/passwd" } },
      -32602,
    ],
    ["an unknown prompt", { ...list, method: "prompts/get", params: { name: "nothing" } }, -32602],
  ])("%s is an error of the protocol", async (_, body, code) => {
    const { text } = await message(caller, body);
    expect(JSON.parse(text).error.code).toBe(code);
    expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/);
  });

  test.each([
    ["method", { jsonrpc: "2.0", id: 1 }, "is required"],
    ["method", { ...list, method: 5 }, "must be a string, not a number"],
    ["method", { ...list, method: "a b" }, "must be the name of a method"],
    ["id", { ...list, id: {} }, "must be a string or a whole number"],
    ["id", { ...list, id: 1.5 }, "must be a string or a whole number"],
    ["id", { ...list, id: null }, "must be a string or a whole number"],
    ["params", { ...list, params: [] }, "must be an object, not a list"],
    ["jsonrpc", { ...list, jsonrpc: "1.0" }, 'must be "2.0"'],
    ["parameters", { ...list, parameters: {} }, "unknown field, did you mean params?"],
  ])("%s is at fault in %j: 400, as the document says, and it is named", async (path, sent, fault) => {
    expect(faultsOf({ $ref: "#/components/schemas/JsonRpcRequest" }, sent)).not.toEqual([]);
    const answer = await message<{ error: { data: object } }>(caller, sent);
    expect(refused(answer)).toEqual([400, "VALIDATION_FAILED"]);
    expect(answer.body.error.data).toMatchObject({ details: [{ path, message: fault }] });
  });

  test.each([
    ["a tool's name that is missing", "tools/call", {}, "params.name", "is required"],
    [
      "arguments that are no object",
      "tools/call",
      { name: "x", arguments: [1] },
      "params.arguments",
      "must be an object, not a list",
    ],
    [
      "an address that is no text",
      "resources/read",
      { uri: 5 },
      "params.uri",
      "must be a string, not a number",
    ],
    [
      "a prompt's argument that is no text",
      "prompts/get",
      { name: "plan_skip", arguments: { subscription_id: 5 } },
      "params.arguments.subscription_id",
      "must be a string, not a number",
    ],
  ])("%s is named in our own words", async (_, method, params, path, fault) => {
    const { body } = await message<{ error: object }>(caller, { ...list, method, params });
    expect(body.error).toEqual({
      code: -32602,
      message: `Request is not valid: ${path}: ${fault}`,
      data: {
        errorCode: "VALIDATION_FAILED",
        request_id: expect.any(String),
        details: [{ path, message: fault }],
      },
    });
  });

  test("no error of the protocol begins as a validator's does", async () => {
    for (const sent of [
      { ...list, method: "prompts/get", params: { name: "plan_skip", arguments: {} } },
      { ...list, method: 5 },
      { ...list, jsonrpc: "1.0" },
    ]) {
      const { body } = await message<{ error: { message: string } }>(caller, sent);
      expect(body.error.message).not.toMatch(/^(Invalid|Too|Bad)\b|[[{"]\s*\{|expected|received/);
    }
  });

  test("a record that is not there is refused as over HTTP", async () => {
    const uri = "perennial://subscriptions/nothing";
    const { body } = await message<{ error: object }>(caller, {
      ...list,
      method: "resources/read",
      params: { uri },
    });
    expect(body.error).toMatchObject({
      message: "Subscription not found",
      data: { errorCode: "NOT_FOUND", request_id: expect.any(String) },
    });
  });

  test("streams are not offered: a subscription is refused, not held open", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const method = "subscriptions/listen";
    const headers = {
      "Content-Type": "application/json",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
    };
    const params = { notifications: { resourcesListChanged: true }, _meta };
    const body = JSON.stringify({ ...list, method, params });
    const response = await exports.default.fetch(new Request(endpoint, { method: "POST", headers, body }));
    const type = response.headers.get("Content-Type");
    if (type?.startsWith("text/event-stream")) await response.body?.cancel();
    expect(type).toMatch(/^application\/json/);
    expect((await response.json<{ error: { code: number } }>()).error.code).toBe(-32601);
  });

  test("of an unknown protocol version is 400", async () => {
    const headers = { "MCP-Protocol-Version": "1999-01-01" };
    expect((await message(caller, toolCall("listSkipReasons", {}), { headers })).status).toBe(400);
  });

  test("a notification is accepted and has no answer", async () => {
    const { status, text } = await message(nobody, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect([status, text]).toEqual([202, ""]);
  });

  test("responses have the headers that every response has, and no session", async () => {
    const answer = await message(caller, toolCall("listSkipReasons", {}));
    expectSafeHeaders("/mcp", answer);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Mcp-Session-Id")).toBeNull();
    expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  });
});

test("text that cannot be stored refuses the whole message", async () => {
  const answer = await message(caller, toolCall("createSkipReason", { label: "\u0000" }));
  expect(refused(answer)).toEqual([400, "VALIDATION_FAILED"]);
});
