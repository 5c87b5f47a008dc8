import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from "jose";
import { z } from "zod";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../lib/ids.ts";

/** The `iss` of tokens that this deployment signs itself. */
const ownIssuer = "perennial";
const clockToleranceSeconds = 30;
const algorithms = ["EdDSA", "ES256"];

/** What a token says of its bearer (docs/decisions.md#1-who-is-calling). */
const claims = z.discriminatedUnion("actor_type", [
  z.object({
    account_id: z.string(),
    actor_type: z.enum(["admin", "api"]),
    name: z.string().min(1).max(255).optional(),
  }),
  z.object({
    account_id: z.string(),
    actor_type: z.literal("customer"),
    name: z.string().min(1).max(255).optional(),
    profile_id: z.string().min(1),
  }),
]);
export type Claims = z.infer<typeof claims>;

type PublicJwk = JWK & { kty: string; kid: string; alg: string };
type SigningKey = { alg: string; kid: string; privateKey: CryptoKey; publicJwk: PublicJwk };
type Trust = { issuer: string; keys: JWTVerifyGetKey; algorithms: string[] };

const algorithmOf = ({ kty, crv }: JWK): string => {
  if (kty === "OKP" && crv === "Ed25519") return "EdDSA";
  if (kty === "EC" && crv === "P-256") return "ES256";
  throw new Error("JWT_PRIVATE_JWK must be an Ed25519 or P-256 private key");
};

const importSigningKey = async (text: string): Promise<SigningKey> => {
  const jwk = JSON.parse(text) as JWK;
  const alg = algorithmOf(jwk);
  const { kty, crv, x, y } = jwk as Record<string, string>;
  const publicPart = { kty, crv, x, ...(y === undefined ? {} : { y }) } as JWK & { kty: string };
  const kid = jwk.kid ?? (await calculateJwkThumbprint(publicPart));
  const privateKey = (await importJWK(jwk, alg)) as CryptoKey;
  return { alg, kid, privateKey, publicJwk: { ...publicPart, kid, alg, use: "sig" } };
};

/** Memoised per environment, so keys are imported and key sets fetched once per isolate. */
const perEnv = <V>(make: (env: Env) => V) => {
  const made = new WeakMap<Env, V>();
  return (env: Env): V => {
    const known = made.get(env);
    if (known !== undefined) return known;
    const value = make(env);
    made.set(env, value);
    return value;
  };
};

const signingKey = perEnv(async (env) =>
  env.JWT_PRIVATE_JWK ? importSigningKey(env.JWT_PRIVATE_JWK) : undefined,
);

/** The deployment's public keys, as `/.well-known/jwks.json` answers them. */
export const publicKeys = async (env: Env): Promise<PublicJwk[]> => {
  const key = await signingKey(env);
  return key ? [key.publicJwk] : [];
};

const trusted = perEnv(async (env): Promise<Trust[]> => {
  const own = await signingKey(env);
  const trust: Trust[] = [];
  if (own)
    trust.push({
      issuer: ownIssuer,
      keys: createLocalJWKSet({ keys: [own.publicJwk] }),
      algorithms: [own.alg],
    });
  if (env.JWT_ISSUER && env.JWKS_URL)
    trust.push({ issuer: env.JWT_ISSUER, keys: createRemoteJWKSet(new URL(env.JWKS_URL)), algorithms });
  return trust;
});

/** Whether this deployment can sign tokens of its own. */
export const canSign = async (env: Env): Promise<boolean> => (await signingKey(env)) !== undefined;

/** Signs a token for `expiresIn` seconds. Throws where the deployment has no signing key. */
export const signToken = async (env: Env, subject: Claims, expiresIn: number, now: Date): Promise<string> => {
  const key = await signingKey(env);
  if (!key) throw new Error("JWT_PRIVATE_JWK is not set");
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ ...subject })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "JWT" })
    .setIssuer(ownIssuer)
    .setAudience(env.JWT_AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresIn)
    .setJti(newId())
    .sign(key.privateKey);
};

/** A token that fails its checks is no token; a key set that cannot be had says nothing about the token. */
const refused = (error: unknown): undefined => {
  const outage =
    error instanceof errors.JWKSTimeout || (error as { code?: string }).code === "ERR_JOSE_GENERIC";
  if (error instanceof errors.JOSEError && !outage) return undefined;
  throw new DomainError("UNAVAILABLE", "The identity provider's keys cannot be had, try again");
};

/**
 * The claims of a valid token, or undefined for any other text (RFC 8725: algorithm, issuer and audience pinned).
 * Throws UNAVAILABLE where the identity provider's keys cannot be had.
 */
export const verifyToken = async (env: Env, token: string, now: Date): Promise<Claims | undefined> => {
  for (const { issuer, keys, algorithms } of await trusted(env)) {
    const verified = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      audience: env.JWT_AUDIENCE,
      requiredClaims: ["exp"],
      clockTolerance: clockToleranceSeconds,
      currentDate: now,
    }).catch(refused);
    if (verified) return claims.safeParse(verified.payload).data;
  }
  return undefined;
};
