import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { Prospect, UpcomingDelivery } from "../billing/upcoming/upcoming-steps.ts";
import type { LineProduct, PackedItem } from "../orders/tables.ts";
import type { Counts, ForecastDate, Titles } from "./cells.ts";

/** A subscription with all that a forecast of its goods depends on. */
export type ForecastProspect = Prospect & { method: Card | undefined };

/** The card that pays: it declines once it has expired. */
type Card = { status: string; expires_on: CalendarDate | null };

/** Goods of one delivery: a product, how many of it, and what it belongs to. */
type Goods = Titles & {
  variant: string;
  plan: string | null;
  entity_id: string | null;
  quantity: number;
};

/** The goods of a line: the line itself, and the items of a box. */
export function goodsOfLine(line: LineProduct & { selection_items: PackedItem[] | null }): Goods[] {
  const { store_variant_id: variant, product_title, variant_title, sku, quantity } = line;
  const common = { plan: line.selling_plan_id, entity_id: line.entity_id };
  const items = (line.selection_items ?? []).map((item) => ({
    ...common,
    variant: item.store_variant_id,
    product_title: item.product_title,
    variant_title: item.variant_title,
    sku: null,
    quantity: item.quantity * quantity,
  }));
  return [{ ...common, variant, product_title, variant_title, sku, quantity }, ...items];
}

/** The three dates of a delivery. Without a packing day it is packed on the day of the delivery. */
export function datesOf({
  billing,
  production,
  delivery,
}: Pick<UpcomingDelivery, ForecastDateField>): Record<ForecastDate, CalendarDate> {
  return { billing_date: billing, production_date: production ?? delivery, delivery_date: delivery };
}

type ForecastDateField = "billing" | "production" | "delivery";

/** Counts the goods of a delivery that is not ordered yet. */
export function countPlanned(prospect: ForecastProspect, made: UpcomingDelivery, quantity: number): Counts {
  const isAtRisk = made.isAtRisk || (made.isBilled && isRefused(prospect.method, made.billing));
  return { packed: 0, planned: isAtRisk ? 0 : quantity, at_risk: isAtRisk ? quantity : 0 };
}

/** Whether a card will be declined on a day: it has expired by then, or was taken back. */
function isRefused(method: Card | undefined, day: CalendarDate): boolean {
  if (!method) return false;
  return method.status !== "VALID" || (method.expires_on !== null && method.expires_on < day);
}
