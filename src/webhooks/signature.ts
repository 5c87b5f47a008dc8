import type { Context, MiddlewareHandler } from "hono";
import { findAccount } from "../accounts/queries.ts";
import { normalizeShop } from "../accounts/shop.ts";
import type { Account } from "../accounts/tables.ts";
import { DomainError } from "../errors.ts";
import { readUpTo } from "../http/body.ts";
import { openRequest } from "../http/credentials.ts";
import type { HonoEnv } from "../http/hono-env.ts";
import { unauthenticated } from "../http/prove.ts";
import { countByAddress } from "../http/rate-limit.ts";
import { UnknownOutcomeError } from "../store/port.ts";
import { findConnection, type StoredConnection, unsealConnection } from "../store/shopify/connection.ts";

/** Bytes; deliveries hold ids (topics.ts). */
export const largestDelivery = 1024 * 1024;
const readDelivery = readUpTo(largestDelivery);

/**
 * The secrets that a store's deliveries may be signed with: two while the app's secret is replaced. A key that does not open
 * them is for operators to see.
 */
const secretsOf = async (c: Context<HonoEnv>, stored: StoredConnection): Promise<string[]> => {
  try {
    const { credentials } = await unsealConnection(c.get("env").STORE_CREDENTIALS_KEY, stored);
    return [credentials.secret, credentials.previous_secret].filter((secret) => secret !== undefined);
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    const { account_id } = stored;
    c.get("log")("webhook_secret_unreadable", { alert: true, account_id, cause: error.message });
    return [];
  }
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** Whether these very bytes were signed with the secret; compared in constant time. */
const isSigned = async (
  secret: string,
  signature: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const given = bytesOf(signature);
  if (!given) return false;
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), hmac, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, given, body);
};

/** The shop that a delivery says it is of. */
export const shopOf = (c: Context<HonoEnv>): string =>
  normalizeShop(c.req.header("x-shopify-shop-domain") ?? "");

/** Takes the body in, and answers whose delivery it is: the account's whose credentials were verified for the shop. */
const prove = async (c: Context<HonoEnv>): Promise<Account> => {
  const signature = c.req.header("x-shopify-hmac-sha256") ?? "";
  const stored = signature === "" ? undefined : await findConnection(c.get("db"), shopOf(c));
  const secrets = stored ? await secretsOf(c, stored) : [];
  if (!stored || secrets.length === 0) throw unauthenticated();
  const body = await readDelivery(c);
  const signed = await Promise.all(secrets.map((secret) => isSigned(secret, signature, body)));
  if (!signed.includes(true)) throw unauthenticated();
  const account = await findAccount(c.get("db"), stored.account_id, c.get("now").getTime());
  if (!account) throw unauthenticated();
  c.set("body", body);
  return account;
};

const isUnproven = (error: unknown): boolean =>
  error instanceof DomainError && (error.code === "UNAUTHENTICATED" || error.code === "PAYLOAD_TOO_LARGE");

/**
 * The credential of a delivery is the signature of its body, so the body is read before what other operations check first, up to
 * the limit: 413 comes before 401, as nobody can tell whose a longer one is. Media type and schema come after, as everywhere.
 * What is not proven counts against its client address, as bad credentials do; what is, is not counted: stores send bursts.
 */
export const verifyDelivery: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const account = await prove(c).catch(async (error) => {
    if (isUnproven(error)) await countByAddress(c);
    throw error;
  });
  openRequest(c, account, { type: "system", name: null });
  return next();
};
