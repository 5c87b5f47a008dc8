import { env } from "cloudflare:workers";
import { base64url, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { api, nobody } from "../support/client.ts";
import { bearer, both, customer, profile, tenant, token } from "../support/tenant.ts";
import { useTenant } from "../support/use-account.ts";

const list = "/api/subscriptions/skip-reasons";
const own = useTenant();

const ownJwk = JSON.parse(env.JWT_PRIVATE_JWK) as Record<string, string>;
const { d: _, ...publicJwk } = ownJwk;
const seconds = (): number => Math.floor(Date.now() / 1000);
const encode = (value: object): string =>
  btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

type Forgery = { header?: object; claims?: Record<string, unknown>; key?: CryptoKey | Uint8Array };

/** A token as this deployment would sign it, but for what the forgery changes; undefined takes a claim out. */
const signed = async ({ header = {}, claims = {}, key }: Forgery = {}): Promise<string> => {
  const payload = {
    iss: "perennial",
    aud: "perennial",
    iat: seconds(),
    exp: seconds() + 600,
    account_id: own.account.id,
    actor_type: "admin",
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT", ...header })
    .sign(key ?? ((await importJWK(ownJwk, "EdDSA")) as CryptoKey));
};

const statusWith = async (text: string): Promise<number> => (await api(bearer(text), "GET", list)).status;

test("the test's own signer makes valid tokens if it forges nothing", async () => {
  expect(await statusWith(await signed())).toBe(200);
});

describe("a forged token is 401", () => {
  const hmac = async (secret: Uint8Array, alg = "HS256") => signed({ header: { alg }, key: secret });
  const forgeries: [string, () => Promise<string>][] = [
    ["alg none", async () => new UnsecuredJWT({ account_id: own.account.id, actor_type: "admin" }).encode()],
    [
      "alg none, signature kept",
      async () => {
        const [, payload, signature] = (await signed()).split(".");
        return `${encode({ alg: "none" })}.${payload}.${signature}`;
      },
    ],
    ["HS256 with the public key's bytes", async () => hmac(base64url.decode(ownJwk.x!))],
    [
      "HS256 with the public key's JWK text",
      async () => hmac(new TextEncoder().encode(JSON.stringify(publicJwk))),
    ],
    [
      "HS256 with the public key's PEM",
      async () => {
        const publicKey = (await importJWK({ ...publicJwk, ext: true }, "EdDSA", {
          extractable: true,
        })) as CryptoKey;
        return hmac(new TextEncoder().encode(await exportSPKI(publicKey)));
      },
    ],
    ["HS512 with the public key's bytes", async () => hmac(base64url.decode(ownJwk.x!), "HS512")],
    [
      "another Ed25519 key",
      async () => signed({ key: (await generateKeyPair("EdDSA", { crv: "Ed25519" })).privateKey }),
    ],
    [
      "another algorithm's key",
      async () => signed({ header: { alg: "ES256" }, key: (await generateKeyPair("ES256")).privateKey }),
    ],
    ["an unknown kid", async () => signed({ header: { kid: "unknown" } })],
    [
      "its own key in the header",
      async () => {
        const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
        return signed({ header: { jwk: publicJwk }, key: privateKey });
      },
    ],
    ["another issuer", async () => signed({ claims: { iss: "https://evil.example" } })],
    ["no issuer", async () => signed({ claims: { iss: undefined } })],
    ["another audience", async () => signed({ claims: { aud: "another" } })],
    ["no audience", async () => signed({ claims: { aud: undefined } })],
    ["no expiry", async () => signed({ claims: { exp: undefined } })],
    ["expired beyond 30 s", async () => signed({ claims: { exp: seconds() - 35 } })],
    ["not valid yet beyond 30 s", async () => signed({ claims: { nbf: seconds() + 60 } })],
    [
      "an account that does not exist",
      async () => signed({ claims: { account_id: "01900000-0000-7000-8000-000000000000" } }),
    ],
    ["no account", async () => signed({ claims: { account_id: undefined } })],
    ["an account that is no text", async () => signed({ claims: { account_id: { $ne: "" } } })],
    ["an unknown actor type", async () => signed({ claims: { actor_type: "system" } })],
    ["no actor type", async () => signed({ claims: { actor_type: undefined } })],
    ["a customer without profile", async () => signed({ claims: { actor_type: "customer" } })],
    [
      "a tampered payload",
      async () => {
        const [header, , signature] = (await signed()).split(".");
        const { account } = await tenant();
        const payload = encode({ account_id: account.id, actor_type: "admin", exp: seconds() + 600 });
        return `${header}.${payload}.${signature}`;
      },
    ],
    [
      "a tampered signature",
      async () => {
        const text = await signed();
        const at = text.lastIndexOf(".") + 10;
        return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
      },
    ],
    [
      "a critical header nobody knows",
      async () =>
        signed({ header: { alg: "EdDSA", crit: ["b64"], b64: true } }).then((text) => {
          const [, payload, signature] = text.split(".");
          return `${encode({ alg: "EdDSA", crit: ["surprise"], surprise: 1 })}.${payload}.${signature}`;
        }),
    ],
    ["two dots and nothing", async () => ".."],
    ["a token of four parts", async () => `${await signed()}.x`],
  ];
  test.each(forgeries)("%s", async (_, forge) => {
    expect(await statusWith(await forge())).toBe(401);
  });
});

describe("30 s tolerance", () => {
  test("a token that expired a moment ago is still accepted", async () => {
    expect(await statusWith(await signed({ claims: { exp: seconds() - 20 } }))).toBe(200);
  });
  test("a token that becomes valid in a moment is accepted already", async () => {
    expect(await statusWith(await signed({ claims: { nbf: seconds() + 20 } }))).toBe(200);
  });
});

describe("POST /api/auth/token", () => {
  const ask = (body: unknown) => api(own, "POST", "/api/auth/token", { body });
  const claimsOf = (text: string) =>
    JSON.parse(atob(text.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));

  test("answers access_token, token_type Bearer and expires_in, 3600 by default", async () => {
    const { status, body } = await ask({ actor_type: "admin", name: "Ada" });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["access_token", "expires_in", "token_type"]);
    expect([body.token_type, body.expires_in]).toEqual(["Bearer", 3600]);
    const { exp, iat, ...claims } = claimsOf(body.access_token);
    expect(exp - iat).toBe(3600);
    expect(claims).toMatchObject({ account_id: own.account.id, actor_type: "admin", name: "Ada" });
  });

  test.each([60, 61, 86_400])("expires_in %d is accepted", async (expires_in) => {
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

  test.each(["admin", "api"])("profile_id is for customers only, not for %s", async (actor_type) => {
    const { id } = await profile(own);
    const { status, body } = await ask({ actor_type, profile_id: id });
    expect([status, body.details[0].path]).toEqual([400, "profile_id"]);
  });

  test("an unknown profile, another account's and a deleted one are UNKNOWN_PROFILE", async () => {
    const foreign = await profile(await tenant());
    const deleted = await profile(own, { deleted_at: "2026-01-01T00:00:00.000Z" });
    for (const profile_id of ["nope", foreign.id, deleted.id]) {
      const { status, body } = await ask({ actor_type: "customer", profile_id });
      expect([status, body.errorCode]).toEqual([400, "UNKNOWN_PROFILE"]);
      expect(body.details).toEqual([{ path: "profile_id", message: expect.any(String) }]);
    }
  });

  test.each(["system", "ADMIN", "", null, undefined])("actor_type %j is 400", async (actor_type) => {
    expect((await ask({ actor_type })).status).toBe(400);
  });

  test("a token cannot issue another token: the key is required", async () => {
    const text = await token(own);
    expect(
      (await api(bearer(text), "POST", "/api/auth/token", { body: { actor_type: "admin" } })).status,
    ).toBe(401);
    const asCustomer = await customer(own);
    const withKey = both(own, asCustomer.credentials.Authorization!.slice("Bearer ".length));
    const refused = await api(withKey, "POST", "/api/auth/token", { body: { actor_type: "admin" } });
    expect([refused.status, refused.body.errorCode]).toEqual([403, "FORBIDDEN"]);
  });

  test("ignores Idempotency-Key: each call issues a new token", async () => {
    const headers = { "Idempotency-Key": "same" };
    const ask = () => api(own, "POST", "/api/auth/token", { body: { actor_type: "admin" }, headers });
    const [first, second] = [await ask(), await ask()];
    expect(second.headers.get("Idempotency-Replayed")).toBeNull();
    expect(first.body.access_token).not.toBe(second.body.access_token);
  });
});

describe("GET /.well-known/jwks.json", () => {
  test("publishes the public key that verifies tokens, and never the private part", async () => {
    const { body, text } = await api(nobody, "GET", "/.well-known/jwks.json");
    expect(body.keys).toHaveLength(1);
    expect(body.keys[0]).toMatchObject({ kty: "OKP", crv: "Ed25519", x: ownJwk.x, alg: "EdDSA", use: "sig" });
    expect(body.keys[0]).not.toHaveProperty("d");
    expect(text).not.toContain(ownJwk.d);
    const issued = await token(own);
    const header = JSON.parse(atob(issued.split(".")[0]!));
    expect(header).toMatchObject({ alg: "EdDSA", kid: body.keys[0].kid });
  });
});
