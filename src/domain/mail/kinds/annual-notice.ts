import { eventTypes } from "../../../base/event-types.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import { nextDatesOf } from "../facts/next-charge.ts";
import { SilenceError } from "../facts/silence.ts";
import { cancellingOf, factsOfSubscription, subscriptionUrl } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Cancelling, OfSubscription } from "../render/facts.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { canCancelNow, cancellingText, dateRow, listLines } from "../render/view.ts";

type Facts = OfSubscription & {
  next_charge_date: CalendarDate | null;
  cancelling: Cancelling;
  /** The page where the customer cancels. */
  cancel_url: string;
};

/** The terms of a subscription, once in each year of its life; silence once it is over. */
export const annualNotice: MailKindDefinition<"annual_notice", Facts> = {
  name: "annual_notice",
  description:
    "Once a year of a subscription: what, how often, for how much, and how to cancel. Off unless it is switched on.",
  events: [eventTypes.annual_notice_due],
  placeholders: {
    ...subscriptionPlaceholders,
    cancel_url: (_, { cancel_url }) => cancel_url,
  },
  isRepeatable: true,
  isOffAtFirst: true,
  async prepare(ctx, event): Promise<Facts> {
    const prospect = await readProspect(ctx, event.loggable_id);
    const { view } = prospect;
    if (!["ACTIVE", "PAUSED"].includes(view.row.status)) throw new SilenceError("outdated");
    return {
      ...factsOfSubscription(ctx, prospect),
      next_charge_date: nextDatesOf(prospect).charge,
      cancelling: cancellingOf(ctx, view),
      cancel_url: subscriptionUrl(ctx, view.row.id, "/cancel"),
    };
  },
  letter(view, facts) {
    const { words, amount, product } = view;
    const texts = words.annual_notice;
    const sum = amount(facts.amount, facts.currency_code);
    return {
      subject: texts.subject(product(facts.lines)),
      intro: [texts.first(product(facts.lines), sum), texts.next],
      facts: [
        { label: words.items, value: listLines(facts.lines) },
        { label: words.amount, value: sum },
        { label: words.frequency, value: view.frequency(facts.frequency) },
        dateRow(view, words.nextCharge, facts.next_charge_date),
        dateRow(view, words.nextDelivery, facts.next_date),
        { label: words.cancelling, value: cancellingText(view, facts.cancelling) },
      ],
      button: canCancelNow(facts.cancelling)
        ? { text: texts.button, url: facts.cancel_url }
        : { text: words.manageSubscription, url: facts.manage_url },
    };
  },
  sample: ({ subscription, chargeDate, cancelling, page }) => ({
    ...subscription,
    next_charge_date: chargeDate,
    cancelling,
    cancel_url: page,
  }),
};
