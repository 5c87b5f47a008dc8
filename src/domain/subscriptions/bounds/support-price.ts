import type { Statement } from "../../../base/db/port.ts";
import { raw } from "../../../base/db/statement.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { selectCatalogueItem } from "../../catalogue/queries.ts";
import type { CatalogueItem } from "../../catalogue/tables.ts";
import type { Line } from "../lines/amounts.ts";
import { isPricedFor } from "../lines/line-choices.ts";
import { linesOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";
import { aboveBound, isSupport } from "./support-discount.ts";

type FormerPrice = { price: number };

/** The statements that say what a variant costs elsewhere than on the subscription. They are for staff with the role SUPPORT alone. */
export function readKnownPrice(
  ctx: Ctx,
  id: string,
  store_variant_id: string | undefined,
): { former: Statement<FormerPrice>[]; items: Statement<CatalogueItem>[] } {
  if (store_variant_id === undefined || !isSupport(ctx.actor)) return { former: [], items: [] };
  return {
    former: [selectFormerPrice(ctx, id, store_variant_id)],
    items: [selectCatalogueItem(ctx, store_variant_id)],
  };
}

type Repriced = {
  row: Subscription;
  /** The line before the change; absent for one that is added. */
  before?: Line;
  after: Line;
  found: { former: FormerPrice[]; items: CatalogueItem[] };
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
  const most = account.support_max_discount_percent;
  const off = full - after.price;
  if (isOther && off * 100 > most * full) throw aboveBound(most, "a product", { off, of: full });
  return { ...after, reduced_from: full };
}

/** The price of a variant on the subscription, else the one that it last had there, else the catalogue's; undefined where none is known. */
function knownPrice(
  pricedIn: string,
  { row, after, found: { former, items } }: Pick<Repriced, "row" | "after" | "found">,
): number | undefined {
  const present = linesOf(row).filter(({ store_variant_id }) => store_variant_id === after.store_variant_id);
  if (present.length > 0) return Math.max(...present.map(fullPriceOf));
  const [item] = items;
  return former[0]?.price ?? (item && isPricedFor({ row, pricedIn }, after, item) ? item.price : undefined);
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
