import type { Context, MiddlewareHandler } from "hono";
import { touchKey } from "../accounts/actions.ts";
import { hashOfKey, keyIdOf } from "../accounts/api-key.ts";
import { findAccount, findKeyHolder, type KeyHolder } from "../accounts/queries.ts";
import type { Account } from "../accounts/tables.ts";
import { type Claims, verifyToken } from "../accounts/tokens.ts";
import { type Actor, openCtx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";
import type { AnyOperation, Credentials } from "./operation.ts";
import { countByAddress } from "./rate-limit.ts";

const hourMs = 3_600_000;

/**
 * Verifies account and actor as the operation requires (docs/decisions.md#1-who-is-calling) and opens the request's context.
 * Every credential that is sent must be valid, even if it is not needed, and two credentials must name one account.
 */
export const authenticate =
  ({ credentials, customers }: AnyOperation): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    if (credentials === "none") return next();
    const { holder, claims, token } = await verifyCredentials(c, credentials).catch(async (error) => {
      if (error instanceof DomainError && error.code === "UNAUTHENTICATED") await countByAddress(c);
      throw error;
    });
    if (holder && claims && holder.id !== claims.account.id)
      throw new DomainError("ACCOUNT_MISMATCH", "The API key and the bearer token name different accounts");
    if (claims?.actor_type === "customer" && !customers)
      throw new DomainError("FORBIDDEN", "A customer's token may not call this operation");
    if (holder) recordKeyUse(c, holder);

    const actor: Actor =
      claims && credentials !== "apiKey" ? actorOf(claims) : { type: "api", name: holder?.key_name ?? null };
    const account = claims?.account ?? (holder as Account);
    c.set("credential", claims && token ? token.slice(token.lastIndexOf(".") + 1) : (holder?.key_id ?? ""));
    c.set("caller", callerOf(actor, holder, claims));
    openRequest(c, account, actor);
    return next();
  };

/** Opens the request's context on behalf of an account whose credentials were verified. */
export const openRequest = (c: Context<HonoEnv>, account: Account, actor: Actor): void => {
  const [env, db, log, realNow] = [c.get("env"), c.get("db"), c.get("log"), c.get("now")];
  c.set("ctx", openCtx({ env, db, account, actor, log, realNow }));
};

/** The same refusal for unknown, revoked, expired and forged credentials, so that it reveals nothing. */
export const unauthenticated = () => new DomainError("UNAUTHENTICATED", "A valid credential is required");

async function verifyCredentials(c: Context<HonoEnv>, required: Credentials) {
  const key = c.req.header("x-api-key");
  const authorization = c.req.header("authorization");
  const holder = key === undefined ? undefined : await holderOf(c, key);
  const claims = authorization === undefined ? undefined : await claimsOf(c, authorization);
  if (!isSatisfied(required, holder !== undefined, claims !== undefined)) throw unauthenticated();
  return { holder, claims, token: authorization };
}

async function holderOf(c: Context<HonoEnv>, key: string): Promise<KeyHolder> {
  const holder = keyIdOf(key)
    ? await findKeyHolder(c.get("db"), await hashOfKey(key), c.get("now").getTime())
    : undefined;
  if (!holder) throw unauthenticated();
  return holder;
}

async function claimsOf(c: Context<HonoEnv>, header: string): Promise<Claims & { account: Account }> {
  const claims = await verifyToken(c.get("env"), bearerTokenIn(header), c.get("now"));
  const account = claims && (await findAccount(c.get("db"), claims.account_id, c.get("now").getTime()));
  if (!account) throw unauthenticated();
  return { ...claims, account };
}

/** The token in an Authorization header; empty, which no verification accepts, for another scheme. */
function bearerTokenIn(header: string): string {
  return /^Bearer +([^ ]+) *$/i.exec(header)?.[1] ?? "";
}

function isSatisfied(required: Credentials, hasKey: boolean, hasToken: boolean): boolean {
  if (required === "apiKey") return hasKey;
  return required === "apiKeyAndBearer" ? hasKey && hasToken : hasKey || hasToken;
}

/** Writes last_used_at after the response, once an hour at most. */
function recordKeyUse(c: Context<HonoEnv>, holder: KeyHolder): void {
  const now = c.get("now");
  const anHourAgo = new Date(now.getTime() - hourMs).toISOString();
  if (holder.key_last_used_at !== null && holder.key_last_used_at >= anHourAgo) return;
  holder.key_last_used_at = now.toISOString();
  c.executionCtx.waitUntil(
    touchKey(c.get("db"), holder.key_id, now.toISOString(), anHourAgo).catch((error) =>
      c.get("log")("key_use_not_noted", { key_id: holder.key_id, cause: String(error) }),
    ),
  );
}

function actorOf(claims: Claims): Actor {
  return {
    type: claims.actor_type,
    name: claims.name ?? null,
    ...(claims.actor_type === "customer" ? { profile_id: claims.profile_id } : {}),
  };
}

/** Who calls: the key if it comes alone, else the person that the token names, whichever of their tokens it is. */
function callerOf(actor: Actor, holder: KeyHolder | undefined, claims: Claims | undefined): string {
  return claims || !holder ? `${actor.type}:${actor.profile_id ?? actor.name ?? ""}` : `key:${holder.key_id}`;
}
