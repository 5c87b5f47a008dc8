/** The tokens of a key or a profile end with it, within 30 seconds. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { bearer, both, customer, openTenant, staff, type Tenant, token } from "../../support/tenant.ts";

const list = "/api/subscriptions/skip-reasons";
const lookupTtlMs = 30_000;

let of: Tenant;
beforeEach(async () => {
  of = await openTenant();
});
afterEach(() => {
  vi.useRealTimers();
});

function afterCaches() {
  return vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + lookupTtlMs + 1 });
}

function revoke() {
  return execute("UPDATE api_keys SET revoked_at = ? WHERE id = ?", new Date().toISOString(), of.keyId);
}
const uniformRefusal = {
  error: "The credential that was sent is unknown, mistyped, expired or revoked",
  errorCode: "UNAUTHENTICATED",
};

describe("revoking a key ends the tokens that it has issued", () => {
  test("where they were not used yet", async () => {
    const text = await token(of);
    await revoke();
    afterCaches();
    const { status, body } = await api(bearer(text), "GET", list);
    expect([status, body]).toEqual([401, expect.objectContaining(uniformRefusal)]);
  });

  test.each(["admin", "api"] as const)(
    "within 30 seconds where they were: of an actor %s",
    async (actor_type) => {
      const caller = bearer(await token(of, { actor_type }));
      expect((await api(caller, "GET", list)).status).toBe(200);
      await revoke();
      afterCaches();
      expect((await api(caller, "GET", list)).status).toBe(401);
    },
  );

  test("a customer's too, and one beside another key that is good", async () => {
    const someone = await customer(of);
    const text = await token(of);
    expect((await api(someone, "GET", list)).status).toBe(200);
    const other = await openTenant();
    await execute(
      "UPDATE api_keys SET account_seq = (SELECT seq FROM accounts WHERE id = ?) WHERE id = ?",
      of.account.id,
      other.keyId,
    );
    expect((await api(both(other, text), "GET", "/api/profiles")).status).toBe(200);
    await revoke();
    afterCaches();
    expect((await api(someone, "GET", list)).status).toBe(401);
    expect((await api(both(other, text), "GET", "/api/profiles")).status).toBe(401);
  });

  test("tokens of the account's other keys stay good", async () => {
    const other = await openTenant();
    await execute(
      "UPDATE api_keys SET account_seq = (SELECT seq FROM accounts WHERE id = ?) WHERE id = ?",
      of.account.id,
      other.keyId,
    );
    const text = await token(other);
    await revoke();
    afterCaches();
    expect((await api(bearer(text), "GET", list)).status).toBe(200);
  });
});

describe("deleting a profile ends its tokens", () => {
  test("within 30 seconds: they read nothing any more", async () => {
    const someone = await customer(of);
    const others = await customer(of);
    expect((await api(someone, "GET", "/api/subscriptions")).status).toBe(200);
    const deleted = await api(await staff(of), "DELETE", `/api/profiles/${someone.profileId}`);
    expect(deleted.status).toBe(204);
    afterCaches();
    const { status, body } = await api(someone, "GET", "/api/subscriptions");
    expect([status, body]).toEqual([401, expect.objectContaining(uniformRefusal)]);
    expect((await api(others, "GET", "/api/subscriptions")).status).toBe(200);
  });
});

describe("a key that expires", () => {
  const expireIn = (ms: number) =>
    execute(
      "UPDATE api_keys SET expires_at = ? WHERE id = ?",
      new Date(Date.now() + ms).toISOString(),
      of.keyId,
    );

  test("is refused from that instant on, though it was used a moment before, and so are its tokens", async () => {
    await expireIn(10_000);
    const caller = bearer(await token(of));
    expect((await api(of, "GET", list)).status).toBe(200);
    expect((await api(caller, "GET", list)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_001 });
    const { status, body } = await api(of, "GET", list);
    expect([status, body]).toEqual([401, expect.objectContaining(uniformRefusal)]);
    expect((await api(caller, "GET", list)).status).toBe(401);
  });

  test("is refused where it was not used before", async () => {
    await expireIn(-1);
    expect((await api(of, "GET", list)).status).toBe(401);
  });
});
