import type { z } from "@hono/zod-openapi";
import { minorOf } from "../../../base/amounts.ts";
import { invalid, notFound } from "../../../base/errors.ts";
import { definedFields } from "../../../base/lib/defined-fields.ts";
import type { Ctx } from "../../../kit/context.ts";
import { requireEntities, selectNamedEntities } from "../../entities/queries.ts";
import { requireSellingPlans, selectNamedPlans } from "../../selling-plans/queries.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import { readKnownPrice, withFullPrice } from "../bounds/support-price.ts";
import { requireAllowed } from "../lifecycle.ts";
import { type Line, withoutPromises } from "../lines/amounts.ts";
import { changeOfLines, refusalOfLast } from "../lines/line-choices.ts";
import type { AddedLine, LineChange } from "../lines/line-schemas.ts";
import {
  newLine,
  parseItems,
  pricedColumns,
  requireMoney,
  requirePricedIn,
  termsOf,
} from "../lines/lines.ts";
import type { Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { discountsOf, linesOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";
import { type Command, type CommandWith, changeSubscription } from "./change-subscription.ts";

export function addLine(
  ctx: Ctx,
  { id, request: input }: CommandWith<z.output<typeof AddedLine>>,
): Promise<SubscriptionView> {
  const entityIds = input.entity_id ? [input.entity_id] : [];
  const alongside = {
    plans: selectNamedPlans(ctx, [input.selling_plan_id]),
    entities: selectNamedEntities(ctx, entityIds),
    ...readKnownPrice(ctx, id, input.store_variant_id),
  };
  return changeSubscription(
    ctx,
    id,
    { alongside, beforeCutoff: changeOfLines },
    ({ row }, { plans, entities, ...found }) => {
      requireMoney(row.currency_code, input);
      const plan = planOf(input.selling_plan_id, plans);
      requireEntities(row.profile_id, entityIds, entities, () => "entity_id");
      requireSameEntity(row, input.entity_id);
      requirePricedIn(row.currency_code, ctx, plan);
      const terms = { plan, entityId: row.entity_id, currency: row.currency_code };
      requireAllowed("change", row, changeOfLines);
      const line = withFullPrice(ctx, { row, after: newLine(ctx, input, terms), found });
      return linesDecision(row, [...linesOf(row), line]);
    },
  );
}

export type OfLine = Command & { lineId: string };

type LineCommand = OfLine & CommandWith<z.output<typeof LineChange>>;

/**
 * Changes the fields of a line that the request names; a product can be swapped for another. A swap that is an offer to the customer holds for as
 * many as the line has.
 */
export function changeLine(
  ctx: Ctx,
  { id, lineId, request: input, isOffer = false, ...command }: LineCommand & { isOffer?: boolean },
): Promise<SubscriptionView> {
  const alongside = {
    plans: input.selling_plan_id === undefined ? [] : selectNamedPlans(ctx, [input.selling_plan_id]),
    ...readKnownPrice(ctx, id, input.store_variant_id),
  };
  return changeSubscription(
    ctx,
    id,
    { alongside, ...command, beforeCutoff: changeOfLines },
    ({ row }, { plans, ...found }) => {
      requireMoney(row.currency_code, input);
      const line = lineIn(row, lineId);
      const { price, selection_items, selling_plan_id: planId = line.selling_plan_id, ...rest } = input;
      const plan = planId === line.selling_plan_id ? undefined : planOf(planId, plans);
      if (plan) requirePricedIn(row.currency_code, ctx, plan);
      const isRepriced = price !== undefined || plan !== undefined || rest.store_variant_id !== undefined;
      const changed: Line = {
        ...(isRepriced ? withoutPromises(line) : line),
        ...(definedFields(rest) as Partial<Line>),
        ...(price === undefined ? {} : { price: minorOf(price, row.currency_code, "price") }),
        ...(selection_items === undefined
          ? {}
          : { selection_items: parseItems(selection_items, row.currency_code, "") }),
        ...(plan ? termsOf(plan) : {}),
        ...priceQuantity(line, { isOffer, isRepriced, quantity: rest.quantity }),
      };
      requireAllowed("change", row, changeOfLines);
      const reduced = withFullPrice(ctx, { row, before: line, after: changed, found });
      return linesDecision(
        row,
        linesOf(row).map((candidate) => (candidate.id === lineId ? reduced : candidate)),
      );
    },
  );
}

type Repricing = { isOffer: boolean; isRepriced: boolean; quantity: number | undefined };

/** The quantity that a price that was an offer is for: as many as there were when it was accepted, or as the merchant has set since. */
function priceQuantity(line: Line, { isOffer, isRepriced, quantity = 0 }: Repricing): Partial<Line> {
  if (isOffer) return { price_quantity: line.quantity };
  if (isRepriced || line.price_quantity === undefined) return {};
  return { price_quantity: Math.max(line.price_quantity, quantity) };
}

/** Removes a line, but never the last recurring one: that would be a cancellation. */
export function removeLine(ctx: Ctx, { id, lineId }: OfLine): Promise<SubscriptionView> {
  return changeSubscription(ctx, id, { beforeCutoff: changeOfLines }, ({ row }) => {
    lineIn(row, lineId);
    requireAllowed("change", row, changeOfLines);
    const lines = linesOf(row);
    const refusal = refusalOfLast({ row, lines }, { id: lineId });
    if (refusal) throw refusal;
    return linesDecision(
      row,
      lines.filter((line) => line.id !== lineId),
    );
  });
}

export function lineIn(row: Subscription, lineId: string): Line {
  const line = linesOf(row).find((candidate) => candidate.id === lineId);
  if (!line) throw notFound("Line");
  return line;
}

/** All lines of a subscription are for its entity. */
function requireSameEntity(row: Subscription, entityId: string | null | undefined): void {
  if (entityId === undefined || entityId === row.entity_id) return;
  throw invalid([{ path: "entity_id", message: "must be the subscription's own entity" }]);
}

function planOf(id: string, found: SellingPlan[]): SellingPlan {
  return requireSellingPlans([id], found, () => "selling_plan_id").get(id)!;
}

/** The change to these lines, with the amounts that follow. */
export function linesDecision(row: Subscription, lines: Line[]): Part {
  return {
    entry: { action: "lines_changed" },
    columns: pricedColumns(lines, discountsOf(row), row.tax_amount),
  };
}
