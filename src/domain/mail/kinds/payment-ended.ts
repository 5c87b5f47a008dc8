import { eventTypes } from "../../../base/event-types.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { type DeclineReason, declineReasonOf } from "../../dunning/decline-reason.ts";
import { findEpisode } from "../../dunning/queries.ts";
import type { SubscriptionStatus } from "../../subscriptions/tables.ts";
import { SilenceError } from "../facts/silence.ts";
import { factsOfSubscription, readWithAttempt, subscriptionUrl } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { FinalAction, OfSubscription } from "../render/facts.ts";
import type { Button } from "../render/letter.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { listLines, type View } from "../render/view.ts";

type Facts = OfSubscription & {
  ended_at: Instant;
  reason: DeclineReason;
  final_action: FinalAction;
  /** The page where the customer pays (fail), resumes (pause) or starts again (cancel). */
  return_url: string;
};

/** The end of all retries; silence once the customer has come back. */
export const paymentEnded: MailKindDefinition<"payment_ended", Facts> = {
  name: "payment_ended",
  description: "All retries of a payment have failed: what happens now.",
  events: [eventTypes.dunning_exhausted],
  placeholders: {
    ...subscriptionPlaceholders,
    reason: ({ words }, { reason }) => words.reasons[reason],
  },
  async prepare(ctx, event): Promise<Facts> {
    const { dunning_episode_id: id, final_action } = parseStored(event.metadata) ?? {};
    const action = (final_action ?? ctx.account.dunning_final_action) as FinalAction;
    const episode = typeof id === "string" ? await findEpisode(ctx, id) : undefined;
    const { prospect, attempt } = await readWithAttempt(ctx, event.loggable_id);
    const { view } = prospect;
    const { status, page } = ends[action];
    if (view.row.status !== status) throw new SilenceError("outdated");
    return {
      ...factsOfSubscription(ctx, prospect),
      amount: attempt?.amount ?? view.row.total,
      ended_at: event.created_at,
      reason: declineReasonOf(episode?.last_error_code ?? null, false),
      final_action: action,
      return_url: subscriptionUrl(ctx, view.row.id, page),
    };
  },
  letter(view, facts) {
    const { words, dayOf, product } = view;
    const texts = words.payment_ended;
    const { final_action: action } = facts;
    const sum = view.amountOf(facts);
    const reason = words.reasons[facts.reason];
    return {
      subject: texts.subject[action](sum),
      intro: [texts.first(sum, dayOf(facts.ended_at), product(facts.lines), reason), texts.now[action]],
      facts: [
        { label: words.amount, value: sum },
        { label: words.items, value: listLines(facts.lines) },
        { label: words.status, value: words.statuses[ends[action].status] },
      ],
      button: { text: returnText(view, action), url: facts.return_url },
    };
  },
  sample: ({ subscription, page, now }, ctx) => ({
    ...subscription,
    ended_at: now,
    reason: "declined",
    final_action: ctx.account.dunning_final_action,
    return_url: page,
  }),
};

/** The state that the account's setting leaves a subscription in, and the page of the portal that leads out of it. */
const ends: Record<FinalAction, { status: SubscriptionStatus; page: string }> = {
  fail: { status: "PAYMENT_FAILED", page: "/retry-payment" },
  pause: { status: "PAUSED", page: "/resume" },
  cancel: { status: "CANCELLED", page: "/reactivate" },
};

function returnText({ words }: View, action: FinalAction): Button["text"] {
  return { fail: words.payNow, pause: words.resume, cancel: words.startAgain }[action];
}
