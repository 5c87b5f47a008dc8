import type { Context } from "hono";
import { hashOfKey, keyIdOf } from "../accounts/api-key.ts";
import { findKeyHolder, findTokenAccount, type KeyHolder, lookupTtlMs } from "../accounts/queries.ts";
import type { Account } from "../accounts/tables.ts";
import { type Token, verifyToken } from "../accounts/tokens.ts";
import { perEnv } from "../env.ts";
import { DomainError } from "../errors.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { ttlCache } from "../lib/ttl-cache.ts";
import type { HonoEnv } from "./hono-env.ts";
import { countByAddress } from "./rate-limit.ts";

/** One and the same refusal for unknown, revoked, expired, mistyped and forged credentials, so that it reveals nothing. */
export const unauthenticated = () => new DomainError("UNAUTHENTICATED", "A valid credential is required");

/**
 * Credentials that this isolate has proven, by their hash: for an hour they are not counted by client address again, so that a
 * busy server behind one address is not refused for being looked up anew.
 */
const proven = perEnv(() => ttlCache<true>(3_600_000, 10_000));

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
    throw unauthenticated();
  }
  if (!isKnown) seen.set(hash, true, nowMs);
  return found;
}

/** The holder of the key that is sent; undefined if none is. Throws UNAUTHENTICATED for a bad one. */
export async function proveKey(c: Context<HonoEnv>): Promise<KeyHolder | undefined> {
  const text = c.req.header("x-api-key");
  if (text === undefined) return undefined;
  const keyId = keyIdOf(text);
  if (keyId === undefined) throw unauthenticated();
  const hash = await hashOfKey(text);
  return proveOnce(c, hash, async () => {
    const holder = await findKeyHolder(c.get("db"), keyId, c.get("now"));
    return holder?.key.key_hash === hash ? holder : undefined;
  });
}

/** A valid token whose account, key and profile all exist; or a session of the portal, which proves as much. */
export type ProvenToken = { claims: Token; account: Account; isSession?: true };

/** Tokens that were verified, by their hash. */
const verified = perEnv(() => ttlCache<Token>(lookupTtlMs, 10_000));

/** What the token that is sent proves; undefined if none is. Throws UNAUTHENTICATED for a bad one. */
export async function proveToken(c: Context<HonoEnv>): Promise<ProvenToken | undefined> {
  const header = c.req.header("authorization");
  if (header === undefined) return undefined;
  const text = bearerOf(header);
  if (text === undefined) throw unauthenticated();
  const hash = await sha256Hex(text);
  return proveOnce(c, hash, async () => {
    const claims = await verifiedClaims(c, text, hash);
    const account = claims && (await findTokenAccount(c.get("db"), subjectOf(claims), c.get("now")));
    return account && { claims, account };
  });
}

async function verifiedClaims(c: Context<HonoEnv>, text: string, hash: string): Promise<Token | undefined> {
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
