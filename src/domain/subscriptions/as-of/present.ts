import type { z } from "@hono/zod-openapi";
import { toMajor } from "../../../base/lib/money.ts";
import { dayOfWeek } from "../../../base/lib/time/calendar.ts";
import { frequencyLabel, type IntervalUnit } from "../../../base/lib/time/intervals.ts";
import { readJson } from "../../../kit/http/json-text.ts";
import { type Discount, takeDiscounts } from "../lines/amounts.ts";
import { presentLinesAlone, presentSubscription } from "../present.ts";
import type { SubscriptionView } from "../queries.ts";
import { discountsOf, linesOf } from "../row-codec.ts";
import type { SubscriptionAsOf } from "../schemas.ts";
import { notRecorded } from "./not-recorded.ts";
import type { LaterEntry } from "./queries.ts";
import { minorIn, type ShownFields, walkBack } from "./walk-back.ts";

type Answer = z.input<typeof SubscriptionAsOf>;

/** A subscription as it was at an instant: a field that the history does not say is null, and named. */
export function presentAsOf(view: SubscriptionView, entries: LaterEntry[], as_of: string): Answer {
  const now: ShownFields = readJson(presentSubscription(view));
  const { row } = view;
  const currency = row.currency_code;
  const walked = walkBack({ ...now, lines: presentLinesAlone(linesOf(row), currency) }, entries, currency);
  const not_recorded = Object.keys(now).filter(isNotRecorded);
  const fields = Object.keys(now).map((name) => [name, isNotRecorded(name) ? null : (walked[name] ?? null)]);
  const data = { ...Object.fromEntries(fields), ...deriveFrom(walked, discountsOf(row), currency) };
  return { data, meta: { as_of, not_recorded } };
}

function isNotRecorded(name: string): boolean {
  return (notRecorded as readonly string[]).includes(name);
}

/** The fields that follow from others. */
function deriveFrom(fields: ShownFields, held: Discount[], currency: string): ShownFields {
  const { status, next_billing_date, billing_interval, billing_interval_count } = fields;
  const discounts = fields.discounts as ShownDiscount[];
  return {
    is_active: status === "ACTIVE",
    is_in_dunning: (fields.current_dunning_episode ?? null) !== null,
    frequency_label: frequencyLabel({
      unit: billing_interval as IntervalUnit,
      count: billing_interval_count as number,
    }),
    payment_day_of_week: typeof next_billing_date === "string" ? dayOfWeek(next_billing_date) : null,
    has_shipping_discount: discounts.some((one) => one.is_active && one.is_shipping_discount),
    lines: withShares(
      fields.lines as ShownLine[],
      discounts,
      held,
      fields.shipping_amount as number,
      currency,
    ),
  };
}

type ShownLine = { id: string; line_total: number; discount_amount: number };
type ShownDiscount = Pick<Discount, "id" | "status" | "target_type"> & {
  value: number;
  value_type: "PERCENTAGE" | "FIXED_AMOUNT";
  max_amount: number | null;
  is_active: boolean;
  is_shipping_discount: boolean;
};

/** The lines with their shares of the discounts of then: the history has them with the discounts of their plans alone. */
function withShares(
  lines: ShownLine[],
  discounts: ShownDiscount[],
  held: Discount[],
  shipping: number,
  currency: string,
): ShownLine[] {
  const minor = (amount: number) => minorIn(currency, amount);
  const priced = lines.map(({ id, line_total, discount_amount }) => ({
    id,
    line_total: minor(line_total),
    discount_amount: minor(discount_amount),
  }));
  const counting = discounts.map((one) => reduce(one, held, minor));
  const shares = takeDiscounts(priced, counting, minor(shipping)).priced;
  return lines.map((line, nth) => ({
    ...line,
    discount_amount: toMajor(shares[nth]?.discount_amount ?? 0, currency),
  }));
}

type Counting = Parameters<typeof takeDiscounts>[1][number];

/** A discount as it is counted. Which lines it is for never changes, and is not shown. */
function reduce(
  { id, status, target_type, value, value_type: type, max_amount }: ShownDiscount,
  held: Discount[],
  minor: (amount: number) => number,
): Counting {
  const line_ids = held.find((one) => one.id === id)?.line_ids;
  return {
    status,
    target_type,
    reduction: { type, value: type === "PERCENTAGE" ? Math.round(value * 100) : minor(value) },
    ...(max_amount === null ? {} : { max_amount: minor(max_amount) }),
    ...(line_ids ? { line_ids } : {}),
  };
}
