import type { Context, MiddlewareHandler } from "hono";
import { findAccount, findAccountByShop } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { DomainError } from "../../base/errors.ts";
import { readUpTo } from "../../kit/http/body.ts";
import { openRequest } from "../../kit/http/credentials.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";
import { forwardUnproven } from "../../kit/http/forward.ts";
import { countByAddress, countWebhook } from "../../kit/http/rate-limit.ts";
import type { AddressedWebhooks, StoreWebhooks, WebhookSender } from "../../stores/webhooks.ts";

/** Bytes; the payloads that stores are asked to send hold ids alone. */
export const maxBodyBytes = 1024 * 1024;

/**
 * The credential of a webhook is the signature of its body, so the body is read before what other operations check first, up to
 * the limit: 413 comes before 401, as nobody can say who sent a longer one. Media type and schema come after, as everywhere. A
 * webhook that is not proven counts against its client address, as bad credentials do; one that is proven counts against its
 * account, with a limit that leaves room for bursts.
 */
export function verifyWebhook(webhooks: StoreWebhooks): MiddlewareHandler<HonoEnv> {
  return verifying((c) => prove(c, webhooks));
}

/** For webhooks whose address says whose they are: to a wrong address and a wrong signature the refusal is the same. */
export function verifyAddressedWebhook(webhooks: AddressedWebhooks): MiddlewareHandler<HonoEnv> {
  return verifying((c) => proveAddressed(c, webhooks));
}

function verifying(proven: (c: Context<HonoEnv>) => Promise<Account | Response>): MiddlewareHandler<HonoEnv> {
  return async (c, next) => {
    const account = await proven(c).catch(async (error) => {
      if (isUnproven(error)) await countByAddress(c);
      throw error;
    });
    if (account instanceof Response) return account;
    await openRequest(c, { account, actor: { type: "system", name: null } });
    await countWebhook(c, account.id);
    return next();
  };
}

async function proveAddressed(c: Context<HonoEnv>, webhooks: AddressedWebhooks): Promise<Account | Response> {
  const accountId = c.get("params").account_id ?? "";
  const account = await findAccount(c.get("db"), accountId, c.get("now").getTime());
  const forwarded = await forwardUnproven(c, account);
  if (forwarded) return forwarded;
  if (!account) throw newSignatureError();
  const sender = await webhooks.findSender({
    db: c.get("db"),
    env: c.get("env"),
    headers: c.req.raw.headers,
    log: c.get("log"),
    accountId: account.id,
    realNow: c.get("now"),
  });
  if (!sender) throw newSignatureError();
  return requireSigned(c, sender, async () => account);
}

/** The account of the shop that the webhook names: if it has an object, its store's credentials are kept there. */
function findNamedAccount(c: Context<HonoEnv>, { shopIn }: StoreWebhooks): Promise<Account | undefined> {
  return findAccountByShop(c.get("db"), shopIn(c.req.raw.headers), c.get("now").getTime());
}

const readBody = readUpTo(maxBodyBytes);

/** Reads the body, and returns the account whose store has signed it; or the answer of the shop's object, which does the same. */
async function prove(c: Context<HonoEnv>, webhooks: StoreWebhooks): Promise<Account | Response> {
  const db = c.get("db");
  const env = c.get("env");
  const sender = await webhooks.findSender({ db, env, headers: c.req.raw.headers, log: c.get("log") });
  if (!sender) {
    const forwarded = await forwardUnproven(c, await findNamedAccount(c, webhooks));
    if (forwarded) return forwarded;
    throw newSignatureError();
  }
  return requireSigned(c, sender, () => findAccount(db, sender.account_id, c.get("now").getTime()));
}

/** The signature comes first: who sends nothing but bad ones has no account read. */
async function requireSigned(
  c: Context<HonoEnv>,
  sender: WebhookSender,
  readAccount: () => Promise<Account | undefined>,
): Promise<Account> {
  const body = await readBody(c);
  if (!(await sender.hasSigned(body))) throw newSignatureError();
  const account = await readAccount();
  if (!account) throw newSignatureError();
  c.set("body", body);
  return account;
}

/** One and the same refusal for every signature, shop and form that is not proven, so that it reveals nothing. */
function newSignatureError(): DomainError {
  return new DomainError(
    "UNAUTHENTICATED",
    "The webhook is not signed by the store of a shop that is known here",
  );
}

function isUnproven(error: unknown): boolean {
  return (
    error instanceof DomainError && (error.code === "UNAUTHENTICATED" || error.code === "PAYLOAD_TOO_LARGE")
  );
}
