/** A forged token is refused, and clocks may differ by 30 seconds. */
import { env } from "cloudflare:workers";
import { base64url, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { bearer, openTenant } from "../../support/tenant.ts";
import { useTenant } from "../../support/use-account.ts";

const list = "/api/subscriptions/skip-reasons";
const tenant = useTenant();

const ownJwk = JSON.parse(env.JWT_PRIVATE_JWK) as Record<string, string>;
const { d: _, ...publicJwk } = ownJwk;

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

function encode(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

type Forgery = { header?: object; claims?: Record<string, unknown>; key?: CryptoKey | Uint8Array };

/** A token as this deployment would sign it, but for what the forgery changes; undefined takes a claim out. */
async function signed({ header = {}, claims = {}, key }: Forgery = {}): Promise<string> {
  const payload = {
    iss: "perennial",
    aud: "perennial",
    iat: seconds(),
    exp: seconds() + 600,
    account_id: tenant.account.id,
    actor_type: "admin",
    azp: tenant.keyId,
    scope: "reasons:read",
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT", ...header })
    .sign(key ?? ((await importJWK(ownJwk, "EdDSA")) as CryptoKey));
}

async function statusWith(text: string): Promise<number> {
  return (await api(bearer(text), "GET", list)).status;
}

test("the test's own signer makes valid tokens if it forges nothing", async () => {
  expect(await statusWith(await signed())).toBe(200);
});

describe("a forged token is 401", () => {
  const hmac = async (secret: Uint8Array, alg = "HS256") => signed({ header: { alg }, key: secret });
  const forgeries: [string, () => Promise<string>][] = [
    [
      "alg none",
      async () => new UnsecuredJWT({ account_id: tenant.account.id, actor_type: "admin" }).encode(),
    ],
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
    ["no issuing key", async () => signed({ claims: { azp: undefined } })],
    ["an issuing key that does not exist", async () => signed({ claims: { azp: tenant.account.id } })],
    ["no scopes", async () => signed({ claims: { scope: undefined } })],
    ["scopes that are no text", async () => signed({ claims: { scope: ["reasons:read"] } })],
    ["another type", async () => signed({ header: { typ: "logout+jwt" } })],
    ["no type", async () => signed({ header: { typ: undefined } })],
    ["a name that cannot be stored", async () => signed({ claims: { name: "A\u0000" } })],
    [
      "a tampered payload",
      async () => {
        const [header, , signature] = (await signed()).split(".");
        const { account } = await openTenant();
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
