import { env, exports } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKeyText } from "../../src/accounts/api-key.ts";
import { allScopes } from "../../src/accounts/scopes.ts";
import { newId } from "../../src/lib/ids.ts";
import { type Answer, api, type Caller, deployment, nobody, origin } from "../support/client.ts";
import { expectSafeHeaders } from "../support/conform.ts";
import { failureOf, isAnonymous, type Operation } from "../support/document.ts";
import { rowsOf } from "../support/snapshot.ts";
import { bearer, both, tenant } from "../support/tenant.ts";
import { adminToken, call, callerOf, paramsOf, type World, world } from "../support/world.ts";
import {
  argumentsOf,
  callTool,
  eachTool,
  endpoint,
  errorOf,
  everything,
  message,
  type ToolError,
  type ToolResult,
  toolCall,
  toolOperations,
} from "./session.ts";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const reasons = "/api/subscriptions/skip-reasons";
let own: World;
let asOwn: Caller;
beforeAll(async () => {
  own = await world();
  asOwn = await everything(own);
});

const refused = ({ status, body }: Answer): [number, string] => [status, (body as ToolError).errorCode];
const told = ({ error, errorCode, details }: ToolError) => ({ error, errorCode, details });
const operationOf = (id: string): Operation => toolOperations.find(({ operationId }) => operationId === id)!;

describe("Origin: a page of another origin may not call", () => {
  const withOrigin = (text: string, more: object = {}) => ({ headers: { Origin: text }, ...more });
  test.each([
    "https://evil.example",
    "null",
    "http://localhost:1",
    "https://localhost",
    "http://localhost.evil.example",
    "http://127.0.0.1",
  ])("%j is 403, whatever is asked", async (text) => {
    for (const body of [list, toolCall("listSkipReasons", {}), { ...list, method: "nothing" }]) {
      const answer = await message(asOwn, body, withOrigin(text));
      expect(refused(answer)).toEqual([403, "FORBIDDEN"]);
      expectSafeHeaders("/mcp", answer);
    }
  });

  test("its own passes, and so do callers that send none", async () => {
    expect((await message(nobody, list, withOrigin("http://localhost"))).status).toBe(200);
    expect((await message(nobody, list)).status).toBe(200);
  });

  test("those of ALLOWED_ORIGINS pass, and browsers may read the answer; no other", async () => {
    const send = deployment({ ENVIRONMENT: "production", ALLOWED_ORIGINS: "https://agents.example" });
    const options = { send: send as typeof api, path: `${origin}/mcp` };
    const passed = await message(nobody, list, withOrigin("https://agents.example", options));
    expect(passed.status).toBe(200);
    expect(passed.headers.get("Access-Control-Allow-Origin")).toBe("https://agents.example");
    const other = await message(nobody, list, withOrigin("https://agents.example.evil", options));
    expect(refused(other)).toEqual([403, "FORBIDDEN"]);
    expect(other.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  test("a browser of an allowed origin may send the protocol's own headers", async () => {
    const send = deployment({ ENVIRONMENT: "production", ALLOWED_ORIGINS: "https://agents.example" });
    const { status, headers } = await send(nobody, "OPTIONS", `${origin}/mcp`, {
      headers: {
        Origin: "https://agents.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "mcp-protocol-version,mcp-method,mcp-name",
      },
    });
    expect(status).toBe(204);
    const allowed = headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(/, */);
    for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) expect(allowed).toContain(name);
  });
});

describe("Host: the local server answers to its own name only", () => {
  const local = deployment({ ENVIRONMENT: "local" }) as typeof api;

  test.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "169.254.169.254",
    "10.0.0.1",
  ])("%s is 403", async (host) => {
    const options = { send: local, path: `http://${host}:8787/mcp` };
    const answer = await message(asOwn, toolCall("listSkipReasons", {}), options);
    expect(refused(answer)).toEqual([403, "FORBIDDEN"]);
  });

  test.each(["localhost", "127.0.0.1", "[::1]", "localhost:8787", "127.0.0.1:18941", "[::1]:8787"])(
    "%s passes",
    async (host) => {
      const options = { send: local, path: `http://${host}/mcp` };
      expect((await message(nobody, list, options)).status).toBe(200);
    },
  );

  test("a deployment answers to whatever name it is deployed under", async () => {
    const send = deployment({ ENVIRONMENT: "production" });
    const path = "https://subscriptions.example/mcp";
    expect((await message(nobody, list, { send: send as typeof api, path })).status).toBe(200);
  });
});

describe("credentials", () => {
  test("the transport needs none: who cannot call may look", async () => {
    for (const method of ["tools/list", "resources/list", "prompts/list", "ping"])
      expect((await message(nobody, { ...list, method })).status).toBe(200);
    const { body } = await message<{ result: { tools: unknown[] } }>(nobody, list);
    expect(body.result.tools).toHaveLength(toolOperations.length);
  });

  const secured = toolOperations.filter((operation) => !isAnonymous(operation));
  const garbage: [string, Caller][] = [
    ["none", nobody],
    ["an unknown key", { credentials: { "X-API-Key": newKeyText(newId()) } }],
    ["a garbage token", bearer("e30.e30.e30")],
  ];
  describe.each(garbage)(
    "%s: a tool error with the UNAUTHENTICATED envelope, not HTTP's 401",
    (_, caller) => {
      test.each(eachTool(secured))("%s", async (name, operation) => {
        const called = await callTool(caller, name, argumentsOf(operation, own));
        expect(called.answer.status).toBe(200);
        expect(called.answer.headers.get("WWW-Authenticate")).toBeNull();
        expect(errorOf(called)).toEqual({
          ...failureOf(operation),
          error: expect.stringMatching(/^(A valid credential is required|This operation needs X-API-Key.*)$/),
          errorCode: "UNAUTHENTICATED",
          request_id: expect.stringMatching(/^[\w.-]{1,128}$/),
        });
        expect(called.result.structuredContent).toBeUndefined();
      });
    },
  );

  test("without credentials nothing is changed", async () => {
    const before = await rowsOf(own.tenant.account.id);
    for (const operation of secured)
      await callTool(nobody, operation.operationId, argumentsOf(operation, own));
    expect(await rowsOf(own.tenant.account.id)).toBe(before);
  });

  test("a good key beside a garbage token, and a token beside an unknown key", async () => {
    const authorization = `Bearer ${await adminToken(own.tenant)}`;
    for (const caller of [
      both(own.tenant, "e30.e30.e30"),
      { credentials: { "X-API-Key": "garbage", Authorization: authorization } },
    ])
      expect(errorOf(await callTool(caller, "listSkipReasons")).errorCode).toBe("UNAUTHENTICATED");
  });

  test("a key of one account and a token of another: ACCOUNT_MISMATCH", async () => {
    const caller = both(await tenant(), await adminToken(own.tenant));
    expect(errorOf(await callTool(caller, "listProfiles")).errorCode).toBe("ACCOUNT_MISMATCH");
  });

  test("a foreign credential is good for its own account only", async () => {
    const other = await world();
    const { result } = await callTool(other.tenant, "listSkipReasons");
    expect(JSON.stringify(result)).not.toContain(own.tenant.account.id);
    const called = await callTool(
      other.tenant,
      "getSubscription",
      argumentsOf(operationOf("getSubscription"), own),
    );
    expect(errorOf(called).errorCode).toBe("NOT_FOUND");
  });

  test("what the operation asks is enough: a key where a key is, both where both are", async () => {
    for (const operation of secured) {
      const fresh = await callerOf(operation, own);
      const { result } = await callTool(fresh, operation.operationId, { surprise: 1 });
      expect(["UNAUTHENTICATED", "FORBIDDEN"]).not.toContain(errorOf({ result }).errorCode);
    }
    expect(errorOf(await callTool(own.tenant, "listProfiles")).errorCode).toBe("UNAUTHENTICATED");
  });

  test.each(["api_key", "access_token", "token", "X-API-Key"])(
    "none is taken from the query: %s",
    async (name) => {
      const query = { [name]: own.tenant.key };
      expect(refused(await message(nobody, list, { query }))).toEqual([400, "VALIDATION_FAILED"]);
    },
  );

  test("none is taken from the arguments or from _meta", async () => {
    for (const name of ["x-api-key", "X-API-Key", "authorization", "api_key"])
      expect(
        errorOf(await callTool(nobody, "listSkipReasons", { [name]: own.tenant.key })).errorCode,
      ).toMatch(/^(UNAUTHENTICATED|VALIDATION_FAILED)$/);
    const params = { name: "listSkipReasons", arguments: {}, _meta: { "X-API-Key": own.tenant.key } };
    const { body } = await message<{ result: ToolResult }>(nobody, { ...toolCall("", {}), params });
    expect(errorOf(body).errorCode).toBe("UNAUTHENTICATED");
  });

  test("a customer sees its own subscriptions and no others, as over HTTP", async () => {
    const customer = bearer(await own.customerToken());
    const { result } = await callTool(customer, "listSubscriptions");
    const overHttp = await call(operationOf("listSubscriptions"), own, { as: customer });
    expect(result.structuredContent.data).toEqual(overHttp.body.data);
    expect(errorOf(await callTool(customer, "createSkipReason", { label: "mine" })).errorCode).toBe(
      "FORBIDDEN",
    );
    expect(
      errorOf(await callTool(customer, "createToken", { body: { actor_type: "admin" } })).errorCode,
    ).toMatch(/^(UNAUTHENTICATED|FORBIDDEN)$/);
  });
});

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

  test.each(["GET", "DELETE", "PUT", "PATCH"])("%s is 405, and told what is allowed", async (method) => {
    const answer = await api(nobody, method, endpoint);
    expect(refused(answer)).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(answer.headers.get("Allow")).toBe("POST");
  });

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

  test("nested without end is 400, and nothing falls over", async () => {
    const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const depth of [100, 10_000, 400_000]) {
      const text = JSON.stringify(toolCall("createEntity", { attributes: 0 })).replace(
        ":0}",
        `:${deep(depth)}}`,
      );
      expect((await raw(text, undefined, asOwn)).status).toBe(depth > 60 ? 400 : 200);
    }
  });

  test.each([
    ["an unknown method", { ...list, method: "tools/destroy" }, -32601],
    ["an unknown tool", toolCall("dropTables", {}), -32602],
    ["a tool by the name of what every object has", toolCall("constructor", {}), -32602],
    ["a tool without a name", { ...list, method: "tools/call", params: {} }, -32602],
    ["arguments that are no object", toolCall("listSkipReasons", [1]), -32602],
    [
      "an unknown resource",
      { ...list, method: "resources/read", params: { uri: "file:///etc/passwd" } },
      -32602,
    ],
    ["an unknown prompt", { ...list, method: "prompts/get", params: { name: "nothing" } }, -32602],
  ])("%s is an error of the protocol", async (_, body, code) => {
    const { text } = await message(asOwn, body);
    expect(JSON.parse(text).error.code).toBe(code);
    expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/);
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

  test("of a protocol version that there is not is 400", async () => {
    const headers = { "MCP-Protocol-Version": "1999-01-01" };
    expect((await message(asOwn, toolCall("listSkipReasons", {}), { headers })).status).toBe(400);
  });

  test("a notification is taken and not answered", async () => {
    const { status, text } = await message(nobody, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect([status, text]).toEqual([202, ""]);
  });

  test("answers carry the headers that every answer carries, and no session", async () => {
    const answer = await message(asOwn, toolCall("listSkipReasons", {}));
    expectSafeHeaders("/mcp", answer);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Mcp-Session-Id")).toBeNull();
    expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  });
});

describe("arguments", () => {
  let before: string;
  beforeAll(async () => {
    before = await rowsOf(own.tenant.account.id);
  });
  afterAll(async () => {
    expect(await rowsOf(own.tenant.account.id), "what is refused changes nothing").toBe(before);
  });

  describe("one that the tool does not know is a tool error naming it, and nothing is done", () => {
    test.each(eachTool())("%s", async (name, operation) => {
      const called = await callTool(asOwn, name, { ...argumentsOf(operation, own), surprise_argument: 1 });
      const { errorCode, details } = errorOf(called);
      expect([errorCode, details?.[0]?.path]).toEqual(["VALIDATION_FAILED", "surprise_argument"]);
    });
  });

  test("nor one that other tools know", async () => {
    for (const [name, given, unknown] of [
      ["listSkipReasons", { idempotency_key: "k" }, "idempotency_key"],
      [
        "updateSkipReason",
        { ...paramsOf(operationOf("getSkipReason"), own), idempotency_key: "k" },
        "idempotency_key",
      ],
      ["createSkipReason", { label: "x", dry_run: true }, "dry_run"],
    ] as const) {
      const { errorCode, details } = errorOf(await callTool(asOwn, name, given));
      expect([name, errorCode, details?.[0]?.path]).toEqual([name, "VALIDATION_FAILED", unknown]);
    }
  });

  describe("one of the path that is missing is named", () => {
    const templated = toolOperations.filter(({ path }) => path.includes("{"));
    test.each(eachTool(templated))("%s", async (name, operation) => {
      for (const missing of Object.keys(paramsOf(operation, own))) {
        const { [missing]: _, ...rest } = argumentsOf(operation, own);
        const { errorCode, details } = errorOf(await callTool(asOwn, name, rest));
        expect([errorCode, details?.[0]?.path]).toEqual(["VALIDATION_FAILED", missing]);
      }
    });
  });

  describe("an id cannot lead to another operation: it is a record that there is not", () => {
    const ids = [
      "orders",
      "skip-reasons",
      "bulk-upload",
      "..",
      ".",
      "",
      "../profiles",
      "%2e%2e",
      "x/y",
      "?a=b",
      "#a",
    ];
    const templated = toolOperations.filter(({ path }) => path.includes("{"));
    test.each(eachTool(templated))("%s", async (name, operation) => {
      for (const id of ids)
        for (const param of Object.keys(paramsOf(operation, own))) {
          const called = await callTool(asOwn, name, { ...argumentsOf(operation, own), [param]: id });
          expect([id, errorOf(called).errorCode]).toEqual([
            id,
            expect.stringMatching(/^(NOT_FOUND|VALIDATION_FAILED)$/),
          ]);
        }
    });
  });

  test("errors of the API come back with the envelope, the same as over HTTP", async () => {
    for (const [name, path, body] of [
      ["createSkipReason", reasons, { label: 1 }],
      ["createSkipReason", reasons, {}],
      ["createEntity", "/api/subscriptions/entities", { profile_id: newId(), entity_type: "dog", name: "x" }],
    ] as const) {
      const called = await callTool(asOwn, name, body);
      const overHttp = await api(asOwn, "POST", path, { body });
      expect(overHttp.status).toBe(400);
      expect(told(errorOf(called))).toEqual(told(overHttp.body));
      expect(called.result.structuredContent).toBeUndefined();
    }
  });
});

test("text that cannot be stored is refused with the whole message", async () => {
  const answer = await message(asOwn, toolCall("createSkipReason", { label: "\u0000" }));
  expect(refused(answer)).toEqual([400, "VALIDATION_FAILED"]);
});

describe("acting", () => {
  const labels = async (of: Caller): Promise<string[]> => {
    const { result } = await callTool(of, "listSkipReasons");
    return result.structuredContent.result.map((item: { data: { label: string } }) => item.data.label);
  };

  test("an idempotency_key acts once; with other arguments it is refused; it is HTTP's own", async () => {
    const of = await tenant();
    const given = { label: "once", idempotency_key: "key-1" };
    const [first, again] = [
      await callTool(of, "createSkipReason", given),
      await callTool(of, "createSkipReason", given),
    ];
    expect(again.result).toEqual(first.result);
    expect(await labels(of)).toEqual(["once"]);
    const other = await callTool(of, "createSkipReason", { ...given, label: "twice" });
    expect(errorOf(other).errorCode).toBe("IDEMPOTENCY_KEY_REUSED");
    const headers = { "Idempotency-Key": "key-1" };
    const overHttp = await api(of, "POST", reasons, { body: { label: "once" }, headers });
    expect(overHttp.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await labels(of)).toEqual(["once"]);
  });

  test("the Idempotency-Key of the MCP request itself is nobody's: two calls act twice", async () => {
    const of = await tenant();
    const headers = { "Idempotency-Key": "outer" };
    for (const label of ["a", "b"]) await callTool(of, "createSkipReason", { label }, { headers });
    expect((await labels(of)).sort()).toEqual(["a", "b"]);
  });

  test.each(["", "x".repeat(256), "a\nb", "ключ", { a: 1 }, null])(
    "an idempotency_key that is none is refused: %j",
    async (idempotency_key) => {
      const of = await tenant();
      const called = await callTool(of, "createSkipReason", { label: "x", idempotency_key });
      expect(errorOf(called).errorCode).toBe("VALIDATION_FAILED");
      expect(await labels(of)).toEqual([]);
    },
  );

  describe("dry_run answers and writes nothing; then the call does", () => {
    const trying = toolOperations.filter(({ parameters = [] }) =>
      parameters.some(({ name }) => name === "dry_run"),
    );
    test.each(eachTool(trying))("%s", async (name, operation) => {
      const fresh = await world();
      const as = await everything(fresh);
      const given = argumentsOf(operation, fresh);
      const before = await rowsOf(fresh.tenant.account.id);
      const dry = await callTool(as, name, { ...given, dry_run: true });
      expect(dry.result.isError, dry.answer.text).not.toBe(true);
      expect(await rowsOf(fresh.tenant.account.id)).toBe(before);
      const { result } = await callTool(as, name, { ...given, dry_run: false });
      expect(result.isError).not.toBe(true);
    });
  });
});

describe("rate limits", () => {
  const limit = 5;
  test("tool calls count by the key, as requests do, and together with them", async () => {
    const send = deployment({ KEY_LIMITER: env.TEST_LIMITER }) as typeof api;
    const of = await tenant();
    await send(of, "GET", reasons);
    for (let nth = 1; nth < limit; nth++)
      expect((await callTool(of, "listSkipReasons", {}, { send })).result.isError).not.toBe(true);
    const called = await callTool(of, "listSkipReasons", {}, { send });
    expect([called.answer.status, errorOf(called).errorCode]).toEqual([200, "RATE_LIMITED"]);
    expect((await send(of, "GET", reasons)).status).toBe(429);
    expect((await callTool(await tenant(), "listSkipReasons", {}, { send })).result.isError).not.toBe(true);
  });

  test("guessed credentials count by the address, and end", async () => {
    const send = deployment({ ADDRESS_LIMITER: env.TEST_LIMITER }) as typeof api;
    const headers = { "CF-Connecting-IP": newId() };
    const answers: Answer[] = [];
    for (let nth = 0; nth <= limit; nth++)
      answers.push(await message(bearer("e30.e30.e30"), toolCall("listSkipReasons", {}), { send, headers }));
    expect(answers.map(({ text }) => /RATE_LIMITED/.test(text))).toContain(true);
  });

  test("the address does not limit whoever calls with a good key: 600 a minute are theirs", async () => {
    const send = deployment({ ADDRESS_LIMITER: env.TEST_LIMITER }) as typeof api;
    const headers = { "CF-Connecting-IP": newId() };
    const of = await tenant();
    for (let nth = 0; nth < limit + 2; nth++)
      expect((await message(of, toolCall("listSkipReasons", {}), { send, headers })).status).toBe(200);
  });
});

describe("RFC 9728 metadata", () => {
  const path = "/.well-known/oauth-protected-resource";

  test("names the resource, its keys, and that tokens go into the header", async () => {
    const { status, body } = await api(nobody, "GET", path);
    expect(status).toBe(200);
    expect(body).toEqual({
      resource: `${origin}/mcp`,
      resource_name: "Perennial",
      jwks_uri: `${origin}/.well-known/jwks.json`,
      scopes_supported: allScopes,
      bearer_methods_supported: ["header"],
    });
  });

  test("names the identity provider of a deployment that has one", async () => {
    const [JWT_ISSUER, JWKS_URL] = ["https://id.example/", "https://id.example/keys"];
    const { body } = await deployment({ JWT_ISSUER, JWKS_URL })(nobody, "GET", path);
    expect(body).toMatchObject({ authorization_servers: [JWT_ISSUER], jwks_uri: JWKS_URL });
  });

  test("is found where clients look for the metadata of /mcp (RFC 9728 §3.1)", async () => {
    const [root, inserted] = [await api(nobody, "GET", path), await api(nobody, "GET", `${path}/mcp`)];
    expect([inserted.status, inserted.body]).toEqual([200, root.body]);
  });
});
