import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import type { ErrorDetail } from "../../base/errors.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { DayRange } from "../../kit/days.ts";
import { onItsOwn } from "../../kit/on-its-own.ts";
import { projectDeliveries } from "../billing/upcoming/upcoming.ts";
import { faultOfOurs } from "../merchant-jobs/row-fault.ts";
import { forecastDates, groupings } from "./cells.ts";
import { countPlanned, datesOf, type ForecastProspect, goodsOfLine } from "./delivered-goods.ts";
import { columnsOfOrder, selectCells, selectToPack, toPack } from "./goods-sql.ts";
import type { DatedGoods } from "./page-text.ts";
import { type Prospects, readProspects, type SubscriptionSelect } from "./prospects.ts";

/** When a forecast began: orders up to `orders_until` are counted by its first page, and later ones by the page of their subscription. */
type About = { orders_until: number; as_of: Instant; isFirst: boolean; job_id: string | null };

/**
 * The goods of a page of subscriptions: every delivery that `upcoming` projects on one of the days, and orders that are to be packed. What
 * cannot be told is `leftOut`.
 */
export async function countPage(
  ctx: Ctx,
  input: DayRange,
  page: SubscriptionSelect,
  { isFirst, orders_until, as_of, ...about }: About,
): Promise<{ found: ForecastProspect[]; goods: DatedGoods[]; leftOut: ErrorDetail[] }> {
  const { packed, ordered } = selectPacked(ctx, input, page, { orders_until, as_of });
  const also = { packed: isFirst ? [packed] : [], ordered };
  const { found, entityTypes, others } = await readProspects(ctx, page, also);
  const { planned, leftOut } = await countEach(ctx, about, { input, found, entityTypes });
  return { found, goods: [...others.packed, ...others.ordered, ...planned], leftOut };
}

/** The goods of each subscription, and those of which they cannot be told: each is a fault of the page's row, and the others are counted. */
async function countEach(
  ctx: Ctx,
  about: Pick<About, "job_id">,
  { input, found, entityTypes }: Pick<Prospects, "found" | "entityTypes"> & { input: DayRange },
): Promise<{ planned: DatedGoods[]; leftOut: ErrorDetail[] }> {
  const planned: DatedGoods[] = [];
  const leftOut: ErrorDetail[] = [];
  for (const prospect of found) {
    const { id: subscription_id, number } = prospect.view.row;
    const goods = await onItsOwn(ctx, { task: "count_goods", ...about, subscription_id }, () =>
      goodsOf(prospect, { input, entityTypes }),
    );
    if (goods) planned.push(...goods);
    else leftOut.push({ path: `subscriptions.${number}`, message: faultOfOurs });
  }
  return { planned, leftOut };
}

type Packed = { packed: Statement<DatedGoods>; ordered: Statement<DatedGoods> };

/** Orders to pack when the forecast began, by any of their dates; and those placed since, of the page's subscriptions. */
function selectPacked(
  { account }: Ctx,
  { from, to }: DayRange,
  page: SubscriptionSelect,
  { orders_until, as_of }: Pick<About, "orders_until" | "as_of">,
): Packed {
  const [asOf, ordersUntil] = [page.params.length + 1, page.params.length + 2].map((nth) => `?${nth}`);
  const dates = "billing_date, production_date, delivery_date";
  const counted = (deliveries: string) =>
    `SELECT ${dates}, variant_id AS variant, slot_id AS slot, plan_id AS plan, entity_type,
      product_title, variant_title, sku, packed, planned, at_risk
      FROM (${selectCells(deliveries, dates, groupings)})`;
  const dated = forecastDates.map((by) => selectToPack("o.seq", by)).join(" UNION ");
  return {
    packed: raw<DatedGoods>(
      counted(`SELECT ${columnsOfOrder} FROM orders AS o WHERE o.seq <= ?2 AND o.seq IN (${dated})`),
      ...[account.seq, orders_until, from, to],
    ),
    ordered: raw<DatedGoods>(
      counted(`SELECT ${columnsOfOrder} FROM orders AS o INDEXED BY orders_by_status_and_time
        WHERE o.account_seq = ?1 AND ${toPack} AND o.created_at >= ${asOf} AND o.seq > ${ordersUntil}
          AND (SELECT MIN(s.number) FROM order_subscriptions AS its
            CROSS JOIN subscriptions AS s ON s.account_seq = ?1 AND s.id = its.subscription_id
            WHERE its.account_seq = ?1 AND its.order_id = o.id) IN (SELECT number FROM (${page.sql}))`),
      ...[...page.params, as_of, orders_until],
    ),
  };
}

/** The goods of a subscription's deliveries that have one of their dates among the days. */
function goodsOf(
  prospect: ForecastProspect,
  { input: { from, to }, entityTypes }: { input: DayRange } & Pick<Prospects, "entityTypes">,
): DatedGoods[] {
  const goods: DatedGoods[] = [];
  for (const delivery of projectDeliveries(prospect)) {
    if (delivery.billing > to) break;
    const dates = datesOf(delivery);
    if (dates.delivery_date < from) continue;
    for (const { entity_id, quantity, ...its } of delivery.lines.flatMap(goodsOfLine))
      goods.push({
        ...dates,
        ...its,
        slot: delivery.slotId,
        entity_type: entityTypes.get(entity_id ?? "") ?? null,
        ...countPlanned(prospect, delivery, quantity),
      });
  }
  return goods;
}
