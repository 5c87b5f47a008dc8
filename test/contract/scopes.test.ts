import { beforeAll, describe, expect, test } from "vitest";
import { allScopes, type Scope } from "../../src/base/accounts/scopes.ts";
import { message, toolCall } from "../mcp/session.ts";
import { type Answer, type Caller, nobody } from "../support/client.ts";
import {
  accepts,
  each,
  failureOf,
  isAnonymous,
  isForCustomersAlone,
  type Operation,
  operations,
} from "../support/document.ts";
import { bearer, both, limitedKey, type Tenant, token } from "../support/tenant.ts";
import { call, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const secured = operations.filter((operation) => !isAnonymous(operation));

/** Those that keys and staff may call: a customer's token has every scope. */
const limitable = secured.filter((operation) => !isForCustomersAlone(operation));

/** The scope that the document names for an operation, the same for each credential. */
function scopeOf({ security = [] }: Operation): Scope {
  const named = new Set(security.flatMap((way) => Object.values(way)).flat());
  expect(named.size, "one scope").toBe(1);
  return [...named][0] as Scope;
}

const credentials = new Map<Scope, Promise<Limited>>();
type Limited = { key: Caller; token: string };

/** A key and an admin's token that have this scope, and tokens:write besides, which issues tokens. */
function limitedTo(scope: Scope): Promise<Limited> {
  const made = credentials.get(scope) ?? makeLimited(world.tenant, scope);
  credentials.set(scope, made);
  return made;
}

async function makeLimited(of: Tenant, scope: Scope): Promise<Limited> {
  return {
    key: await limitedKey(of, [scope]),
    token: await token(of, { actor_type: "admin", scopes: [scope] }),
  };
}

/** The callers that have all credentials which the operation needs, in each way that it can be called. */
function callersOf(operation: Operation, { key, token }: Limited): [string, Caller][] {
  return [
    ...(accepts(operation, "apiKey") ? [["API key", key] as [string, Caller]] : []),
    ...(accepts(operation, "bearer") ? [["bearer token", bearer(token)] as [string, Caller]] : []),
    ...(accepts(operation, "apiKey") || accepts(operation, "bearer")
      ? []
      : [
          ["API key", { credentials: { ...key.credentials, Authorization: `Bearer ${token}` } }] as [
            string,
            Caller,
          ],
        ]),
  ];
}

function expectForbidden(operation: Operation, answer: Answer, credential: string): void {
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({
    ...failureOf(operation),
    error: `This operation needs the scope ${scopeOf(operation)}, which the ${credential} lacks`,
    errorCode: "FORBIDDEN",
    request_id: answer.headers.get("X-Request-Id"),
  });
}

describe("each operation that needs a credential names one known scope: of reading for GET, of writing for the rest", () => {
  test.each(each(secured))("%s", (_, operation) => {
    const scope = scopeOf(operation);
    expect(allScopes).toContain(scope);
    expect(scope.endsWith(":read")).toBe(operation.method === "GET");
    for (const way of operation.security ?? [])
      for (const scopes of Object.values(way)) expect(scopes).toEqual([scope]);
  });
});

describe("a credential without the scope is 403, and told which", () => {
  test.each(each(limitable))("%s", async (_, operation) => {
    const scope = scopeOf(operation);
    const other: Scope = scope === "events:read" ? "events:write" : "events:read";
    for (const [credential, as] of callersOf(operation, await limitedTo(other)))
      expectForbidden(operation, await call(operation, world, { as }), credential);
  });
});

describe("one with that scope alone is let through", () => {
  test.each(each(limitable))("%s", async (_, operation) => {
    for (const [, as] of callersOf(operation, await limitedTo(scopeOf(operation)))) {
      const { status, body } = await call(operation, world, { as });
      expect([401, 403], JSON.stringify(body)).not.toContain(status);
    }
  });
});

describe("where both credentials are sent, each must have the scope", () => {
  const chosen = ["listSkipReasons", "listProfiles", "listEntities"];
  test.each(each(secured.filter(({ operationId }) => chosen.includes(operationId))))(
    "%s",
    async (_, operation) => {
      const good = await limitedTo(scopeOf(operation));
      const bad = await limitedTo("events:read");
      const as = (key: Caller, text: string): Caller => ({
        credentials: { ...key.credentials, Authorization: `Bearer ${text}` },
      });
      expect((await call(operation, world, { as: as(good.key, good.token) })).status).toBe(200);
      expectForbidden(operation, await call(operation, world, { as: as(bad.key, good.token) }), "API key");
      expectForbidden(
        operation,
        await call(operation, world, { as: as(good.key, bad.token) }),
        "bearer token",
      );
    },
  );
});

test("a customer's token has the operations of customers, whatever the scopes of the key that issued it", async () => {
  const issuer = await limitedKey(world.tenant, ["tokens:write"]);
  const of = { ...world.tenant, ...issuer };
  const { profile_id } = {
    profile_id: JSON.parse(atob((await world.customerToken()).split(".")[1]!)).profile_id,
  };
  const customer = bearer(await token(of, { actor_type: "customer", profile_id }));
  for (const operation of secured.filter(({ customers }) => customers)) {
    const { status } = await call(operation, world, { as: customer });
    expect([401, 403], operation.operationId).not.toContain(status);
  }
});

test("staff whose token a limited key has issued can do no more than the key", async () => {
  const of = { ...world.tenant, ...(await limitedKey(world.tenant, ["tokens:write", "profiles:read"])) };
  const as = both(world.tenant, await token(of));
  const named = (id: string) => secured.find(({ operationId }) => operationId === id)!;
  expect((await call(named("listProfiles"), world, { as })).status).toBe(200);
  expectForbidden(named("createProfile"), await call(named("createProfile"), world, { as }), "bearer token");
});

test("agents see the scope of each tool", async () => {
  type Tools = { result: { tools: { name: string; _meta?: Record<string, unknown> }[] } };
  const list = { ...toolCall("", {}), method: "tools/list", params: {} };
  const { body } = await message<Tools>(nobody, list);
  const shown = new Map(body.result.tools.map(({ name, _meta }) => [name, _meta?.["perennial/scope"]]));
  for (const operation of operations.filter(({ operationId }) => shown.has(operationId)))
    expect(shown.get(operation.operationId)).toBe(isAnonymous(operation) ? undefined : scopeOf(operation));
});
