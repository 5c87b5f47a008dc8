import type { z } from "@hono/zod-openapi";
import { minorOf } from "../../../base/amounts.ts";
import { DomainError, notFound } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseReduction } from "../../selling-plans/rules.ts";
import { requireAllowed } from "../lifecycle.ts";
import type { Discount } from "../lines/amounts.ts";
import type { DiscountCreate } from "../lines/discount-schemas.ts";
import { pricedColumns } from "../lines/lines.ts";
import type { ActivityEntry } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { discountsOf, linesOf } from "../row-codec.ts";
import { type Command, type CommandWith, changeSubscription } from "./change-subscription.ts";

export function applyDiscount(
  ctx: Ctx,
  { id, request: input, ...command }: CommandWith<z.output<typeof DiscountCreate>>,
): Promise<SubscriptionView> {
  return changeSubscription(ctx, id, command, ({ row }) => {
    const { value_type, max_amount } = input;
    const value = parseReduction(value_type, input.value, row.currency_code, "value");
    const bound =
      max_amount == null ? {} : { max_amount: minorOf(max_amount, row.currency_code, "max_amount") };
    requireAllowed("change", row, "apply a discount");
    const discountId = ctx.newId();
    const discount: Discount = {
      id: discountId,
      status: "ACTIVE",
      discount_code: input.discount_code ?? null,
      title: input.title,
      reduction: { type: value_type, value },
      ...bound,
      store_discount_id: discountId,
      target_type: input.target_type,
      recurring_cycle_limit: input.recurring_cycle_limit ?? null,
      cycles_used: 0,
      applied_at: ctx.now,
      exhausted_at: null,
      removed_at: null,
      created_at: ctx.now,
      updated_at: ctx.now,
    };
    return {
      entry: { action: "discount_applied", metadata: { discount_id: discountId, title: input.title } },
      columns: pricedColumns(linesOf(row), [...discountsOf(row), discount], row.tax_amount),
    };
  });
}

export function removeDiscount(
  ctx: Ctx,
  { id, discountId }: Command & { discountId: string },
): Promise<SubscriptionView> {
  return changeSubscription(ctx, id, {}, ({ row }) => {
    const discounts = discountsOf(row);
    const found = discounts.find((discount) => discount.id === discountId);
    if (!found) throw notFound("Discount");
    requireAllowed("change", row, "remove a discount");
    if (found.status === "REMOVED") return undefined;
    const removed: Discount = { ...found, status: "REMOVED", removed_at: ctx.now, updated_at: ctx.now };
    const after = discounts.map((discount) => (discount.id === discountId ? removed : discount));
    return {
      entry: { action: "discount_removed", metadata: { discount_id: discountId, title: found.title } },
      columns: pricedColumns(linesOf(row), after, row.tax_amount),
    };
  });
}

/** Removes the discounts of a title that still count. Throws INVALID_STATE where there is none. */
export function removeDiscountsByTitle(
  ctx: Ctx,
  { id, request: { title } }: CommandWith<{ title: string }>,
): Promise<SubscriptionView> {
  return changeSubscription(ctx, id, {}, ({ row }) => {
    requireAllowed("change", row, "remove a discount");
    const discounts = discountsOf(row);
    const found = discounts.filter((each) => each.status === "ACTIVE" && each.title === title);
    if (found.length === 0)
      throw new DomainError("INVALID_STATE", `Subscription ${row.number} has no active discount "${title}"`);
    const removed = { status: "REMOVED", removed_at: ctx.now, updated_at: ctx.now } as const;
    const after = discounts.map((each) => (found.includes(each) ? { ...each, ...removed } : each));
    const [entry, ...ownEntries] = found.map(
      ({ id: discount_id }): ActivityEntry => ({
        action: "discount_removed",
        metadata: { discount_id, title },
      }),
    );
    return { entry: entry!, ownEntries, columns: pricedColumns(linesOf(row), after, row.tax_amount) };
  });
}
