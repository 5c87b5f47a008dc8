import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { raw } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Days } from "../../kit/days.ts";
import { projectDeliveries } from "../billing/upcoming.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { JobPage } from "../merchant-jobs/work.ts";
import { forecastDates, groupings } from "./cells.ts";
import { countPlanned, datesOf, type ForecastProspect, goodsOfLine } from "./delivered-goods.ts";
import { columnsOfOrder, selectCells, selectToPack, toPack } from "./goods-sql.ts";
import { deleteSuperseded } from "./kept-forecasts.ts";
import { type DatedGoods, writePage } from "./page-text.ts";
import { type Page, type Prospects, readProspects } from "./prospects.ts";
import { forecastPages } from "./tables.ts";

/**
 * How far a forecast has got: `after` is the number of the last subscription that is counted, `until` that of the last of all. Orders up to
 * `orders_until` are counted by the first page, and later ones by the page of their subscription, so that each delivery is counted once.
 */
export type ForecastProgress = { after: number; until: number; orders_until: number; as_of: Instant };

/** Subscriptions that one page counts. */
export const pageSize = 1_000;

/**
 * Counts the goods of a page of subscriptions: every delivery that `upcoming` projects on one of the days, and orders that are to be
 * packed. Where that is too long for a row the page has fewer subscriptions.
 */
export async function takeForecastPage(ctx: Ctx, job: MerchantJob, size = pageSize): Promise<JobPage> {
  const input: Days = JSON.parse(job.input);
  const progress: ForecastProgress = JSON.parse(job.progress);
  const n = job.done + 1;
  const reach = Math.min(progress.until, progress.after + longestStretch);
  const page = pageOf(ctx, { after: progress.after, reach }, size);
  const { packed, ordered } = selectPacked(ctx, input, progress, page);
  const also = { packed: n === 1 ? [packed] : [], ordered };
  const { found, entityTypes, others } = await readProspects(ctx, page, also);
  const planned = found.flatMap((prospect) => goodsOf(prospect, { input, entityTypes }));
  const cells = writePage([...others.packed, ...others.ordered, ...planned], input.from);
  if (cells.length > longestText && size > 1) return takeForecastPage(ctx, job, Math.ceil(size / 4));
  const [first, last] = [found[0]?.view.row.number, found.at(-1)?.view.row.number];
  const isEmpty = n > 1 && found.length === 0;
  const isFull = found.length === size;
  const isLast = !isFull && reach === progress.until;
  return {
    rows: [
      {
        n,
        key: first === undefined ? "none" : `${first}-${last}`,
        status: "OK",
        record_id: null,
        errors: "[]",
        summary: JSON.stringify({ subscriptions: found.length }),
        ...{ input: null, undo: null },
      },
    ],
    total: isLast ? n : Math.max(job.total, n + 1),
    writes: [
      ...(isEmpty
        ? []
        : [insertRow(forecastPages, { account_seq: ctx.account.seq, job_id: job.id, n, cells })]),
      ...(isLast ? [deleteSuperseded(ctx, job, input)] : []),
    ],
    progress: isLast ? null : { ...progress, after: isFull ? last : reach },
  };
}

/** Well below what a row of the database may hold. */
const longestText = 900_000;

/** The numbers that one page looks through at most: many in a row may have ended. */
const longestStretch = 10_000;

/** Subscriptions that live, and others of which something is still to come, in the order of their numbers. */
function pageOf({ account }: Ctx, { after, reach }: { after: number; reach: number }, size: number): Page {
  const sql = `SELECT * FROM subscriptions WHERE account_seq = ?1 AND number > ?2 AND number <= ?3
    AND (status IN ('ACTIVE', 'PAUSED') OR next_index < next_billed_index OR open_attempt_id IS NOT NULL)
    ORDER BY number LIMIT ?4`;
  return { sql, params: [account.seq, after, reach, size] };
}

type Packed = { packed: Statement<DatedGoods>; ordered: Statement<DatedGoods> };

/** Orders to pack when the forecast began, by any of their dates; and those placed since, of the page's subscriptions. */
function selectPacked({ account }: Ctx, { from, to }: Days, progress: ForecastProgress, page: Page): Packed {
  const { orders_until, as_of } = progress;
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
        WHERE o.account_seq = ?1 AND ${toPack} AND o.created_at >= ?5 AND o.seq > ?6
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
  { input: { from, to }, entityTypes }: { input: Days } & Pick<Prospects, "entityTypes">,
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
