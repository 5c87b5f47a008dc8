import { deliveriesPerBilling } from "../../../../domain/subscriptions/dates/index.ts";
import type { ShownSubscription } from "../summary.ts";
import type { ListedDelivery } from "./next-dates.ts";

/** The charges that are coming at another amount than the one before each, as when a discount or the price of the first cycles ends. */
export function priceChanges(upcoming: ListedDelivery[]): ListedDelivery[] {
  const charges = upcoming.filter(({ is_billed }) => is_billed);
  return charges
    .filter(({ total }, index) => index > 0 && total !== charges[index - 1]?.total)
    .slice(0, mostChanges);
}

/** Changes of the amount that are told ahead. */
const mostChanges = 2;

/** The deliveries that a payment has paid for and that are still to come, and for how many one payment is; undefined where each is paid by itself. */
export function paidAhead(
  subscription: ShownSubscription,
  upcoming: ListedDelivery[],
): { left: number; of: number } | undefined {
  const of = deliveriesPerBilling(subscription);
  const charged = upcoming.findIndex(({ is_billed }) => is_billed);
  const left = charged === -1 ? upcoming.length : charged;
  return left === 0 && (of === 1 || charged === -1) ? undefined : { left, of };
}
