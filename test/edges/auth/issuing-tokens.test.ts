/** A token is issued with the scopes of its key, and verifies with the published keys until its own is removed. */
import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { allScopes, type Scope } from "../../../src/base/accounts/scopes.ts";
import { api, deployment, nobody } from "../../support/client.ts";
import {
  bearer,
  both,
  customer,
  limitedKey,
  openTenant,
  profile,
  type Tenant,
  token,
} from "../../support/tenant.ts";

const list = "/api/subscriptions/skip-reasons";
const ownJwk = JSON.parse(env.JWT_PRIVATE_JWK) as Record<string, string>;

let tenant: Tenant;
beforeAll(async () => {
  tenant = await openTenant();
});

describe("POST /api/auth/token", () => {
  const ask = (body: unknown) => api(tenant, "POST", "/api/auth/token", { body });
  const claimsOf = (text: string) =>
    JSON.parse(atob(text.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));

  test("answers access_token, token_type Bearer and expires_in, 3600 by default", async () => {
    const { status, body } = await ask({ actor_type: "admin", name: "Ada" });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["access_token", "expires_in", "token_type"]);
    expect([body.token_type, body.expires_in]).toEqual(["Bearer", 3600]);
    const { exp, iat, ...claims } = claimsOf(body.access_token);
    expect(exp - iat).toBe(3600);
    expect(claims).toMatchObject({
      account_id: tenant.account.id,
      actor_type: "admin",
      name: "Ada",
      azp: tenant.keyId,
      scope: allScopes.join(" "),
    });
  });

  test("a customer's token names no scopes: it has the operations that are meant for customers", async () => {
    const { body } = await ask({ actor_type: "customer", profile_id: (await profile(tenant)).id });
    expect(claimsOf(body.access_token)).not.toHaveProperty("scope");
  });

  test("has the scopes that are asked for, or all that the key has", async () => {
    const scopes: Scope[] = ["tokens:write", "orders:read", "reasons:read"];
    const limited = await limitedKey(tenant, scopes);
    const given = async (body: object) =>
      claimsOf((await api(limited, "POST", "/api/auth/token", { body })).body.access_token).scope;
    expect(await given({ actor_type: "admin" })).toBe("tokens:write orders:read reasons:read");
    expect(await given({ actor_type: "admin", scopes: ["reasons:read"] })).toBe("reasons:read");
  });

  test("a scope that the key lacks is 403, and named", async () => {
    const limited = await limitedKey(tenant, ["tokens:write"]);
    const body = { actor_type: "admin", scopes: ["tokens:write", "orders:write"] };
    const refused = await api(limited, "POST", "/api/auth/token", { body });
    expect([refused.status, refused.body.errorCode, refused.body.error]).toEqual([
      403,
      "FORBIDDEN",
      "The API key lacks the scope orders:write",
    ]);
  });

  test.each([[["orders:delete"]], [[]], ["orders:read"], [null]])("scopes %j are 400", async (scopes) => {
    const { status, body } = await ask({ actor_type: "admin", scopes });
    expect([status, body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
  });

  test("scopes are not for customers", async () => {
    const { id } = await profile(tenant);
    const { status, body } = await ask({ actor_type: "customer", profile_id: id, scopes: ["orders:read"] });
    expect([status, body.details[0].path]).toEqual([400, "scopes"]);
  });

  test.each([60, 61, 86_400])("expires_in %d is taken", async (expires_in) => {
    const { body } = await ask({ actor_type: "api", expires_in });
    const { exp, iat } = claimsOf(body.access_token);
    expect([body.expires_in, exp - iat]).toEqual([expires_in, expires_in]);
  });

  test.each([59, 0, -1, 86_401, 60.5, "60", null])("expires_in %j is 400", async (expires_in) => {
    const { status, body } = await ask({ actor_type: "api", expires_in });
    expect([status, body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.details[0].path).toBe("expires_in");
  });

  test("a customer needs profile_id", async () => {
    const { status, body } = await ask({ actor_type: "customer" });
    expect([status, body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.details[0].path).toBe("profile_id");
  });

  test.each(["admin", "api"])("profile_id is a customer's alone, not for %s", async (actor_type) => {
    const { id } = await profile(tenant);
    const { status, body } = await ask({ actor_type, profile_id: id });
    expect([status, body.details[0].path]).toEqual([400, "profile_id"]);
  });

  test("a profile the account does not have is UNKNOWN_PROFILE: none, another account's, a deleted one", async () => {
    const foreign = await profile(await openTenant());
    const deleted = await profile(tenant, { deleted_at: "2026-01-01T00:00:00.000Z" });
    for (const profile_id of ["nope", foreign.id, deleted.id]) {
      const { status, body } = await ask({ actor_type: "customer", profile_id });
      expect([status, body.errorCode]).toEqual([400, "UNKNOWN_PROFILE"]);
      expect(body.details).toEqual([{ path: "profile_id", message: expect.any(String) }]);
    }
  });

  test.each(["system", "ADMIN", "", null, undefined])("actor_type %j is 400", async (actor_type) => {
    expect((await ask({ actor_type })).status).toBe(400);
  });

  test("a token does not buy another: the key is required", async () => {
    const text = await token(tenant);
    expect(
      (await api(bearer(text), "POST", "/api/auth/token", { body: { actor_type: "admin" } })).status,
    ).toBe(401);
    const asCustomer = await customer(tenant);
    const withKey = both(tenant, asCustomer.credentials.Authorization!.slice("Bearer ".length));
    const refused = await api(withKey, "POST", "/api/auth/token", { body: { actor_type: "admin" } });
    expect([refused.status, refused.body.errorCode]).toEqual([403, "FORBIDDEN"]);
  });

  test("takes no Idempotency-Key: each call is a token of its own", async () => {
    const headers = { "Idempotency-Key": "same" };
    const ask = () => api(tenant, "POST", "/api/auth/token", { body: { actor_type: "admin" }, headers });
    const [first, second] = [await ask(), await ask()];
    expect(second.headers.get("Idempotency-Replayed")).toBeNull();
    expect(first.body.access_token).not.toBe(second.body.access_token);
  });
});

describe("GET /.well-known/jwks.json", () => {
  test("publishes the public key, with which tokens verify, and never the private part", async () => {
    const { body, text } = await api(nobody, "GET", "/.well-known/jwks.json");
    expect(body.keys).toHaveLength(1);
    expect(body.keys[0]).toMatchObject({ kty: "OKP", crv: "Ed25519", x: ownJwk.x, alg: "EdDSA", use: "sig" });
    expect(body.keys[0]).not.toHaveProperty("d");
    expect(text).not.toContain(ownJwk.d);
    const issued = await token(tenant);
    const header = JSON.parse(atob(issued.split(".")[0]!));
    expect(header).toMatchObject({ alg: "EdDSA", kid: body.keys[0].kid });
  });
});

describe("replacing the signing key: JWT_PRIVATE_JWK may hold several", () => {
  const newJwk = async () =>
    exportJWK((await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true })).privateKey);
  const withKeys = (...keys: object[]) => deployment({ JWT_PRIVATE_JWK: JSON.stringify({ keys }) });
  const kidOf = (text: string): string => JSON.parse(atob(text.split(".")[0]!)).kid;
  const issue = async (send: ReturnType<typeof deployment>): Promise<string> =>
    (await send(tenant, "POST", "/api/auth/token", { body: { actor_type: "admin" } })).body.access_token;

  test("all are published, the first signs, and tokens of each are good until it is removed", async () => {
    const [older, newer] = [await newJwk(), await newJwk()];
    const [original, adding, promoted, pruned] = [
      withKeys(older),
      withKeys(older, newer),
      withKeys(newer, older),
      withKeys(newer),
    ];
    const published = async (send: typeof original): Promise<string[]> =>
      (await send(nobody, "GET", "/.well-known/jwks.json")).body.keys.map(({ kid }: { kid: string }) => kid);
    const [olderKid, newerKid] = await published(adding);
    expect(await published(promoted)).toEqual([newerKid, olderKid]);
    const [old, added, fresh] = [await issue(original), await issue(adding), await issue(promoted)];
    expect([old, added, fresh].map(kidOf)).toEqual([olderKid, olderKid, newerKid]);
    for (const send of [adding, promoted])
      for (const text of [old, fresh]) expect((await send(bearer(text), "GET", list)).status).toBe(200);
    expect((await pruned(bearer(fresh), "GET", list)).status).toBe(200);
    expect((await pruned(bearer(old), "GET", list)).status).toBe(401);
  });
});
