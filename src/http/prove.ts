import type { Context } from "hono";
import { hashOfKey, keyIdOf } from "../accounts/api-key.ts";
import {
  cachedKey,
  findKeyHolder,
  findTokenAccount,
  type KeyHolder,
  lookupTtlMs,
} from "../accounts/queries.ts";
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

/** The holder of the key that is sent; undefined if none is. Throws UNAUTHENTICATED for a bad one. */
export async function proveKey(c: Context<HonoEnv>): Promise<KeyHolder | undefined> {
  const text = c.req.header("x-api-key");
  if (text === undefined) return undefined;
  const keyId = keyIdOf(text);
  if (keyId === undefined) throw unauthenticated();
  const [hash, now] = [await hashOfKey(text), c.get("now")];
  if (cachedKey(keyId, now)?.key_hash !== hash) await countByAddress(c);
  const holder = await findKeyHolder(c.get("db"), keyId, now);
  if (holder?.key.key_hash !== hash) throw unauthenticated();
  return holder;
}

/** A valid token whose account, key and profile all exist. */
export type ProvenToken = { claims: Token; account: Account };

/** Tokens that were proven, by their hash: verified once, and counted by whom they name from then on. */
const provenTokens = perEnv(() => ttlCache<Token>(lookupTtlMs, 10_000));

/** What the token that is sent proves; undefined if none is. Throws UNAUTHENTICATED for a bad one. */
export async function proveToken(c: Context<HonoEnv>): Promise<ProvenToken | undefined> {
  const header = c.req.header("authorization");
  if (header === undefined) return undefined;
  const text = bearerOf(header);
  if (text === undefined) throw unauthenticated();
  const [cache, hash, nowMs] = [provenTokens(c.get("env")), await sha256Hex(text), c.get("now").getTime()];
  const cached = cache.get(hash, nowMs);
  if (!cached) await countByAddress(c);
  const isLive = cached !== undefined && nowMs < cached.expires_at_ms;
  const claims = isLive ? cached : await verifyToken(c.get("env"), text, c.get("now"));
  const account = claims && (await findTokenAccount(c.get("db"), subjectOf(claims), c.get("now")));
  if (!account) {
    if (cached) cache.forget((token) => token === cached);
    throw unauthenticated();
  }
  if (!cached) cache.set(hash, claims, nowMs);
  return { claims, account };
}

/** The token in an Authorization header (RFC 6750 §2.1), or undefined if it holds anything else. */
function bearerOf(header: string): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
}

function subjectOf(claims: Token) {
  const profileId = claims.actor_type === "customer" ? claims.profile_id : undefined;
  return { accountId: claims.account_id, keyId: claims.key_id, profileId };
}
