import { eventTypes } from "../../../base/event-types.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import { challengeEnd } from "../../billing/challenge.ts";
import { SilenceError } from "../facts/silence.ts";
import { factsOfSubscription, readWithAttempt } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { OfSubscription } from "../render/facts.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { listLines } from "../render/view.ts";

type Facts = OfSubscription & { confirm_url: string; expires_at: Instant };

/** A payment that waits for its customer, where the store has it confirmed now; silence once it is confirmed or its time is over. */
export const confirmPayment: MailKindDefinition<"confirm_payment", Facts> = {
  name: "confirm_payment",
  description: "A payment to confirm, and where to do so.",
  events: [eventTypes.billing_action_required],
  placeholders: subscriptionPlaceholders,
  async prepare(ctx, event): Promise<Facts> {
    const { prospect, attempt } = await readWithAttempt(ctx, event.loggable_id);
    const expires_at = attempt ? challengeEnd(attempt) : null;
    const url = attempt?.next_action_url ?? null;
    if (!attempt || url === null || expires_at === null || expires_at <= ctx.now)
      throw new SilenceError("outdated");
    return {
      ...factsOfSubscription(ctx, prospect),
      amount: attempt.amount,
      currency_code: attempt.currency_code,
      confirm_url: url,
      expires_at,
    };
  },
  letter(view, facts) {
    const { words, dayOf, moment, product } = view;
    const texts = words.confirm_payment;
    const [sum, until] = [view.amountOf(facts), moment(facts.expires_at)];
    return {
      subject: texts.subject(sum, dayOf(facts.expires_at)),
      intro: [texts.first(sum, until, product(facts.lines)), texts.next],
      facts: [
        { label: words.amount, value: sum },
        { label: words.confirmUntil, value: until },
        { label: words.items, value: listLines(facts.lines) },
      ],
      button: { text: words.confirmPayment, url: facts.confirm_url || facts.manage_url },
      closing: [texts.already],
    };
  },
  sample: ({ subscription, page, now }) => ({
    ...subscription,
    confirm_url: page,
    expires_at: later(now, 72 * hourMs),
  }),
};
