import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { build, first, type Params, prepare } from "../../../base/db/statement.ts";
import { dateIn } from "../../../base/lib/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { MadeCharge } from "../../../stores/port.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { isOver } from "../../subscriptions/lifecycle.ts";
import { type Part, withResult } from "../../subscriptions/part.ts";
import { type Subscription, subscriptions } from "../../subscriptions/tables.ts";
import { chargeAttempt } from "../actions/charge.ts";
import { startAttempt } from "../actions/start.ts";
import { recordTries } from "../actions/tries.ts";
import { findAttempt, latestAttempts } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";

/**
 * Records a charge that the database does not know, for example after a restore. If its key is that of the subscription's next
 * attempt, it creates that attempt with the store's reference. An attempt with a reference is never sent, only looked up, so this
 * cannot charge; the store's answer is recorded like any other. Undefined if the key belongs to no possible next attempt.
 */
export async function recordMissing(ctx: Ctx, charge: MadeCharge): Promise<BillingAttempt | undefined> {
  const subscriptionId = charge.subscription_id ?? (await findSubscriptionOf(ctx, charge.store_contract_id));
  if (subscriptionId === undefined) return undefined;
  const { result: id } = await changeSubscription(
    ctx,
    subscriptionId,
    { alongside: { latest: latestAttempts(ctx, [subscriptionId]) }, tries: recordTries },
    async (view, { latest: [before] }): Promise<Part<string> | undefined> => {
      const { row } = view;
      if (row.store_contract_id === null || row.open_attempt_id !== null || isOver(row)) return undefined;
      const start = await startAttempt(ctx, view, {
        origin: isScheduled(ctx, row, charge) ? "RECURRING" : "SHIP_NOW",
        sentBefore: { reference: charge.reference, at: charge.created_at },
        before,
      });
      if (start.result.store_key !== charge.key) return undefined;
      return withResult({ ...start, jobs: [] }, start.result.id);
    },
  );
  if (id === undefined) return undefined;
  await chargeAttempt(ctx, id);
  return findAttempt(ctx, id);
}

/** Whether the cycle was due when it was charged; an earlier charge was a ship-now. */
function isScheduled(
  { account }: Ctx,
  { next_billing_date }: Subscription,
  { created_at }: MadeCharge,
): boolean {
  return next_billing_date !== null && next_billing_date <= dateIn(created_at, account.timezone);
}

async function findSubscriptionOf(ctx: Ctx, contract: number | null): Promise<string | undefined> {
  if (contract === null) return undefined;
  return (await first(ctx.db, ofContract({ account_seq: ctx.account.seq, contract })))?.id;
}

const ofContract = prepare((p: Params<{ account_seq: AccountSeq; contract: number }>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_seq, p("account_seq")),
        eq(subscriptions.store_contract_id, p("contract")),
      ),
    ),
);
