import { later } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { EventRow } from "../../events/queries.ts";
import type { Profile } from "../../profiles/tables.ts";
import { createLinkForLogin } from "../../sessions/login.ts";
import type { MailFacts } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";

/** A link, made and written now. A customer who has waited for longer than it would be valid has asked for another, or gone. */
export async function prepareLoginLink(
  ctx: Ctx,
  event: EventRow,
  { first_name }: Profile,
): Promise<MailFacts["login_link"]> {
  if (later(event.created_at, waitMsMax) < ctx.now) throw new SilenceError("late");
  const link = await createLinkForLogin(ctx, event);
  if (!link) throw new SilenceError("outdated");
  return {
    first_name,
    timezone: ctx.account.timezone,
    login_url: link.url,
    expires_at: link.expires_at,
  };
}

const waitMsMax = 15 * minuteMs;
