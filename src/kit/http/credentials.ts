import type { Context } from "hono";
import { touchKey } from "../../base/accounts/keys.ts";
import { limitsOfKey, strictest } from "../../base/accounts/limits.ts";
import type { Forwarded } from "../../base/accounts/objects.ts";
import { portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import type { ProvenToken } from "../../base/accounts/proven-token.ts";
import { findForwardedAccount, isElsewhere, type KeyHolder } from "../../base/accounts/queries.ts";
import { parseScopes, type Scope } from "../../base/accounts/scopes.ts";
import type { Account, ApiKey } from "../../base/accounts/tables.ts";
import type { Token } from "../../base/accounts/tokens.ts";
import type { Db } from "../../base/db/port.ts";
import { DomainError } from "../../base/errors.ts";
import { toInstant } from "../../base/lib/time/dates.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { type Actor, type Ctx, openCtx } from "../context.ts";
import { withinHourlyLimit } from "../customer-limit.ts";
import {
  type AnyOperation,
  type CountedCaller,
  type HonoEnv,
  type RequiredCredentials,
  scopesNeeded,
} from "./document/operation.ts";
import { forwardedOf, inProcessOf } from "./in-process.ts";
import {
  newUnauthenticatedError,
  proveKey,
  proveToken,
  refuseKeyAsToken,
  requireNoneRefused,
  type Tried,
  tryProof,
} from "./prove.ts";
import { countByAddress } from "./rate-limit.ts";

/**
 * Proves account and actor as the operation asks and opens the request's context. A
 * credential that is sent must be valid and have the operation's scope, needed or not, and two must name one account.
 */
export function authenticate(operation: AnyOperation): (c: Context<HonoEnv>) => Promise<void> {
  const { credentials } = operation;
  const scopes = scopesNeeded(operation);
  if (scopes.length === 0) throw new Error(`${operation.id} needs a credential but names no resource`);
  const required = { ...operation, credentials, scopes };
  return async (c) => {
    const needed = isUnbounded(c, operation)
      ? { ...required, scopes: [operation.unbounded.scope] }
      : required;
    let proof: Proof;
    try {
      proof = await proveSent(c);
      requireReach(c, needed, proof);
    } catch (error) {
      if (isRefusal(error)) await countByAddress(c);
      throw error;
    }
    c.set("proven", { key: proof.holder?.key, claims: proof.token?.claims });
    if (proof.holder) {
      c.set("key", proof.holder.key);
      if (!forwardedOf(c.req.raw)) recordUse(c, proof.holder.key);
    }
    await openFor(c, required, proof);
  };
}

/** Whether the request leaves out the parameter that would bound what the operation changes. */
function isUnbounded(
  c: Context<HonoEnv>,
  operation: AnyOperation,
): operation is AnyOperation & { unbounded: NonNullable<AnyOperation["unbounded"]> } {
  return operation.unbounded !== undefined && c.req.query(operation.unbounded.parameter) === undefined;
}

/** The one whom the request's credentials prove: at least one of them is there. */
type Proof = { holder: KeyHolder | undefined; token: ProvenToken | undefined };
type Required = Pick<AnyOperation, "customers"> & { credentials: RequiredCredentials; scopes: Scope[] };

/**
 * Which operations the request's credentials reach. Without any that is all of them, because the caller may send some later.
 * Throws, as every operation would, for credentials that are not valid or not of one account.
 */
export async function findReach(c: Context<HonoEnv>): Promise<(operation: AnyOperation) => boolean> {
  const proof = await proveSent(c);
  if (!proof.holder && !proof.token) return () => true;
  requireOneAccount(proof);
  return (operation) => {
    if (operation.credentials === "none") return true;
    try {
      requireReach(c, { ...operation, scopes: scopesNeeded(operation) }, proof);
      return true;
    } catch {
      return false;
    }
  };
}

/** Throws FORBIDDEN unless every credential of the request has these scopes, which the operation's declaration could not name. */
export function requireScopes(c: Context<HonoEnv>, scopes: Scope[]): void {
  const { key, claims } = c.get("proven") ?? {};
  for (const scope of scopes) {
    if (key) requireScope("API key", scopesOf(key), scope);
    if (claims) requireScope("bearer token", claims.scopes, scope);
  }
}

/** The scopes that limit a key; null if it may do everything. */
export function scopesOf({ scopes }: ApiKey): Scope[] | null {
  return scopes === null ? null : parseScopes(scopes);
}

/** Opens the request's context, on behalf of an account that is proven. */
export async function openRequest(
  c: Context<HonoEnv>,
  { account, actor, db = c.get("db") }: Pick<Ctx, "account" | "actor"> & { db?: Db },
): Promise<void> {
  const [env, log, realNow] = [c.get("env"), c.get("log"), c.get("now")];
  const keyId = c.get("proof")?.key_id;
  const { key, claims } = c.get("proven") ?? {};
  const limits = strictest([key && limitsOfKey(key), claims?.limits]);
  c.set("ctx", withinHourlyLimit(await openCtx({ env, db, account, actor, keyId, limits, log, realNow })));
}

/** Throws unless the credentials that were sent reach further than the operation asks, where the body of a request decides on it. */
export function requireBesides(c: Context<HonoEnv>, credentials: RequiredCredentials, scope: Scope): void {
  const { key, claims } = c.get("proven") ?? {};
  if (!claims?.staff) requireSent(credentials, { holder: key, token: claims });
  if (key) requireScope("API key", scopesOf(key), scope);
  if (claims) requireScope("bearer token", claims.scopes, scope);
}

/**
 * Throws FORBIDDEN for a member of staff who is no OWNER, or has signed in more than an hour ago where the request changes something. Keys and
 * tokens are bound by their scopes alone.
 */
export function requireOwner(c: Context<HonoEnv>): void {
  const member = c.get("proven")?.claims?.staff;
  if (!member) return;
  if (member.role !== "OWNER") throw new DomainError("FORBIDDEN", "This operation needs the role OWNER");
  if (c.req.method !== "GET") requireRecentSignIn(c);
}

/** Throws FORBIDDEN for a member of staff who has signed in more than an hour ago. */
export function requireRecentSignIn(c: Context<HonoEnv>): void {
  const member = c.get("proven")?.claims?.staff;
  if (!member) return;
  if (c.get("now").getTime() - Date.parse(member.signed_in_at) > hourMs)
    throw new DomainError(
      "FORBIDDEN",
      "This operation needs a sign-in of the last 60 minutes: sign in again",
    );
}

/** Proves the credentials that are sent, whatever they are for. */
async function proveSent(c: Context<HonoEnv>): Promise<Proof> {
  const forwarded = forwardedOf(c.req.raw);
  if (forwarded) return proveForwarded(c, forwarded);
  const authorization = c.req.header("authorization");
  refuseKeyAsToken(authorization);
  const key = await tryProof(proveKey(c));
  if (key.proven) noteProof(c, { holder: key.proven, token: undefined });
  const token = await tokenOf(c, authorization);
  requireNoneRefused(key, token);
  const proof = { holder: key.proven, token: token.proven };
  if (proof.token) noteProof(c, proof);
  return proof;
}

/** The session on whose behalf this process makes the request; else what the token that is sent proves. */
function tokenOf(
  c: Context<HonoEnv>,
  authorization: string | undefined,
): Tried<ProvenToken> | Promise<Tried<ProvenToken>> {
  const { token } = inProcessOf(c.req.raw) ?? {};
  if (token || authorization === undefined) return { proven: token };
  return tryProof(proveToken(c, authorization));
}

/** The one whom the Worker outside has proven. The account is the object's own, and so is a customer's profile. */
async function proveForwarded(c: Context<HonoEnv>, { account: { id }, proof }: Forwarded): Promise<Proof> {
  const { key, claims } = proof ?? {};
  const profileId = claims?.actor_type === "customer" ? claims.profile_id : undefined;
  const account = await findForwardedAccount(c.get("db"), id, profileId);
  if (!account) throw newUnauthenticatedError();
  const proven = { holder: key && { key, account }, token: claims && { claims, account } };
  noteProof(c, proven);
  return proven;
}

/** Adds the credentials that are proven so far to every line that the request logs, even if it fails later. */
function noteProof(c: Context<HonoEnv>, { holder, token }: Proof): void {
  c.set("proof", {
    key_id: holder?.key.id ?? token?.claims.key_id,
    token_id: token?.claims.token_id,
    account_id: (token?.account ?? holder?.account)?.id,
  });
}

function requireOneAccount({ holder, token }: Proof): void {
  if (holder && token && holder.account.id !== token.account.id)
    throw new DomainError("ACCOUNT_MISMATCH", "The API key and the bearer token name different accounts");
}

/** Throws unless the credentials may call this operation. A session of staff stands for a key and a token. An account's settings are checked where its rows are. */
function requireReach(c: Context<HonoEnv>, required: Required, { holder, token }: Proof): void {
  if (!token?.claims.staff) requireSent(required.credentials, { holder, token });
  requireOneAccount({ holder, token });
  if (token?.claims.actor_type === "customer" && !required.customers)
    throw new DomainError("FORBIDDEN", "A customer's token may not call this operation");
  if (required.credentials === "customer" && token) requirePortalCustomer(token, c.get("db"));
  for (const scope of required.scopes) {
    if (holder) requireScope("API key", scopesOf(holder.key), scope);
    if (token) requireScope("bearer token", token.claims.scopes, scope);
  }
}

function requirePortalCustomer({ claims, account }: ProvenToken, db: Db): void {
  if (claims.actor_type !== "customer")
    throw new DomainError("FORBIDDEN", "This operation needs a customer's token");
  if (!isElsewhere(db, account) && !portalSettingsOf(account).is_enabled)
    throw new DomainError("FORBIDDEN", "The shop's customer portal is switched off");
}

const howToGetToken = "Authorization: Bearer; POST /api/auth/token issues one";

/** Throws UNAUTHENTICATED, naming a credential that is needed and was not sent. */
function requireSent(
  credentials: RequiredCredentials,
  { holder, token }: { [Of in keyof Proof]: unknown },
): void {
  const also = holder || token ? "also " : "";
  const missing: Record<RequiredCredentials, string | false> = {
    none: false,
    apiKey: !holder && "X-API-Key",
    either: !holder && !token && `X-API-Key or ${howToGetToken}`,
    apiKeyAndBearer:
      (!holder && !token && `X-API-Key and ${howToGetToken}`) ||
      (!holder && "X-API-Key") ||
      (!token && howToGetToken),
    customer: !token && howToGetToken,
  };
  const named = missing[credentials];
  if (named !== false) throw new DomainError("UNAUTHENTICATED", `This operation ${also}needs ${named}`);
}

function requireScope(credential: string, granted: readonly Scope[] | null, scope: Scope): void {
  if (granted === null || granted.includes(scope)) return;
  throw new DomainError(
    "FORBIDDEN",
    `This operation needs the scope ${scope}, which the ${credential} lacks`,
  );
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof DomainError && ["UNAUTHENTICATED", "FORBIDDEN", "ACCOUNT_MISMATCH"].includes(error.code)
  );
}

function recordUse(c: Context<HonoEnv>, key: ApiKey): void {
  const nowMs = c.get("now").getTime();
  const anHourAgo = toInstant(nowMs - hourMs);
  if (key.last_used_at !== null && key.last_used_at >= anHourAgo) return;
  key.last_used_at = toInstant(nowMs);
  c.executionCtx.waitUntil(
    touchKey(c.get("db"), key.id, key.last_used_at, anHourAgo).catch((error) =>
      c.get("log")("key_use_not_noted", { key_id: key.id, cause: String(error) }),
    ),
  );
}

type Opening = Pick<AnyOperation, "secretAnswer"> & { credentials: RequiredCredentials };

/** Opens the request's context for whoever acts: the token's actor, except where the operation asks for a key alone. */
function openFor(
  c: Context<HonoEnv>,
  { credentials, secretAnswer = false }: Opening,
  { holder, token }: Proof,
): Promise<void> {
  const isStaff = token?.claims.staff !== undefined;
  const actor: Actor =
    token && (isStaff || credentials !== "apiKey")
      ? actorOf(token.claims)
      : { type: "api", name: holder?.key.name ?? null };
  const who = `${actor.type}:${actor.profile_id ?? actor.name ?? ""}`;
  c.set("counted", countedOf(credentials, { holder, token }, who));
  c.set(
    "caller",
    callerOf(
      { holder, token: credentials === "apiKey" && !isStaff ? undefined : token },
      { who, secretAnswer },
    ),
  );
  return openRequest(c, { account: (token?.account ?? holder?.account) as Account, actor });
}

/**
 * Whose an Idempotency-Key is: a key's, or the person's that a token names, whichever token it is. Names are anybody's choice, so that an
 * answer with a secret belongs to the key that issued the token besides, or to the provider's subject.
 */
function callerOf(
  { holder, token }: Proof,
  { who, secretAnswer }: { who: string; secretAnswer: boolean },
): string {
  if (!token) return holder ? `key:${holder.key.id}` : who;
  if (!secretAnswer) return who;
  const { key_id, subject, expires_at_ms } = token.claims;
  if (key_id !== undefined) return `${who} by key:${key_id}`;
  return subject === undefined ? `${who} until ${expires_at_ms}` : `${who} as ${subject}`;
}

function countedOf(credentials: RequiredCredentials, { holder, token }: Proof, who: string): CountedCaller {
  if (holder && (!token || credentials === "apiKey")) return { key: holder.key.id };
  if (token?.isSession)
    return {
      key: `session ${token.account.id} ${token.claims.staff ? `staff:${token.claims.staff.id}` : who}`,
    };
  const issuer = token?.claims.key_id ?? `provider ${token?.account.id}`;
  return { key: `${issuer} ${who}`, issuer };
}

/** The context of whoever asks for a job or an export: the member of staff whose token is sent with the key, if one is. */
export function asStaff(c: Context<HonoEnv>, ctx: Ctx): Ctx {
  const claims = c.get("proven")?.claims;
  return claims ? { ...ctx, actor: actorOf(claims) } : ctx;
}

/** The one whom a token names. */
function actorOf(claims: Token): Actor {
  return {
    type: claims.actor_type,
    name: claims.name ?? null,
    ...(claims.actor_type === "customer" ? { profile_id: claims.profile_id } : {}),
    ...(claims.staff ? { role: claims.staff.role } : {}),
    ...(claims.stand_in ? { standIn: claims.stand_in } : {}),
  };
}
