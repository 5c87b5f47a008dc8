import { diff, type FieldChange } from "../../base/lib/diff.ts";
import { toMajor } from "../../base/lib/money.ts";
import { presentDiscount, presentLinesAlone } from "./present.ts";
import { deliveryAddressOf, discountsOf, linesOf } from "./row-codec.ts";
import type { Subscription } from "./tables.ts";

/** The columns that differ, as the API would show them; without those of which it shows no difference. */
export function readableChanges(
  row: Subscription,
  after: Partial<Subscription>,
): Record<string, FieldChange> {
  return Object.fromEntries(
    Object.entries(diff(row, after))
      .filter(([field]) => !internal.has(field))
      .map(([field, { from, to }]): [string, FieldChange] => [
        field,
        { from: readable(field, from, row.currency_code), to: readable(field, to, row.currency_code) },
      ])
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  );
}

const amounts = new Set([
  "subtotal",
  "discount_amount",
  "shipping_amount",
  "tax_amount",
  "total",
  "total_revenue",
]);

/** Columns that the API does not show, and last_order_id: the entry of the charge is about the order. */
const internal = new Set([
  "anchor_date",
  "anchor_day",
  "next_index",
  "next_billed_index",
  "scheduled_index",
  "scheduled_delivery_date",
  "schedule_revision",
  "activation",
  "former_contract_id",
  "search_text",
  "open_attempt_id",
  "last_order_id",
  "billing_waiting_since",
  "billing_wait_count",
  "billing_retry_at",
  "disputed_at",
]);

function readable(field: string, value: unknown, currency: string): unknown {
  if (amounts.has(field)) return toMajor(value as number, currency);
  if (typeof value !== "string") return value;
  if (field === "lines") return presentLinesAlone(linesOf({ lines: value }), currency);
  if (field === "discounts")
    return discountsOf({ discounts: value }).map((each) => presentDiscount(each, currency));
  return field === "delivery_address" ? deliveryAddressOf({ delivery_address: value }) : value;
}
