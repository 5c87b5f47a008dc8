import { eventTypes } from "../../../base/event-types.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { type DeclineReason, declineReasonOf } from "../../dunning/decline-reason.ts";
import { findEpisode } from "../../dunning/queries.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import { SilenceError } from "../facts/silence.ts";
import { cardOf, factsOfSubscription, readWithAttempt, subscriptionUrl } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Card, FinalAction, OfSubscription } from "../render/facts.ts";
import type { LetterRow } from "../render/letter.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { cardRow, listLines, type View } from "../render/view.ts";

type Facts = OfSubscription & {
  failed_at: Instant;
  reason: DeclineReason;
  card: Card | null;
  /** When the payment is tried again by itself; null if it is not, or billing waits for the shop. */
  next_try: Instant | null;
  /** When the last try or the customer's time comes; null while billing waits for the shop. */
  ends_at: Instant | null;
  /** The account's setting for a payment that is not made by then. */
  final_action: FinalAction;
  /** The page where the customer pays, or chooses another payment method. */
  pay_url: string;
};

/** A payment that is owed; silence once it was paid or is no longer to be, or where the store asks for another payment method itself. */
export const paymentFailed: MailKindDefinition<"payment_failed", Facts> = {
  name: "payment_failed",
  description: "A failed payment, when it is tried again, and where to pay.",
  /** The second does for the account's setting `notify_every_retry` alone, while dunning goes on: the first failure and the last have their own. */
  events: [eventTypes.dunning_started, eventTypes.billing_failed],
  placeholders: {
    ...subscriptionPlaceholders,
    reason: ({ words }, { reason }) => words.reasons[reason],
    next_try: ({ dayOf }, { next_try }) => next_try && dayOf(next_try),
  },
  async prepare(ctx, event): Promise<Facts> {
    const id = parseStored(event.metadata)?.dunning_episode_id;
    const episode = typeof id === "string" ? await findEpisode(ctx, id) : undefined;
    if (!episode || !["OPEN", "AWAITING_CUSTOMER"].includes(episode.status))
      throw new SilenceError("outdated");
    if (episode.status === "AWAITING_CUSTOMER" && storeAsks(ctx)) throw new SilenceError("store_sends");
    const { prospect, attempt } = await readWithAttempt(ctx, event.loggable_id);
    const { view } = prospect;
    const isWaiting = episode.due_at === null;
    return {
      ...factsOfSubscription(ctx, prospect),
      amount: attempt?.amount ?? view.row.total,
      failed_at: event.created_at,
      reason: declineReasonOf(episode.last_error_code, isWaiting),
      card: cardOf(view.method),
      next_try: episode.status === "OPEN" ? episode.due_at : null,
      ends_at: isWaiting ? null : endOf(episode),
      final_action: ctx.account.dunning_final_action,
      pay_url: subscriptionUrl(ctx, view.row.id, isWaiting ? "" : pages[episode.status]),
    };
  },
  letter(view, facts) {
    const { words, dayOf, product } = view;
    const texts = words.payment_failed;
    const sum = view.amountOf(facts);
    const { subject, next } = nextStepOf(view, facts, sum);
    const reason = words.reasons[facts.reason];
    return {
      subject,
      intro: [words.why.failedOn(sum, dayOf(facts.failed_at), product(facts.lines), reason), next],
      facts: [
        { label: words.amount, value: sum },
        { label: words.items, value: listLines(facts.lines) },
        cardRow(view, facts.card),
        facts.next_try === null ? null : { label: words.nextTry, value: dayOf(facts.next_try) },
        unpaidRow(view, facts),
      ],
      button: { text: payText(view, facts), url: facts.pay_url },
      closing: facts.ends_at === null ? [] : [texts.alreadyPaid],
    };
  },
  sample: ({ subscription, card, page, now }, ctx) => ({
    ...subscription,
    failed_at: now,
    reason: "funds",
    card,
    next_try: later(now, dayMs),
    ends_at: later(now, 7 * dayMs),
    final_action: ctx.account.dunning_final_action,
    pay_url: page,
  }),
};

/** The page of the portal that mends the payment; while billing waits for the shop there is nothing to mend. */
const pages: Partial<Record<DunningEpisode["status"], string>> = {
  OPEN: "/retry-payment",
  AWAITING_CUSTOMER: "/payment-method",
};

/** Whether the store writes to the customer itself, with a link to another payment method, after a decline for good. */
function storeAsks({ account, store }: Ctx): boolean {
  return account.notify_payment_update === 1 && store.askForPaymentMethod !== undefined;
}

/** The last of the days on which the payment is tried, or the customer's time ends. */
function endOf({ retries_from, retry_days }: DunningEpisode): string {
  const last = (JSON.parse(retry_days) as number[]).at(-1) ?? 0;
  return later(retries_from, last * dayMs);
}

/** When it is tried again, or until when the customer has to act; while billing waits for the shop, neither. */
function nextStepOf(
  { words: { payment_failed: texts }, dayOf }: View,
  facts: Facts,
  sum: string,
): { subject: string; next: string } {
  const { next_try, ends_at } = facts;
  if (next_try !== null)
    return { subject: texts.subjectRetry(sum, dayOf(next_try)), next: texts.retry(dayOf(next_try)) };
  if (ends_at !== null) {
    const until = dayOf(ends_at);
    const next = isMethodAtFault(facts) ? texts.change(until) : texts.act(until);
    return { subject: texts.subjectAct(sum, until), next };
  }
  return { subject: texts.subjectShop(sum), next: texts.shop };
}

function unpaidRow({ words, dayOf }: View, { ends_at, final_action }: Facts): LetterRow | null {
  if (ends_at === null) return null;
  return { label: words.ifUnpaid, value: words.payment_failed.ifUnpaid[final_action](dayOf(ends_at)) };
}

function payText({ words }: View, facts: Facts): string {
  if (facts.ends_at === null) return words.manageSubscription;
  return isMethodAtFault(facts) ? words.changePayment : words.payNow;
}

/** A payment method that was declined for good cannot pay now. */
function isMethodAtFault({ next_try, reason }: Facts): boolean {
  return next_try === null && reason !== "unconfirmed" && reason !== "stock";
}
