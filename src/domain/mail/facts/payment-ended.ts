import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { declineReasonOf } from "../../dunning/decline-reason.ts";
import { findEpisode } from "../../dunning/queries.ts";
import type { EventRow } from "../../events/queries.ts";
import type { SubscriptionStatus } from "../../subscriptions/tables.ts";
import type { FinalAction, MailFacts } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";
import { factsOfSubscription, readWithAttempt, subscriptionUrl } from "./subscription.ts";

/** The end of all retries; silence once the customer has come back. */
export async function preparePaymentEnded(ctx: Ctx, event: EventRow): Promise<MailFacts["payment_ended"]> {
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
}

/** The state that the account's setting leaves a subscription in, and the page of the portal that leads out of it. */
const ends: Record<FinalAction, { status: SubscriptionStatus; page: string }> = {
  fail: { status: "PAYMENT_FAILED", page: "/retry-payment" },
  pause: { status: "PAUSED", page: "/resume" },
  cancel: { status: "CANCELLED", page: "/reactivate" },
};
