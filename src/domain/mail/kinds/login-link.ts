import { portalUrlOf } from "../../../base/accounts/portal-address.ts";
import { eventTypes } from "../../../base/event-types.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import { createLinkForLogin } from "../../sessions/login.ts";
import { SilenceError } from "../facts/silence.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { EveryMail } from "../render/facts.ts";
import { everyPlaceholder } from "../render/placeholders.ts";

type Facts = EveryMail & { login_url: string; expires_at: Instant };

/** A link, made and written now. A customer who has waited for longer than it would be valid has asked for another, or gone. */
export const loginLink: MailKindDefinition<"login_link", Facts> = {
  name: "login_link",
  description: "The link into the portal; not sent 15 minutes late.",
  events: [eventTypes.portal_login_requested],
  placeholders: everyPlaceholder,
  isRepeatable: true,
  signsIn: true,
  async prepare(ctx, event, { profile: { first_name } }): Promise<Facts> {
    if (later(event.created_at, waitMsMax) < ctx.now) throw new SilenceError("late");
    const link = await createLinkForLogin(ctx, event);
    if (!link) throw new SilenceError("outdated");
    return {
      first_name,
      timezone: ctx.account.timezone,
      login_url: link.url,
      expires_at: link.expires_at,
    };
  },
  letter(view, facts) {
    const { words, shop, moment } = view;
    const texts = words.login_link;
    const until = moment(facts.expires_at);
    return {
      subject: texts.subject(shop),
      intro: [texts.first(shop, until)],
      facts: [{ label: words.validUntil, value: until }],
      button: { text: words.enter, url: facts.login_url },
      closing: [texts.notAsked],
      because: words.becauseAsked(shop),
    };
  },
  sample: ({ recipient, now }, ctx) => ({
    ...recipient,
    login_url: `${portalUrlOf(ctx)}/enter?token=EXAMPLE`,
    expires_at: later(now, 15 * minuteMs),
  }),
};

const waitMsMax = 15 * minuteMs;
