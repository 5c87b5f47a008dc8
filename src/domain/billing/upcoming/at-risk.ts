import type { Ctx } from "../../../kit/context.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { projectUpcoming } from "./upcoming.ts";
import type { Prospect, UpcomingDelivery } from "./upcoming-steps.ts";

/** The next deliveries, with those marked that depend on a charge which the store refuses, or on a payment method that is not there. */
export function projectWithRisks(
  ctx: Ctx,
  prospect: Prospect & { view: SubscriptionView },
  count: number,
): UpcomingDelivery[] {
  const { row } = prospect.view;
  const projected = markUnchargeable(ctx, projectUpcoming(prospect, count), row.currency_code);
  return markWithoutMethod(prospect.view, projected);
}

/** Billing stands still at a charge that the store refuses for its amount: that cycle is at risk, and every later one. */
function markUnchargeable(
  { store }: Ctx,
  upcoming: UpcomingDelivery[],
  currency: string,
): UpcomingDelivery[] {
  const refused = upcoming.find(
    ({ isBilled, amounts }) => isBilled && store.whyNotChargeable?.(amounts.total, currency),
  );
  if (!refused) return upcoming;
  return upcoming.map((made) => (made.cycle < refused.cycle ? made : { ...made, isAtRisk: true }));
}

/** Nothing that is still to be charged is sure while there is no valid payment method. */
function markWithoutMethod(
  { method }: { method: { status: string } | undefined },
  upcoming: UpcomingDelivery[],
): UpcomingDelivery[] {
  const first = method?.status === "VALID" ? -1 : upcoming.findIndex(({ isBilled }) => isBilled);
  return first < 0
    ? upcoming
    : upcoming.map((made, nth) => (nth < first ? made : { ...made, isAtRisk: true }));
}
