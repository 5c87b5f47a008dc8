import type { z } from "@hono/zod-openapi";
import { portalSettingsOf, requirePermission } from "../../../base/accounts/portal-settings.ts";
import { invalid } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { selectCatalogueItem } from "../../catalogue/queries.ts";
import type { CatalogueItem } from "../../catalogue/tables.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import { type Line, withoutPromises } from "../lines/amounts.ts";
import {
  type Contents,
  changeOfLines,
  exceedsOffer,
  type LineRefusal,
  notOffered,
  planForAdding,
  refusalToAdd,
  refusalToChangeQuantity,
  refusalToExceedOffer,
  refusalToRemove,
  refusalToSwap,
} from "../lines/line-choices.ts";
import { selectItemOfLine, selectPlansOnLines } from "../lines/line-plans.ts";
import { termsOf } from "../lines/lines.ts";
import type { OwnLineAdd, OwnLineChange } from "../lines/own-line-schemas.ts";
import type { SubscriptionView } from "../queries.ts";
import { linesOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";
import { type CommandWith, changeSubscription } from "./change-subscription.ts";
import { lineIn, linesDecision, type OfLine } from "./lines.ts";

/** Adds an item of the catalogue, at the catalogue's price and on the terms of the plan that the subscription has. */
export function addOwnLine(
  ctx: Ctx,
  { id, request }: CommandWith<z.output<typeof OwnLineAdd>>,
): Promise<SubscriptionView> {
  const { store_variant_id, quantity = 1, is_one_time: isOneTime = false } = request;
  requirePermission(ctx, "can_add");
  requireQuantity(ctx, quantity);
  const alongside = { items: selectCatalogueItem(ctx, store_variant_id), plans: selectPlansOnLines(ctx, id) };
  const options = { alongside, beforeCutoff: changeOfLines };
  return changeSubscription(ctx, id, options, ({ row }, { items: [item], plans }) => {
    if (!item) throw notOffered();
    const contents = contentsOf(ctx, row, plans);
    refuse(refusalToAdd(contents, item, isOneTime));
    const line: Line = {
      id: ctx.newId(),
      ...productOf(item),
      entity_id: row.entity_id,
      price: item.price,
      quantity,
      is_one_time: isOneTime,
      ...termsOf(planForAdding(contents, item, isOneTime)!),
    };
    return linesDecision(row, [...contents.lines, line]);
  });
}

/**
 * Changes how many of a line there are, at the line's own price, or swaps it for an item of the catalogue, at the catalogue's; its plan's terms
 * and the discounts on it stay. A line that is this item already is not swapped, and keeps its price. More than an accepted offer's price is for
 * are all at the catalogue's.
 */
export function changeOwnLine(
  ctx: Ctx,
  { id, lineId, request }: OfLine & CommandWith<z.output<typeof OwnLineChange>>,
): Promise<SubscriptionView> {
  const { store_variant_id: variantId, quantity } = request;
  if (variantId !== undefined) requirePermission(ctx, "can_swap");
  if (quantity !== undefined) requirePermission(ctx, "can_change_quantity");
  const items =
    variantId === undefined ? selectItemOfLine(ctx, id, lineId) : selectCatalogueItem(ctx, variantId);
  const options = { alongside: { items }, beforeCutoff: changeOfLines };
  return changeSubscription(ctx, id, options, ({ row }, { items: [item] }) => {
    const line = lineIn(row, lineId);
    const contents = contentsOf(ctx, row, []);
    if (quantity !== undefined && quantity !== line.quantity) requireQuantity(ctx, quantity);
    const isSwap = variantId !== undefined && variantId !== line.store_variant_id;
    if (isSwap) refuse(item ? refusalToSwap(contents, line, item) : notOffered());
    refuse(refusalToChangeQuantity(contents, line));
    const isMore = !isSwap && quantity !== undefined && exceedsOffer(line, quantity);
    if (isMore) refuse(refusalToExceedOffer(contents, line, item));
    const priced = item && (isSwap || isMore) ? repriced(line, item) : line;
    const product = item && isSwap ? productOf(item) : {};
    const changed = { ...priced, ...product, quantity: quantity ?? line.quantity };
    return linesDecision(
      row,
      contents.lines.map((one) => (one.id === lineId ? changed : one)),
    );
  });
}

/** Removes a line, but never the last recurring one. */
export function removeOwnLine(ctx: Ctx, { id, lineId }: OfLine): Promise<SubscriptionView> {
  const options = { needs: "can_remove", beforeCutoff: changeOfLines } as const;
  return changeSubscription(ctx, id, options, ({ row }) => {
    const contents = contentsOf(ctx, row, []);
    refuse(refusalToRemove(contents, lineIn(row, lineId)));
    return linesDecision(
      row,
      contents.lines.filter((line) => line.id !== lineId),
    );
  });
}

function contentsOf({ account }: Ctx, row: Subscription, plans: SellingPlan[]): Contents {
  return { row, lines: linesOf(row), plans, pricedIn: account.currency_code };
}

function refuse(refusal: LineRefusal): void {
  if (refusal) throw refusal;
}

function requireQuantity({ account }: Ctx, quantity: number): void {
  const { max_quantity } = portalSettingsOf(account);
  if (quantity > max_quantity)
    throw invalid([{ path: "quantity", message: `must be at most ${max_quantity}` }]);
}

function repriced(line: Line, { price }: CatalogueItem): Line {
  return { ...withoutPromises(line), price };
}

/** The product of a line. The catalogue has no stock-keeping units and no boxes. */
function productOf({ store_product_id, store_variant_id, product_title, variant_title }: CatalogueItem) {
  return {
    ...{ store_product_id, store_variant_id, product_title, variant_title },
    ...{ subscription_variant_id: null, sku: null, selection_items: null },
  };
}
