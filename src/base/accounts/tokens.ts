import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
  SignJWT,
} from "jose";
import { z } from "zod";
import { type Env, ownIssuer } from "../env.ts";
import { newId } from "../lib/ids.ts";
import { once } from "../lib/once.ts";
import { isStorable } from "../lib/text.ts";
import { identityProvider } from "./identity-provider.ts";
import { type CredentialLimits, statedLimits, strictest } from "./limits.ts";
import type { StaffRole } from "./roles.ts";
import { allScopes, formatScopes, parseScopes, type Scope } from "./scopes.ts";
import { signingKeys } from "./signing-keys.ts";

/** Signs a token for `expiresIn` seconds. Throws if the deployment has no signing key. */
export async function signToken(env: Env, token: NewToken): Promise<string> {
  const [key] = await signingKeys(env);
  if (!key) throw new Error("JWT_PRIVATE_JWK is not set");
  const issuedAt = Math.floor(token.now.getTime() / 1000);
  const isCustomer = token.claims.actor_type === "customer";
  const scope = isCustomer ? {} : { scope: formatScopes(token.scopes ?? allScopes) };
  return new SignJWT({ ...token.claims, ...statedLimits(token.limits), azp: token.keyId, ...scope })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "JWT" })
    .setIssuer(ownIssuer)
    .setAudience(env.JWT_AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + token.expiresIn)
    .setJti(newId())
    .sign(key.privateKey);
}

/**
 * A valid token, or undefined for any other text (RFC 8725: algorithm, issuer and audience are pinned). Whether what it
 * names still exists is another question (queries.ts). Throws UNAVAILABLE while the identity provider's keys cannot be had.
 */
export async function verifyToken(env: Env, text: string, now: Date): Promise<Token | undefined> {
  const issuer = claimedIssuer(text);
  const provider = identityProvider(env);
  if (issuer === ownIssuer) return verifyOwn(env, text, now);
  return provider && issuer === provider.issuer
    ? verifyProviders(env, text, provider.keysAt(now.getTime()), { issuer, now })
    : undefined;
}

const clockToleranceSeconds = 30;
/** The time that tokens of an identity provider live at most; our own live no longer. */
const longestLifeSeconds = 86_400;
const providerAlgorithms = ["EdDSA", "ES256"];
/** Other types are not meant as proof of a caller: logout tokens, DPoP proofs, security events (RFC 8725 §3.11). */
const accessTokenType = /^(?:application\/)?(?:jwt|at\+jwt)$/i;

/** The statements that a token signs about its bearer. */
const claims = once(() => {
  const name = z.string().min(1).max(255).refine(isStorable).optional();
  return z.discriminatedUnion("actor_type", [
    z.object({ account_id: z.uuid(), actor_type: z.enum(["admin", "api"]), name }),
    z.object({ account_id: z.uuid(), actor_type: z.literal("customer"), name, profile_id: z.uuid() }),
  ]);
});
type Claims = z.infer<ReturnType<typeof claims>>;

/** A token that has passed every check of its own. */
export type Token = Claims & {
  /** Its `jti`, for logs; null if it has none that can be logged. */
  token_id: string | null;
  /** The key that issued it; undefined for an identity provider's. */
  key_id?: string | undefined;
  /** The `sub` of an identity provider's, which tells people of one name apart; undefined if it has none. */
  subject?: string | undefined;
  /** The member of staff whose session of the console it is; no token that is sent has one. */
  staff?: SignedInMember | undefined;
  /** The member of staff who has opened the customer's portal as them; no token that is sent has one. */
  stand_in?: { name: string | null; role?: StaffRole } | undefined;
  /** The scopes that limit the token; null for everything that its actor_type may do. */
  scopes: readonly Scope[] | null;
  /** Its bounds; undefined where it has none. */
  limits?: CredentialLimits | undefined;
  expires_at_ms: number;
};

type SignedInMember = { id: string; role: StaffRole; signed_in_at: string };

type NewToken = {
  claims: Claims;
  keyId: string;
  scopes: Scope[] | null;
  limits: CredentialLimits;
  expiresIn: number;
  now: Date;
};

/** The bounds of a token as its claims have them. */
const limitClaims = once(() =>
  z.object({ requires_preview: z.literal(true).optional(), max_amount: z.int().nonnegative().optional() }),
);

async function verifyOwn(env: Env, text: string, now: Date): Promise<Token | undefined> {
  const keys = await signingKeys(env);
  if (keys.length === 0) return undefined;
  const known = createLocalJWKSet({ keys: keys.map(({ publicJwk }) => publicJwk) });
  const algorithms = [...new Set(keys.map(({ alg }) => alg))];
  const verified = await verify(env, text, known, {
    algorithms,
    issuer: ownIssuer,
    typ: "JWT",
    currentDate: now,
  });
  const proven = claims().safeParse(verified?.payload).data;
  if (!verified || !proven) return undefined;
  const { azp, scope } = verified.payload;
  const limits = limitClaims().safeParse(verified.payload).data;
  if (!limits) return undefined;
  if (typeof azp !== "string") return undefined;
  if (proven.actor_type !== "customer" && typeof scope !== "string") return undefined;
  const scopes = typeof scope === "string" ? parseScopes(scope) : null;
  const { requires_preview = false, max_amount = null } = limits;
  const bounds = strictest([{ requires_preview, max_amount }]);
  return { ...proven, ...common(verified.payload), key_id: azp, scopes, limits: bounds };
}

type FromProvider = { issuer: string; now: Date };

async function verifyProviders(
  env: Env,
  text: string,
  keys: JWTVerifyGetKey,
  { issuer, now }: FromProvider,
): Promise<Token | undefined> {
  const verified = await verify(env, text, keys, {
    algorithms: providerAlgorithms,
    issuer,
    requiredClaims: ["iat"],
    currentDate: now,
  });
  const proven = claims().safeParse(verified?.payload).data;
  if (!verified || !proven) return undefined;
  const { exp = 0, iat = 0, perennial_scope: scope } = verified.payload;
  if (exp - iat > longestLifeSeconds) return undefined;
  if (!accessTokenType.test(verified.protectedHeader.typ ?? "JWT")) return undefined;
  const scopes = scope === undefined ? null : parseScopes(typeof scope === "string" ? scope : "");
  return { ...proven, ...common(verified.payload), subject: verified.payload.sub, scopes };
}

async function verify(
  env: Env,
  text: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult | undefined> {
  const requiredClaims = ["exp", ...(options.requiredClaims ?? [])];
  const pinned = {
    ...options,
    audience: env.JWT_AUDIENCE,
    requiredClaims,
    clockTolerance: clockToleranceSeconds,
  };
  return jwtVerify(text, keys, pinned).catch(undefinedIfRefused);
}

/** A token that fails its checks is no token. Any other failure is not the token's. */
function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof errors.JOSEError)) throw error;
}

/** The `iss` that a token claims, unproven: it only decides whose keys are asked for. */
function claimedIssuer(text: string): string | undefined {
  try {
    return decodeJwt(text).iss;
  } catch {
    return undefined;
  }
}

const loggableId = /^[A-Za-z0-9_.-]{1,128}$/;

function common({ jti, exp = 0 }: JWTPayload): Pick<Token, "token_id" | "expires_at_ms"> {
  return {
    token_id: jti !== undefined && loggableId.test(jti) ? jti : null,
    expires_at_ms: (exp + clockToleranceSeconds) * 1000,
  };
}
