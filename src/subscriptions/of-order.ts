import { and, eq, getTableColumns, or, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { build, prepare, rows } from "../db/statement.ts";
import type { Instant } from "../lib/dates.ts";
import { orders } from "../orders/tables.ts";
import { type Subscription, subscriptions } from "./tables.ts";

const byIdsAndContracts = prepare<{ account_id: string; ids: string; contracts: string }>((p) =>
  build
    .select({
      ...getTableColumns(subscriptions),
      last_order_at: sql<string | null>`(SELECT ${orders.order_created_at} FROM ${orders}
        WHERE ${orders.account_id} = ${subscriptions.account_id} AND ${orders.id} = ${subscriptions.last_order_id})`.as(
        "last_order_at",
      ),
    })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_id, p("account_id")),
        or(
          sql`${subscriptions.id} IN (SELECT value FROM json_each(${p("ids")}))`,
          sql`${subscriptions.store_contract_id} IN (SELECT value FROM json_each(${p("contracts")}))`,
        ),
      ),
    )
    .orderBy(subscriptions.seq),
);

/** A subscription that has ordered, and when its latest order was made. */
export type Ordering = { row: Subscription; lastOrderAt: Instant | null };

/** The subscriptions of an order: those of these ids, and those whose contracts at the store are these. */
export const subscriptionsOfOrder = async (
  ctx: Ctx,
  ids: string[],
  contractIds: number[],
): Promise<Ordering[]> => {
  const found = await rows<Subscription & { last_order_at: Instant | null }>(
    ctx.db,
    byIdsAndContracts({
      account_id: ctx.account.id,
      ids: JSON.stringify(ids),
      contracts: JSON.stringify(contractIds),
    }),
  );
  return found.map(({ last_order_at, ...row }) => ({ row, lastOrderAt: last_order_at }));
};
