import { eventTypes } from "../../../base/event-types.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import { nextDatesOf } from "../facts/next-charge.ts";
import { SilenceError } from "../facts/silence.ts";
import { cancellingOf, factsOfSubscription } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Cancelling, OfSubscription } from "../render/facts.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { cancellingText, dateRow, listLines } from "../render/view.ts";

type Facts = OfSubscription & { next_charge_date: CalendarDate | null; cancelling: Cancelling };

/** A new subscription; silence for one that was moved in from elsewhere, whose customer knows it, and once it is over. */
export const welcome: MailKindDefinition<"welcome", Facts> = {
  name: "welcome",
  description: "A new subscription: what, how often, for how much, and how to cancel.",
  events: [eventTypes.subscription_created],
  placeholders: subscriptionPlaceholders,
  isSentByStores: true,
  async prepare(ctx, event): Promise<Facts> {
    const prospect = await readProspect(ctx, event.loggable_id);
    const { view } = prospect;
    if (view.row.migration_source_ref !== null) throw new SilenceError("imported");
    if (view.row.status === "CANCELLED" || view.row.status === "EXPIRED") throw new SilenceError("outdated");
    return {
      ...factsOfSubscription(ctx, prospect),
      next_charge_date: nextDatesOf(prospect).charge,
      cancelling: cancellingOf(ctx, view),
    };
  },
  letter(view, facts) {
    const { words, amount, day, product } = view;
    const texts = words.welcome;
    const { next_charge_date: charge } = facts;
    const [sum, goods] = [amount(facts.amount, facts.currency_code), product(facts.lines)];
    return {
      subject: texts.subject(goods),
      intro: [charge === null ? texts.firstUncharged(goods) : texts.first(goods, sum, day(charge))],
      facts: [
        { label: words.items, value: listLines(facts.lines) },
        { label: words.amount, value: sum },
        { label: words.frequency, value: view.frequency(facts.frequency) },
        dateRow(view, words.nextCharge, charge),
        dateRow(view, words.nextDelivery, facts.next_date),
        { label: words.cancelling, value: cancellingText(view, facts.cancelling) },
      ],
      button: { text: words.manageSubscription, url: facts.manage_url },
    };
  },
  sample: ({ subscription, chargeDate, cancelling }) => ({
    ...subscription,
    next_charge_date: chargeDate,
    cancelling,
  }),
};
