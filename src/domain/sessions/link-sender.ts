import { eventTypes } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import { findListener } from "../listeners/find-listener.ts";

/**
 * Who hands sign-in links to customers: the shop's mailer, a local server's log of mails, its terminal where there is not even that, or
 * nobody.
 */
export type LinkSender = "mailer" | "log" | "terminal" | "nobody";

/** It depends on the shop alone, never on whose address was entered. */
export async function findLinkSender(
  ctx: Pick<Ctx, "db" | "account">,
  isLocal: boolean,
): Promise<LinkSender> {
  const mailer = await findListener(ctx, eventTypes.portal_login_requested, ["http", "mail"]);
  if (mailer) return isLocal && mailer.provider === "log" ? "log" : "mailer";
  return isLocal ? "terminal" : "nobody";
}
