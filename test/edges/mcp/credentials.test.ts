/** A tool call has exactly the rights and limits of its credentials. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { allScopes } from "../../../src/base/accounts/scopes.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { type Answer, api, deployment, nobody, origin } from "../../support/client.ts";
import { isAnonymous } from "../../support/document.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { bearer, both, openTenant } from "../../support/tenant.ts";
import { wholeMinute } from "../../support/whole-minute.ts";
import { adminToken, call, callerOf, openWorld } from "../../support/world.ts";
import {
  argumentsOf,
  callTool,
  errorOf,
  message,
  refused,
  type ToolResult,
  toolCall,
  toolOperation,
  toolOperations,
  useMcpWorld,
} from "./session.ts";

beforeEach(wholeMinute);

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const reasons = "/api/subscriptions/skip-reasons";
const { merchant: world } = useMcpWorld();

describe("credentials", () => {
  test("the transport needs none: callers without credentials can list", async () => {
    for (const method of ["tools/list", "resources/list", "prompts/list", "ping"])
      expect((await message(nobody, { ...list, method })).status).toBe(200);
    const { body } = await message<{ result: { tools: unknown[] } }>(nobody, list);
    expect(body.result.tools).toHaveLength(30);
  });

  const secured = toolOperations.filter((operation) => !isAnonymous(operation));
  test("without credentials nothing changes", async () => {
    const before = await rowsOf(world.tenant.account.id);
    for (const operation of secured)
      await callTool(nobody, operation.operationId, argumentsOf(operation, world));
    expect(await rowsOf(world.tenant.account.id)).toBe(before);
  });

  test("a good key beside a garbage token, and a token beside an unknown key", async () => {
    const authorization = `Bearer ${await adminToken(world.tenant)}`;
    for (const caller of [
      both(world.tenant, "e30.e30.e30"),
      { credentials: { "X-API-Key": "garbage", Authorization: authorization } },
    ])
      expect(errorOf(await callTool(caller, "listSkipReasons")).errorCode).toBe("UNAUTHENTICATED");
  });

  test("a key of one account and a token of another: ACCOUNT_MISMATCH", async () => {
    const caller = both(await openTenant(), await adminToken(world.tenant));
    expect(errorOf(await callTool(caller, "listProfiles")).errorCode).toBe("ACCOUNT_MISMATCH");
  });

  test("another account's credential is valid for that account only", async () => {
    const other = await openWorld();
    const { result } = await callTool(other.tenant, "listSkipReasons");
    expect(JSON.stringify(result)).not.toContain(world.tenant.account.id);
    const called = await callTool(
      other.tenant,
      "getSubscription",
      argumentsOf(toolOperation("getSubscription"), world),
    );
    expect(errorOf(called).errorCode).toBe("NOT_FOUND");
  });

  test("the credentials that the operation requires are enough", async () => {
    for (const operation of secured) {
      const fresh = await callerOf(operation, world);
      const { result } = await callTool(fresh, operation.operationId, { surprise: 1 });
      expect(["UNAUTHENTICATED", "FORBIDDEN"]).not.toContain(errorOf({ result }).errorCode);
    }
    expect(errorOf(await callTool(world.tenant, "listProfiles")).errorCode).toBe("UNAUTHENTICATED");
  });

  test.each(["api_key", "access_token", "token", "X-API-Key"])(
    "none is taken from the query: %s",
    async (name) => {
      const query = { [name]: world.tenant.key };
      expect(refused(await message(nobody, list, { query }))).toEqual([400, "VALIDATION_FAILED"]);
    },
  );

  test("none is taken from the arguments or from _meta", async () => {
    for (const name of ["x-api-key", "X-API-Key", "authorization", "api_key"])
      expect(errorOf(await callTool(nobody, "listSkipReasons", { [name]: world.tenant.key })).errorCode).toBe(
        "UNAUTHENTICATED",
      );
    const params = { name: "listSkipReasons", arguments: {}, _meta: { "X-API-Key": world.tenant.key } };
    const { body } = await message<{ result: ToolResult }>(nobody, { ...toolCall("", {}), params });
    expect(errorOf(body).errorCode).toBe("UNAUTHENTICATED");
  });

  test("a customer sees its own subscriptions and no others, as over HTTP", async () => {
    const customer = bearer(await world.customerToken());
    const { result } = await callTool(customer, "listSubscriptions");
    const overHttp = await call(toolOperation("listSubscriptions"), world, { as: customer });
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    expect(ids(result.structuredContent.data)).toEqual(ids(overHttp.body.data));
    expect(errorOf(await callTool(customer, "createSkipReason", { label: "mine" })).errorCode).toBe(
      "FORBIDDEN",
    );
  });
});

describe("rate limits", () => {
  const limit = 5;
  test("tool calls and requests count together by the key", async () => {
    const send = deployment({ KEY_LIMITER: env.TEST_LIMITER }) as typeof api;
    const of = await openTenant();
    await send(of, "GET", reasons);
    for (let nth = 1; nth < limit; nth++)
      expect((await callTool(of, "listSkipReasons", {}, { send })).result.isError).not.toBe(true);
    const called = await callTool(of, "listSkipReasons", {}, { send });
    expect([called.answer.status, errorOf(called).errorCode]).toEqual([200, "RATE_LIMITED"]);
    expect((await send(of, "GET", reasons)).status).toBe(429);
    expect((await callTool(await openTenant(), "listSkipReasons", {}, { send })).result.isError).not.toBe(
      true,
    );
  });

  test("calls that are refused for their arguments count as the others do", async () => {
    const send = deployment({ KEY_LIMITER: env.TEST_LIMITER }) as typeof api;
    const of = await openTenant();
    const codes = [];
    for (let nth = 0; nth <= limit; nth++)
      codes.push(errorOf(await callTool(of, "listSkipReasons", { surprise: 1 }, { send })).errorCode);
    expect(codes).toEqual([...Array(limit).fill("VALIDATION_FAILED"), "RATE_LIMITED"]);
  });

  test.each([{}, { surprise: 1 }, [1]])(
    "guessed credentials count by the address, and are limited, with arguments %j",
    async (given) => {
      const send = deployment({ ADDRESS_LIMITER: env.TEST_LIMITER }) as typeof api;
      const headers = { "CF-Connecting-IP": newId() };
      const call = toolCall("listSkipReasons", given);
      const answers: Answer[] = [];
      for (let nth = 0; nth <= limit; nth++)
        answers.push(await message(bearer("e30.e30.e30"), call, { send, headers }));
      expect(answers.map(({ text }) => /RATE_LIMITED/.test(text))).toContain(true);
    },
  );

  test("callers with a valid key are not limited by their address", async () => {
    const send = deployment({ ADDRESS_LIMITER: env.TEST_LIMITER }) as typeof api;
    const headers = { "CF-Connecting-IP": newId() };
    const of = await openTenant();
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

  test("is served where clients look for the metadata of /mcp (RFC 9728 §3.1)", async () => {
    const [root, inserted] = [await api(nobody, "GET", path), await api(nobody, "GET", `${path}/mcp`)];
    expect([inserted.status, inserted.body]).toEqual([200, root.body]);
  });
});
