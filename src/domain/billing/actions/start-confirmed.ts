import type { Ctx } from "../../../kit/context.ts";
import { isOver } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { BillingAttempt } from "../tables.ts";
import type { ConfirmedChallenge } from "./earlier-challenge.ts";
import { ownAmount } from "./record-success.ts";
import { type AttemptStart, startAttempt } from "./start.ts";

/** Whether the cycle that an expired challenge was for is the present one, which nothing has paid. */
export function isStillUnpaid(row: Subscription, { activation, cycle }: BillingAttempt): boolean {
  return row.activation === activation && row.current_billing_cycle === cycle && !isOver(row);
}

type Before = {
  /** The latest attempt at the cycle (`selectLatestAttempts`). */
  before: BillingAttempt | undefined;
  /** The attempt that the same batch withdraws, as the cycle is paid. */
  withdrawn: string | undefined;
};

/**
 * The attempt that records a challenge confirmed late. It has the store's reference of that charge, and orders what was frozen for
 * it, whatever the subscription has become since, unless the amount says otherwise. It is only looked up and never sent, so neither a crash nor a message
 * that comes twice can make a second charge of it.
 */
export function startConfirmed(
  ctx: Ctx,
  view: SubscriptionView,
  { expired, charge }: ConfirmedChallenge,
  { before, withdrawn }: Before,
): Promise<AttemptStart> {
  const figures = isChargedAsNow(view.row, { expired, charge }) ? undefined : expired;
  const earlier = { reference: charge.reference, figures };
  return startAttempt(ctx, view, { origin: "DUNNING", before, withdrawn, earlier });
}

/** A store that charges what its contract says may have charged what the subscription has become since. */
function isChargedAsNow(
  { total, currency_code }: Subscription,
  { expired, charge }: ConfirmedChallenge,
): boolean {
  if (charge.outcome !== "succeeded" || charge.currency_code !== currency_code) return false;
  const amount = ownAmount(charge);
  return amount !== expired.amount && amount === total;
}
