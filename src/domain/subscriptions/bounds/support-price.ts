import type { Statement } from "../../../base/db/port.ts";
import { type RowsBy, raw } from "../../../base/db/statement.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { selectCatalogueItem } from "../../catalogue/queries.ts";
import type { CatalogueItem } from "../../catalogue/tables.ts";
import type { Line } from "../lines/amounts.ts";
import { isPricedFor } from "../lines/line-choices.ts";
import { linesOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";
import { isSupport, requireWithinSupportAmount } from "./support-discount.ts";

type FormerPrice = { price: number };
type OtherPrice = Pick<Line, "price" | "store_variant_id" | "selling_plan_id"> &
  Pick<Subscription, "currency_code">;

type KnownPrices = {
  former: Statement<FormerPrice>[];
  items: Statement<CatalogueItem>[];
  others: Statement<OtherPrice>[];
};
export type FoundPrices = RowsBy<KnownPrices>;
const none: KnownPrices = { former: [], items: [], others: [] };

/** The statements that say what a variant costs elsewhere than on the subscription. They are for staff with the role SUPPORT alone. */
export function readKnownPrice(ctx: Ctx, id: string, store_variant_id: string | undefined): KnownPrices {
  if (store_variant_id === undefined || !isSupport(ctx.actor)) return none;
  return {
    former: [selectFormerPrice(ctx, id, store_variant_id)],
    items: [selectCatalogueItem(ctx, store_variant_id)],
    others: [selectOtherPrices(ctx, { id }, [store_variant_id])],
  };
}

/** The statements that say what the variants of a customer's new subscriptions cost elsewhere, for SUPPORT alone. */
export function readPricesForNew(ctx: Ctx, profile_id: string, variants: string[]): KnownPrices {
  if (!isSupport(ctx.actor)) return none;
  return {
    former: [],
    items: variants.map((variant) => selectCatalogueItem(ctx, variant)),
    others: [selectOtherPrices(ctx, { profile_id }, variants)],
  };
}

type Repriced = {
  row: Pick<Subscription, "lines" | "currency_code" | "deliveries_per_billing">;
  /** The line before the change; absent for one that is added. */
  before?: Line;
  after: Line;
  found: FoundPrices;
};

/**
 * The line with the price from which SUPPORT has lowered it, against which all that they take off is measured. Throws FORBIDDEN for another
 * product than before at less than the bound allows of its known price: removing and adding again, or swapping, lowers a price too.
 */
export function withFullPrice({ actor, account }: Ctx, { row, before, after, found }: Repriced): Line {
  if (!isSupport(actor)) return after;
  const isOther = before?.store_variant_id !== after.store_variant_id;
  const full = isOther ? knownPrice(account.currency_code, { row, after, found }) : fullPriceOf(before);
  if (full === undefined || after.price >= full) return after;
  if (isOther) requireWithinSupportAmount({ actor, account }, "a product", { of: full, paid: after.price });
  return { ...after, reduced_from: full };
}

/**
 * The price of a variant on the subscription, else the one that it last had there, else the catalogue's, else that of the customer's other
 * subscriptions on the same plan; undefined where none is known.
 */
function knownPrice(
  pricedIn: string,
  { row, after, found: { former, items, others } }: Pick<Repriced, "row" | "after" | "found">,
): number | undefined {
  const { store_variant_id, selling_plan_id } = after;
  const present = linesOf(row).filter((line) => line.store_variant_id === store_variant_id);
  if (present.length > 0) return Math.max(...present.map(fullPriceOf));
  const item = items.find((one) => one.store_variant_id === store_variant_id);
  const listed = item && isPricedFor({ row, pricedIn }, after, item) ? item.price : undefined;
  const other = others.find(
    (one) =>
      one.store_variant_id === store_variant_id &&
      one.selling_plan_id === selling_plan_id &&
      one.currency_code === row.currency_code,
  );
  return former[0]?.price ?? listed ?? other?.price;
}

/** The lines with the prices from which an undo lowers them. */
export function withRaisedPrices(
  now: Pick<Subscription, "lines">,
  restored: Pick<Subscription, "lines">,
): Pick<Subscription, "lines"> {
  const present = new Map(linesOf(now).map((line) => [line.id, line]));
  const lines = linesOf(restored).map((line) => {
    const had = present.get(line.id);
    const isLowered = had?.store_variant_id === line.store_variant_id && line.price < fullPriceOf(had);
    return isLowered ? { ...line, reduced_from: fullPriceOf(had) } : line;
  });
  return { lines: JSON.stringify(lines) };
}

function fullPriceOf({ reduced_from, price }: Line): number {
  return reduced_from ?? price;
}

/** The time that a former price counts, which is as long as images are kept. */
const knownMs = 30 * dayMs;

/** The newest price of a variant in the images of a subscription's changes. Raw, because it looks into their JSON. */
function selectFormerPrice(
  { account, now }: Ctx,
  id: string,
  store_variant_id: string,
): Statement<FormerPrice> {
  const since: Instant = later(now, -knownMs);
  return raw<FormerPrice>(
    `SELECT COALESCE(line.value ->> 'reduced_from', line.value ->> 'price') AS price
      FROM undo_images AS image, json_each(image.changes, '$.lines') AS change, json_each(change.value) AS line
      WHERE image.account_seq = ?1 AND image.subscription_id = ?2 AND image.created_at >= ?4
        AND line.key IN ('from', 'to') AND line.type = 'object' AND line.value ->> 'store_variant_id' = ?3
      ORDER BY image.created_at DESC, image.entry_id DESC, line.key DESC LIMIT 1`,
    ...[account.seq, id, store_variant_id, since],
  );
}

/** The newest subscriptions of a customer that are looked at. */
const otherSubscriptions = 50;

/**
 * The prices of variants on the newest subscriptions of a customer, and of lines that were taken off these while images are kept. Raw, because it looks
 * into their JSON.
 */
function selectOtherPrices(
  { account, now }: Ctx,
  of: { id: string } | { profile_id: string },
  variants: string[],
): Statement<OtherPrice> {
  const customer =
    "id" in of ? "(SELECT profile_id FROM subscriptions WHERE account_seq = ?1 AND id = ?2)" : "?2";
  return raw<OtherPrice>(
    `WITH its AS MATERIALIZED (
        SELECT id, currency_code, lines, created_at FROM subscriptions INDEXED BY subscriptions_by_profile
        WHERE account_seq = ?1 AND profile_id = ${customer} ORDER BY created_at DESC LIMIT ${otherSubscriptions}),
      priced AS (
        SELECT 0 AS rank, its.created_at AS at, its.currency_code, line.value AS line FROM its, json_each(its.lines) AS line
        UNION ALL
        SELECT 1, image.created_at, its.currency_code, line.value
          FROM its CROSS JOIN undo_images AS image ON image.account_seq = ?1 AND image.subscription_id = its.id AND image.created_at >= ?4,
            json_each(image.changes, '$.lines') AS change, json_each(change.value) AS line
          WHERE line.key IN ('from', 'to') AND line.type = 'object')
      SELECT COALESCE(line ->> 'reduced_from', line ->> 'price') AS price, line ->> 'store_variant_id' AS store_variant_id,
        line ->> 'selling_plan_id' AS selling_plan_id, currency_code
      FROM priced WHERE line ->> 'store_variant_id' IN (SELECT value FROM json_each(?3)) ORDER BY rank, at DESC LIMIT 100`,
    ...[account.seq, "id" in of ? of.id : of.profile_id, JSON.stringify(variants), later(now, -knownMs)],
  );
}
