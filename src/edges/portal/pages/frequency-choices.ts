import { divideInterval } from "../../../base/lib/time/intervals.ts";
import { deliveriesPerBilling } from "../../../domain/subscriptions/dates/index.ts";
import type { Choice } from "./inputs.ts";
import { frequencyOf, type ShownSubscription } from "./summary.ts";
import type { OperationAnswer, SignedIn } from "./visit.ts";

type Shop = OperationAnswer<{ id: "getOwnShop" }>["data"];

/** The frequencies that a subscription can have at this shop, its own among them. One alone is no choice. */
export function frequencyChoices(
  visit: SignedIn,
  subscription: ShownSubscription,
  { frequencies }: Pick<Shop, "frequencies">,
): Choice[] {
  const now = frequencyValue(subscription);
  const deliveries = deliveriesPerBilling(subscription);
  const others = frequencies
    .filter(({ interval: unit, interval_count: count }) => divideInterval({ unit, count }, deliveries))
    .map(
      ({ interval, interval_count }): Choice => [
        `${interval}-${interval_count}`,
        visit.texts.every(interval, interval_count),
      ],
    );
  return others.some(([value]) => value === now)
    ? others
    : [[now, frequencyOf(visit, subscription)] as Choice, ...others];
}

/** The subscription's own frequency, as a form has it. */
export function frequencyValue({ billing_interval, billing_interval_count }: ShownSubscription): string {
  return `${billing_interval}-${billing_interval_count}`;
}
