import { eventTypes } from "../../../base/event-types.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import { lastMomentBefore, nextChargeOf } from "../facts/next-charge.ts";
import { SilenceError } from "../facts/silence.ts";
import { cancellingOf, cardOf, factsOfSubscription } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Cancelling, Card, OfSubscription } from "../render/facts.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { canCancelNow, cancellingText, cardRow, dateRow, listLines } from "../render/view.ts";

type Facts = OfSubscription & {
  charge_date: CalendarDate;
  /** The last moment at which a change or a cancellation still counts for this charge. */
  change_until: Instant;
  cancelling: Cancelling;
  card: Card | null;
};

/** The charge that a reminder is about, as billing itself projects it; silence once it was made, moved, skipped or called off. */
export const upcomingCharge: MailKindDefinition<"upcoming_charge", Facts> = {
  name: "upcoming_charge",
  description: "A coming charge, and until when it can be changed.",
  events: [eventTypes.payment_reminder_due],
  placeholders: subscriptionPlaceholders,
  isRepeatable: true,
  async prepare(ctx, event): Promise<Facts> {
    const date = parseStored(event.metadata)?.billing_date;
    const prospect = await readProspect(ctx, event.loggable_id);
    const { view } = prospect;
    const charge = nextChargeOf(prospect);
    if (!charge || charge.billing !== date || charge.billing <= view.today)
      throw new SilenceError("outdated");
    return {
      ...factsOfSubscription(ctx, prospect),
      amount: charge.amounts.total,
      charge_date: charge.billing,
      change_until: lastMomentBefore(ctx, charge.billing),
      cancelling: cancellingOf(ctx, view),
      card: cardOf(view.method),
    };
  },
  letter(view, facts) {
    const { words, day, moment, product } = view;
    const texts = words.upcoming_charge;
    const { cancelling } = facts;
    const canCancel = canCancelNow(cancelling);
    const [sum, date, until] = [view.amountOf(facts), day(facts.charge_date), moment(facts.change_until)];
    return {
      subject: texts.subject(sum, date),
      intro: [
        texts.first(sum, date, product(facts.lines)),
        canCancel ? texts.next(until) : texts.nextUncancellable(until),
      ],
      facts: [
        { label: words.amount, value: sum },
        { label: words.nextCharge, value: date },
        { label: words.changesUntil, value: until },
        { label: words.items, value: listLines(facts.lines) },
        { label: words.frequency, value: view.frequency(facts.frequency) },
        dateRow(view, words.nextDelivery, facts.next_date),
        cardRow(view, facts.card),
        canCancel ? null : { label: words.cancelling, value: cancellingText(view, cancelling) },
      ],
      button: { text: canCancel ? texts.button : words.manageSubscription, url: facts.manage_url },
    };
  },
  sample: ({ subscription, chargeDate, changeUntil, cancelling, card }) => ({
    ...subscription,
    charge_date: chargeDate,
    change_until: changeUntil,
    cancelling,
    card,
  }),
};
