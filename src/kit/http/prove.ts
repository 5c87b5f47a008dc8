import type { Context } from "hono";
import { hashOfKey, keyIdOf, keyPrefix } from "../../base/accounts/api-key.ts";
import type { ProvenToken } from "../../base/accounts/proven-token.ts";
import { findKeyHolder, findTokenAccount, type KeyHolder, lookupTtlMs } from "../../base/accounts/queries.ts";
import { type Token, verifyToken } from "../../base/accounts/tokens.ts";
import { perEnv } from "../../base/env.ts";
import { DomainError } from "../../base/errors.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { ttlCache } from "../../base/lib/ttl-cache.ts";
import type { HonoEnv } from "./document/operation.ts";
import { countByAddress } from "./rate-limit.ts";

export function newUnauthenticatedError(message = `The credential that was sent is ${notValid}`) {
  return new DomainError("UNAUTHENTICATED", message);
}

/** Catches the refusal of a credential, so that another one that was sent can be looked at too. */
export async function tryProof<T>(proof: Promise<T | undefined>): Promise<Tried<T>> {
  try {
    return { proven: await proof };
  } catch (error) {
    if (error instanceof DomainError && error.code === "UNAUTHENTICATED") return { refusal: error };
    throw error;
  }
}

/**
 * Throws UNAUTHENTICATED where one of the credentials is refused. Beside a good one it names which, because whoever sent them holds
 * the good one and has to know which to mend.
 */
export function requireNoneRefused(key: Tried<KeyHolder>, token: Tried<ProvenToken>): void {
  if (key.refusal && token.proven) throw newRefusedBesideError("X-API-Key", "Authorization: Bearer");
  if (token.refusal && key.proven) throw newRefusedBesideError("Authorization: Bearer", "X-API-Key");
  const refusal = key.refusal ?? token.refusal;
  if (refusal) throw refusal;
}

/** Throws UNAUTHENTICATED for a key in the place of a token. Its form alone says so, whether or not there is such a key. */
export function refuseKeyAsToken(authorization: string | undefined): void {
  if (authorization !== undefined && bearerOf(authorization)?.startsWith(keyPrefix))
    throw newUnauthenticatedError("An API key was sent as a Bearer token: send it as X-API-Key");
}

/** The holder of the key that is sent; undefined if none is. Throws UNAUTHENTICATED for a bad one. */
export async function proveKey(c: Context<HonoEnv>): Promise<KeyHolder | undefined> {
  const text = c.req.header("x-api-key");
  if (text === undefined) return undefined;
  const { keyId, hash } = await identifyKey(c, text);
  return proveOnce(c, hash, async () => {
    const holder = await findKeyHolder(c.get("db"), keyId, c.get("now"));
    return holder?.key.key_hash === hash ? holder : undefined;
  });
}

/** The token of an Authorization header. Throws UNAUTHENTICATED for one that is no token, or a bad one. */
export async function proveToken(
  c: Context<HonoEnv>,
  authorization: string,
): Promise<ProvenToken | undefined> {
  const text = bearerOf(authorization);
  if (text === undefined) throw newUnauthenticatedError();
  const hash = await hashOfToken(c, text);
  return proveOnce(c, hash, async () => {
    const claims = await verifyClaims(c, text, hash);
    const account = claims && (await findTokenAccount(c.get("db"), subjectOf(claims), c.get("now")));
    return account && { claims, account };
  });
}

/** The message about every credential that is not valid, whatever the reason, so that it reveals nothing. */
const notValid = "unknown, mistyped, expired or revoked";

/**
 * Credentials that this isolate has proven, by their hash: for an hour they are not counted by client address again, so that a
 * busy server behind one address is not refused for being looked up anew.
 */
const proven = perEnv(() => ttlCache<true>(hourMs, 10_000));

/** Proves a credential, counting it by client address first unless this isolate has proven it before. */
async function proveOnce<T>(
  c: Context<HonoEnv>,
  hash: string,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const [seen, nowMs] = [proven(c.get("env")), c.get("now").getTime()];
  const isKnown = seen.get(hash, nowMs) !== undefined;
  if (!isKnown) await countByAddress(c);
  const found = await find();
  if (found === undefined) {
    seen.delete(hash);
    throw newUnauthenticatedError();
  }
  if (!isKnown) seen.set(hash, true, nowMs);
  return found;
}

/** The id and the hash of a key. Throws UNAUTHENTICATED for a text that is no key of ours, or is mistyped. */
const identifyKey = remembered(async (text) => {
  const keyId = keyIdOf(text);
  if (keyId === undefined) throw newUnauthenticatedError();
  return { keyId, hash: await hashOfKey(text) };
});

const hashOfToken = remembered(sha256Hex);

/** Most requests repeat a credential, whose hash and checksum would be most of what its proof costs once it is looked up. */
function remembered<I>(
  identify: (text: string) => Promise<I>,
): (c: Context<HonoEnv>, text: string) => I | Promise<I> {
  const identities = perEnv(() => ttlCache<I>(lookupTtlMs, 10_000));
  return (c, text) => {
    const [cache, nowMs] = [identities(c.get("env")), c.get("now").getTime()];
    const keep = (identity: I): I => {
      cache.set(text, identity, nowMs);
      return identity;
    };
    return cache.get(text, nowMs) ?? identify(text).then(keep);
  };
}

/** A credential that was looked at: what it proves, if it was sent, or why it is refused. */
export type Tried<T> = { proven?: T | undefined; refusal?: DomainError };

function newRefusedBesideError(refused: string, good: string): DomainError {
  return newUnauthenticatedError(`The credential in ${refused} is ${notValid}; the one in ${good} is good`);
}

/** Tokens that were verified, by their hash. */
const verified = perEnv(() => ttlCache<Token>(lookupTtlMs, 10_000));

async function verifyClaims(c: Context<HonoEnv>, text: string, hash: string): Promise<Token | undefined> {
  const [cache, now] = [verified(c.get("env")), c.get("now")];
  const cached = cache.get(hash, now.getTime());
  if (cached) return now.getTime() < cached.expires_at_ms ? cached : undefined;
  const claims = await verifyToken(c.get("env"), text, now);
  if (claims) cache.set(hash, claims, now.getTime());
  return claims;
}

/** The token in an Authorization header (RFC 6750 §2.1), or undefined if it holds anything else. */
function bearerOf(header: string): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
}

function subjectOf(claims: Token) {
  const profileId = claims.actor_type === "customer" ? claims.profile_id : undefined;
  return { accountId: claims.account_id, keyId: claims.key_id, profileId };
}
