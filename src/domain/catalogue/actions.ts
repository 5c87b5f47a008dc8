import type { z } from "@hono/zod-openapi";
import { insertAccountEntry } from "../../base/accounts/history.ts";
import { minorOf } from "../../base/amounts.ts";
import { rowsAsJson } from "../../base/db/bulk.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement, Value } from "../../base/db/port.ts";
import { raw, readNamed } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { diff } from "../../base/lib/diff.ts";
import { storedPicture } from "../../base/pictures.ts";
import type { Ctx } from "../../kit/context.ts";
import { selectNamedPlans } from "../selling-plans/queries.ts";
import type { SellingPlan } from "../selling-plans/tables.ts";
import { selectCatalogue } from "./queries.ts";
import type { CatalogueUpdate } from "./schemas.ts";
import type { CatalogueItem } from "./tables.ts";

type Input = z.output<typeof CatalogueUpdate>;
type Request = { request: Input; dryRun: boolean };

/**
 * Makes the catalogue exactly what the request lists, with one entry in the history; the same list again writes nothing. Throws
 * UNKNOWN_SELLING_PLAN, and VALIDATION_FAILED for prices that the account's currency does not have.
 */
export async function replaceCatalogue(
  ctx: Ctx,
  { request: { items }, dryRun }: Request,
): Promise<CatalogueItem[]> {
  const after = items.map((item, position) => newItem(ctx, item, position));
  const planIds = [...new Set(items.flatMap(({ selling_plan_ids = [] }) => selling_plan_ids))];
  const { before, plans } = await readNamed(ctx.db, {
    before: selectCatalogue(ctx),
    plans: selectNamedPlans(ctx, planIds),
  });
  requireKnownPlans(items, plans);
  const counts = countChanges(before, after);
  if (dryRun || Object.values(counts).every((count) => count === 0)) return after;
  await commit(ctx, [deleteOthers(ctx, after), ...insertItems(after), insertEntry(ctx, counts)]);
  return after;
}

function newItem(ctx: Ctx, item: Input["items"][number], position: number): CatalogueItem {
  const { account } = ctx;
  return {
    account_seq: account.seq,
    store_variant_id: item.store_variant_id,
    store_product_id: item.store_product_id,
    product_title: item.product_title,
    variant_title: item.variant_title ?? null,
    image_url: storedPicture(ctx, item.image_url ?? null, `items.${position}.image_url`),
    price: minorOf(item.price, account.currency_code, `items.${position}.price`),
    selling_plan_ids: JSON.stringify(item.selling_plan_ids ?? []),
    is_one_time_allowed: item.is_one_time_allowed ? 1 : 0,
    position,
  };
}

/** A plan that is no longer sold may be named: lines that are on it can be swapped. */
function requireKnownPlans(items: Input["items"], plans: SellingPlan[]): void {
  const known = new Set(plans.map(({ id }) => id));
  const details = items.flatMap(({ selling_plan_ids = [] }, index) =>
    selling_plan_ids.flatMap((id, nth) =>
      known.has(id) ? [] : [{ path: `items.${index}.selling_plan_ids.${nth}`, message: "is not known" }],
    ),
  );
  if (details.length > 0)
    throw new DomainError("UNKNOWN_SELLING_PLAN", "The account has no such selling plan", details);
}

type Counts = { added: number; changed: number; removed: number };

function countChanges(before: CatalogueItem[], after: CatalogueItem[]): Counts {
  const former = new Map(before.map((item) => [item.store_variant_id, item]));
  const kept = after.filter(({ store_variant_id }) => former.has(store_variant_id));
  return {
    added: after.length - kept.length,
    changed: kept.filter((item) => Object.keys(diff(former.get(item.store_variant_id)!, item)).length > 0)
      .length,
    removed: before.length - kept.length,
  };
}

function deleteOthers({ account }: Ctx, items: CatalogueItem[]): Statement {
  const kept = items.map(({ store_variant_id }) => store_variant_id);
  return raw(
    "DELETE FROM catalogue_items WHERE account_seq = ? AND store_variant_id NOT IN (SELECT value FROM json_each(?))",
    account.seq,
    JSON.stringify(kept),
  );
}

/** Many rows in a few statements, which drizzle has no way to say; rows that are so already are not written. */
function insertItems(items: CatalogueItem[]): Statement[] {
  const [first] = items;
  if (!first) return [];
  const columns = Object.keys(first);
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  const own = columns.filter((name) => name !== "account_seq" && name !== "store_variant_id");
  const set = own.map((name) => `${name} = excluded.${name}`).join(", ");
  const differs = own.map((name) => `catalogue_items.${name} IS NOT excluded.${name}`).join(" OR ");
  const sql = `INSERT INTO catalogue_items (${columns.join(", ")}) SELECT ${values} FROM json_each(?) WHERE true
    ON CONFLICT (account_seq, store_variant_id) DO UPDATE SET ${set} WHERE ${differs}`;
  return rowsAsJson(columns, items as Record<string, Value>[]).map((rows) => raw(sql, rows));
}

/** The history says how much has changed, not what: a catalogue may be long. */
function insertEntry({ account, actor, now }: Ctx, counts: Counts): Statement {
  return insertAccountEntry({
    ...{ account: account.seq, action: "account_updated", author: actor, now },
    subject: { type: "account", id: account.id },
    metadata: { fields: ["portal.catalogue"], ...counts },
  });
}
