import { calculateJwkThumbprint, importJWK, type JWK } from "jose";
import { type Env, perEnv } from "../env.ts";

type PublicJwk = JWK & { kty: string; kid: string; alg: string };
type SigningKey = { alg: string; kid: string; privateKey: CryptoKey; publicJwk: PublicJwk };

/**
 * The keys of JWT_PRIVATE_JWK: one JWK, or a set of them while a key is replaced. The first
 * signs; tokens of all are accepted. Imported once for each environment.
 */
export const signingKeys = perEnv(async ({ JWT_PRIVATE_JWK: text }): Promise<SigningKey[]> => {
  const keys = text === undefined ? [] : await Promise.all(jwksOf(text).map(importSigningKey));
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
    throw new Error("JWT_PRIVATE_JWK has two keys with one kid");
  return keys;
});

/** The deployment's public keys, as `/.well-known/jwks.json` shows them. */
export async function publicKeys(env: Env): Promise<PublicJwk[]> {
  return (await signingKeys(env)).map(({ publicJwk }) => publicJwk);
}

/** Whether this deployment can sign tokens itself. */
export async function canSign(env: Env): Promise<boolean> {
  return (await signingKeys(env)).length > 0;
}

function jwksOf(text: string): JWK[] {
  const parsed = JSON.parse(text) as JWK | { keys: JWK[] };
  return "keys" in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as JWK];
}

async function importSigningKey(jwk: JWK): Promise<SigningKey> {
  const alg = algorithmOf(jwk);
  const { kty, crv, x, y } = jwk as Record<string, string>;
  const publicPart = { kty, crv, x, ...(y === undefined ? {} : { y }) } as JWK & { kty: string };
  const kid = jwk.kid ?? (await calculateJwkThumbprint(publicPart));
  const privateKey = (await importJWK(jwk, alg)) as CryptoKey;
  return { alg, kid, privateKey, publicJwk: { ...publicPart, kid, alg, use: "sig" } };
}

function algorithmOf({ kty, crv }: JWK): string {
  if (kty === "OKP" && crv === "Ed25519") return "EdDSA";
  if (kty === "EC" && crv === "P-256") return "ES256";
  throw new Error("JWT_PRIVATE_JWK must hold Ed25519 or P-256 private keys");
}
