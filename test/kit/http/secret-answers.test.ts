/** An answer with a secret is replayed to the key that asked for it, and to no other. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Caller, deployment } from "../../support/client.ts";
import type { Json } from "../../support/shops.ts";
import { bearer, makeKey, openTenant, type Tenant, token } from "../../support/tenant.ts";

const path = "/api/webhook-endpoints";
const body = { url: "https://hooks.example.com/in" };
const headers = { "Idempotency-Key": "one-endpoint" };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The secret that a caller is answered under one Idempotency-Key, and whether it is an earlier request's. */
async function secretOf(as: Caller, send = deployment({}), part = ""): Promise<[string, boolean]> {
  const answer = await send<Json>(as, "POST", path + part, part ? { headers } : { body, headers });
  expect(answer.status).toBeLessThan(300);
  return [answer.body.data.secret, answer.headers.get("Idempotency-Replayed") === "true"];
}

/** An account with two keys of one name. */
async function openTwins(): Promise<[Tenant, Tenant]> {
  const of = await openTenant();
  const keys = await Promise.all([1, 2].map(() => makeKey(of, { name: "Server" })));
  const [first, second] = keys.map(({ key, text }) => ({
    ...of,
    ...{ key: text, keyId: key.id, credentials: { "X-API-Key": text } },
  }));
  return [first!, second!];
}

describe("an answer with a secret belongs to the key that asked for it, or that issued the token", () => {
  test.each<["admin" | "api", string | undefined]>([
    ["admin", "Ada"],
    ["api", "Ada"],
    ["api", undefined],
  ])("tokens of two keys for one %s %s do not see each other's secret", async (actor_type, name) => {
    const [first, second] = await openTwins();
    const by = async (key: Tenant) =>
      bearer(await token(key, { actor_type, ...(name === undefined ? {} : { name }) }));
    const [secret] = await secretOf(await by(first));
    const [other, isReplayed] = await secretOf(await by(second));
    expect([other === secret, isReplayed]).toEqual([false, false]);
    expect(await secretOf(await by(first))).toEqual([secret, true]);
  });

  test("nor do two keys of one name, and a key finds its own again", async () => {
    const [first, second] = await openTwins();
    const [secret] = await secretOf(first);
    expect((await secretOf(second))[1]).toBe(false);
    expect(await secretOf(first)).toEqual([secret, true]);
  });

  test("a rotated secret is no other key's either", async () => {
    const [first, second] = await openTwins();
    const { id } = (await deployment({})<Json>(first, "POST", path, { body })).body.data;
    const by = async (key: Tenant) => bearer(await token(key, { actor_type: "admin", name: "Ada" }));
    const [secret] = await secretOf(await by(first), deployment({}), `/${id}/rotate-secret`);
    const [other, isReplayed] = await secretOf(await by(second), deployment({}), `/${id}/rotate-secret`);
    expect([other === secret, isReplayed]).toEqual([false, false]);
  });

  test("of an identity provider's tokens it belongs to their subject, not to a name", async () => {
    const of = await openTenant();
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(publicKey)), kid: "1", alg: "ES256" };
    vi.stubGlobal("fetch", async () => Response.json({ keys: [jwk] }));
    const provider = { JWT_ISSUER: "https://login.example.com/", JWKS_URL: "https://login.example.com/keys" };
    const send = deployment(provider);
    const tokenOf = async (claims: object, lifeSeconds = 300): Promise<Caller> => {
      const iat = Math.floor(Date.now() / 1000);
      const common = { iss: provider.JWT_ISSUER, aud: "perennial", iat, exp: iat + lifeSeconds };
      const who = { account_id: of.account.id, actor_type: "admin", name: "Ada" };
      const unsigned = new SignJWT({ ...common, ...who, ...claims });
      return bearer(await unsigned.setProtectedHeader({ alg: "ES256", kid: "1" }).sign(privateKey));
    };
    const [secret] = await secretOf(await tokenOf({ sub: "ada-1" }), send);
    expect((await secretOf(await tokenOf({ sub: "ada-2" }), send))[1]).toBe(false);
    expect((await secretOf(await tokenOf({}), send))[1]).toBe(false);
    expect((await secretOf(await tokenOf({}, 400), send))[1]).toBe(false);
    expect(await secretOf(await tokenOf({ sub: "ada-1" }, 400), send)).toEqual([secret, true]);
  });
});
