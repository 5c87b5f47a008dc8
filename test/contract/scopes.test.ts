/** A token can never do more than its key, except what customers may do. */
import { beforeAll, expect, test } from "vitest";
import { message, toolCall } from "../edges/mcp/session.ts";
import { nobody } from "../support/client.ts";
import { isAnonymous, operations } from "../support/document.ts";
import { bearer, both, limitedKey, token } from "../support/tenant.ts";
import { call, openWorld, type World } from "../support/world.ts";
import { isSecured } from "./checks/credentials.ts";
import { expectForbidden, scopeOf } from "./checks/scopes.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const secured = operations.filter(isSecured);

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
