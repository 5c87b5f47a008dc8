import type { Context, MiddlewareHandler } from "hono";
import { findAccount } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { DomainError } from "../../base/errors.ts";
import { openCredentials } from "../../domain/mail/credentials.ts";
import { mailWebhooks } from "../../domain/mail/providers/webhooks.ts";
import { findMailEndpoint, providerOf } from "../../domain/mail/queries.ts";
import type { MailProvider } from "../../domain/mail/tables.ts";
import { readUpTo } from "../../kit/http/body.ts";
import { openRequest } from "../../kit/http/credentials.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";
import { forwardUnproven } from "../../kit/http/forward.ts";
import { countByAddress, countWebhook } from "../../kit/http/rate-limit.ts";
import { maxBodyBytes } from "./verify.ts";

/**
 * The credential of a provider's webhook is its signature, or the password that the merchant has set: so the body is read first, as of a
 * store's webhooks (verify.ts), and what is not proven counts against its client address.
 */
export const verifyMailWebhook: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const { account_id = "" } = c.get("params");
  const account = await findAccount(c.get("db"), account_id, c.get("now").getTime());
  const forwarded = await forwardUnproven(c, account);
  if (forwarded) return forwarded;
  if (!account || !(await isProven(c, account))) {
    await countByAddress(c);
    throw new DomainError(
      "UNAUTHENTICATED",
      "The webhook is not proven to be of the provider that sends the account's mails",
    );
  }
  await countWebhook(c, account.id);
  return next();
};

const readBody = readUpTo(maxBodyBytes);

/** Opens the request on behalf of the account, whose settings say which provider it has, and how that proves itself. */
async function isProven(c: Context<HonoEnv>, account: Account): Promise<boolean> {
  await openRequest(c, { account, actor: { type: "system", name: null } });
  const ctx = c.get("ctx");
  const endpoint = await findMailEndpoint(ctx);
  const provider = c.get("params").provider as MailProvider;
  const webhooks = mailWebhooks[provider];
  if (!endpoint || !webhooks || providerOf(endpoint) !== provider) return false;
  const body = await readBody(c);
  c.set("body", body);
  const text = new TextDecoder().decode(body);
  const request = { headers: c.req.raw.headers, text, now: c.get("now") };
  return webhooks.isProven(request, await openCredentials(ctx, endpoint));
}
