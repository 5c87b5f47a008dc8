import { later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { declineReasonOf } from "../../dunning/decline-reason.ts";
import { findEpisode } from "../../dunning/queries.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import type { EventRow } from "../../events/queries.ts";
import type { MailFacts } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";
import { cardOf, factsOfSubscription, readWithAttempt, subscriptionUrl } from "./subscription.ts";

/** A payment that is owed; silence once it was paid or is no longer to be, or where the store asks for another payment method itself. */
export async function preparePaymentFailed(ctx: Ctx, event: EventRow): Promise<MailFacts["payment_failed"]> {
  const id = parseStored(event.metadata)?.dunning_episode_id;
  const episode = typeof id === "string" ? await findEpisode(ctx, id) : undefined;
  if (!episode || !["OPEN", "AWAITING_CUSTOMER"].includes(episode.status)) throw new SilenceError("outdated");
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
}

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
