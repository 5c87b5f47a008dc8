import type { UpcomingDelivery } from "../billing/upcoming/upcoming-steps.ts";
import type { Cell, Question, Titles } from "./cells.ts";
import { countPlanned, datesOf, type ForecastProspect, goodsOfLine } from "./delivered-goods.ts";

const untitled: Titles = { product_title: null, variant_title: null, sku: null };

type Asked = { asked: Question; entityTypes: Map<string, string> };

/** The cells that a delivery counts in; none where its day is not asked about. */
export function cellsOfDelivery(
  prospect: ForecastProspect,
  delivery: UpcomingDelivery,
  { asked: { from, to, by, groupBy }, entityTypes }: Asked,
): Cell[] {
  const date = datesOf(delivery)[by];
  if (date < from || date > to) return [];
  return delivery.lines.flatMap(goodsOfLine).map(({ variant, plan, entity_id, quantity, ...titles }) => ({
    date,
    variant: groupBy.includes("variant") ? variant : null,
    slot: groupBy.includes("slot") ? delivery.slotId : null,
    plan: groupBy.includes("plan") ? plan : null,
    entity_type: groupBy.includes("entity_type") ? (entityTypes.get(entity_id ?? "") ?? null) : null,
    ...(groupBy.includes("variant") ? titlesOf(titles) : untitled),
    ...countPlanned(prospect, delivery, quantity),
  }));
}

function titlesOf({ product_title, variant_title, sku }: Titles): Titles {
  return { product_title, variant_title, sku };
}
