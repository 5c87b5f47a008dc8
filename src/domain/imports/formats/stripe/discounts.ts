import type { ErrorDetail } from "../../../../base/errors.ts";
import { toDay } from "../../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../../base/lib/time/dates.ts";
import { dayMs } from "../../../../base/lib/time/durations.ts";
import type { Interval } from "../../../../base/lib/time/intervals.ts";
import { stripeExponentOf } from "../../../../stores/stripe-decimals.ts";
import { deliveryOf } from "../../../subscriptions/dates/index.ts";
import { memberAt } from "../columns.ts";

/** The charges to come that a discount may last for: the anchor that they count from, the next one in seconds since 1970, and the interval. */
export type Charges = {
  anchor: CalendarDate;
  anchorDay: number | null;
  next: number;
  interval: Interval;
};

type Terms = { fields: Record<string, unknown>; faults: ErrorDetail[] };

const none: Terms = { fields: {}, faults: [] };

/**
 * The discount of a subscription: its own, else its customer's. A row has room for one, on the order as a whole; that of an item is so where
 * the item is the only one. It has to be there with its coupon, and its coupon's end has to be certain.
 */
export function discountOf(
  object: Record<string, unknown>,
  { currency, charges }: { currency: string; charges: Charges | undefined },
): Terms {
  const items = memberAt(object, "items", "data") as unknown[];
  const ofItems = items.flatMap((item) => listed(memberAt(item, "discounts")));
  if (ofItems.length > 0 && items.length > 1)
    return refused(
      "items.discounts",
      "are those of one item among others: add discount_type and discount_value, or price",
    );
  const own = [...ofSubscription(object), ...ofItems];
  const [one, ...more] = own.length > 0 ? own : listed(memberAt(object, "customer", "discount"));
  const path = ofItems.length > 0 ? "items.discounts" : own.length > 0 ? "discounts" : "customer.discount";
  if (one === undefined) return none;
  if (more.length > 0)
    return refused(path, "are several, and only one can be taken over: add discount_type and discount_value");
  const coupon = memberAt(one, "coupon") ?? memberAt(one, "source", "coupon");
  if (typeof coupon !== "object" || coupon === null) return refused(path, notExpanded);
  const left = cyclesLeft(coupon, memberAt(one, "end"), charges);
  if (left === undefined) return refused(path, "does not say for how many more charges it lasts");
  const reduction = reductionOf(coupon, currency);
  if (!reduction) return refused(path, `takes off no percentage, and no amount of ${currency.toUpperCase()}`);
  return left === 0 ? none : { fields: { ...reduction, discount_cycles_left: left }, faults: [] };
}

const notExpanded =
  "are ids without their coupons: list the subscriptions with expand[]=data.discounts.source.coupon";

/** Older versions of the API have one discount as an object, some of them with its id in the list besides. */
function ofSubscription({ discount, discounts }: Record<string, unknown>): unknown[] {
  const all = [...listed(discount), ...listed(discounts)];
  const id = memberAt(discount, "id");
  return all.filter(
    (one) => one === discount || id === undefined || (one !== id && memberAt(one, "id") !== id),
  );
}

function listed(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** For how many more charges a discount lasts: null for ever, undefined where nobody can tell. One for a single charge may have had it. */
function cyclesLeft(coupon: object, end: unknown, charges: Charges | undefined): number | null | undefined {
  const duration = memberAt(coupon, "duration");
  if (duration === "forever") return null;
  if (duration !== "repeating" || typeof end !== "number" || !charges) return undefined;
  const { next, ...counted } = charges;
  const schedule = { ...counted, rhythm: undefined };
  const timeOfDay = (next * 1000) % dayMs;
  let count = 0;
  for (let n = 0; n < mostCharges; n++) {
    const at = (toDay(deliveryOf(schedule, n)) * dayMs + timeOfDay) / 1000;
    if (at >= end) return count;
    if (at >= next) count++;
  }
  return undefined;
}

/** Three decades of daily charges. */
const mostCharges = 11_000;

function reductionOf(coupon: object, currency: string) {
  const percent = memberAt(coupon, "percent_off");
  if (typeof percent === "number") return { discount_type: "PERCENTAGE", discount_value: percent };
  const amount =
    memberAt(coupon, "currency") === currency
      ? memberAt(coupon, "amount_off")
      : memberAt(coupon, "currency_options", currency, "amount_off");
  if (typeof amount !== "number") return undefined;
  const discount_value = amount / 10 ** stripeExponentOf(currency.toUpperCase());
  return { discount_type: "FIXED_AMOUNT", discount_value };
}

function refused(path: string, message: string): Terms {
  return { fields: {}, faults: [{ path, message }] };
}
