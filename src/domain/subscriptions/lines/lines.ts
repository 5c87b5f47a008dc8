import type { z } from "@hono/zod-openapi";
import { minorOf } from "../../../base/amounts.ts";
import { invalid } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import type { Subscription } from "../tables.ts";
import { calculateAmounts, type Discount, type Line, shippingOf } from "./amounts.ts";
import type { AddedLine } from "./line-schemas.ts";

type LineInput = z.output<typeof AddedLine>;

/** The terms that a line takes from its plan and keeps. */
export function termsOf(
  plan: SellingPlan,
): Pick<Line, "selling_plan_id" | "selling_plan_name" | "plan_shipping" | "plan_discount"> {
  return {
    selling_plan_id: plan.id,
    selling_plan_name: plan.name,
    plan_shipping: plan.shipping_amount,
    plan_discount:
      plan.discount_type === null || plan.discount_value === null
        ? null
        : { type: plan.discount_type, value: plan.discount_value },
  };
}

export function parseItems(
  items: LineInput["selection_items"],
  currency: string,
  path: string,
): Line["selection_items"] {
  return (
    items?.map((item, index) => ({
      ...item,
      variant_title: item.variant_title ?? null,
      price: minorOf(item.price, currency, `${path}selection_items.${index}.price`),
    })) ?? null
  );
}

/** The line of a request as it is stored. `path` is its place in the request, for error messages about its amounts. */
export function newLine(
  ctx: Ctx,
  input: LineInput,
  { plan, entityId, currency }: { plan: SellingPlan; entityId: string | null; currency: string },
  path = "",
): Line {
  return {
    id: ctx.newId(),
    store_product_id: input.store_product_id,
    store_variant_id: input.store_variant_id,
    subscription_variant_id: input.subscription_variant_id ?? null,
    product_title: input.product_title,
    variant_title: input.variant_title ?? null,
    sku: input.sku ?? null,
    entity_id: entityId,
    price: minorOf(input.price, currency, `${path}price`),
    quantity: input.quantity,
    selection_items: parseItems(input.selection_items, currency, path),
    is_one_time: input.is_one_time ?? false,
    ...termsOf(plan),
  };
}

type Priced = Pick<
  Subscription,
  "lines" | "discounts" | "subtotal" | "discount_amount" | "shipping_amount" | "tax_amount" | "total"
>;

/** The columns for lines and discounts with their amounts, always written together. Throws VALIDATION_FAILED for too large ones. */
export function pricedColumns(lines: Line[], discounts: Discount[], tax = 0): Priced {
  requireExact(lines);
  const { lines: _byLine, ...amounts } = calculateAmounts(lines, discounts, shippingOf(lines), tax);
  const columns = { lines: JSON.stringify(lines), discounts: JSON.stringify(discounts) };
  requireStorable(lines, columns);
  return { ...columns, ...amounts };
}

/** Throws VALIDATION_FAILED for amounts that the currency does not have. */
export function requireMoney(
  currency: string,
  { price, selection_items }: { price?: number | undefined; selection_items?: LineInput["selection_items"] },
  path = "",
): void {
  if (price !== undefined) minorOf(price, currency, `${path}price`);
  parseItems(selection_items, currency, path);
}

/**
 * Throws VALIDATION_FAILED for a plan whose terms are amounts of another currency than the subscription's: plans are priced in the
 * account's.
 */
export function requirePricedIn(
  currency: string,
  { account }: Ctx,
  { discount_type, shipping_amount }: SellingPlan,
): void {
  if (currency === account.currency_code) return;
  if (discount_type !== "FIXED_AMOUNT" && shipping_amount === 0) return;
  throw invalid([
    {
      path: "selling_plan_id",
      message: `has amounts in ${account.currency_code}, and the subscription is in ${currency}`,
    },
  ]);
}

/** Sums below this are exact; no order comes near. */
const largestSum = 1_000_000_000_000_000;

/** Bytes of lines and discounts, which are read with every list, and stored twice in the entry of a change. */
const largestText = 100_000;
const mostLines = 100;

function requireStorable(lines: Line[], stored: Pick<Priced, "lines" | "discounts">): void {
  if (lines.length > mostLines) throw invalid([{ path: "lines", message: `must be at most ${mostLines}` }]);
  const bytes = new TextEncoder().encode(stored.lines + stored.discounts).byteLength;
  if (bytes > largestText)
    throw invalid([{ path: "lines", message: "are more than a subscription can hold" }]);
}

function requireExact(lines: Line[]): void {
  const sum = lines.reduce((whole, { price, quantity }) => whole + price * quantity, 0);
  if (sum > largestSum) throw invalid([{ path: "lines", message: "add up to more than an order can be" }]);
}
