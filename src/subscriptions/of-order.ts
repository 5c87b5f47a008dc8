import { and, getTableColumns, type Placeholder, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Ctx } from "../context.ts";
import { build, type Params, prepare, rows, subSelect } from "../db/statement.ts";
import type { Instant } from "../lib/dates.ts";
import { orders } from "../orders/tables.ts";
import { type Subscription, subscriptions } from "./tables.ts";

type Values = { account_id: string; ids: string; contracts: string };

/** A subscription that has ordered, and when its latest order was made. */
export type Ordering = { row: Subscription; lastOrderAt: Instant | null };

/** The subscriptions of an order: those of these ids, and those whose contracts at the store are these. */
export const subscriptionsOfOrder = async (
  ctx: Ctx,
  ids: string[],
  contractIds: number[],
): Promise<Ordering[]> => {
  const found = await rows(
    ctx.db,
    byIdsAndContracts({
      account_id: ctx.account.id,
      ids: JSON.stringify(ids),
      contracts: JSON.stringify(contractIds),
    }),
  );
  return found.map(({ last_order_at, ...row }) => ({ row, lastOrderAt: last_order_at }));
};

/** Each list is found by its own index; with OR in one condition, every subscription of the account would be read. */
const byIdsAndContracts = prepare((p: Params<Values>) =>
  build
    .select({
      ...getTableColumns(subscriptions),
      last_order_at: subSelect(
        sql<string | null>`(SELECT ${orders.order_created_at} FROM ${orders}
          WHERE ${orders.account_id} = ${subscriptions.account_id} AND ${orders.id} = ${subscriptions.last_order_id})`,
        "last_order_at",
      ),
    })
    .from(subscriptions)
    .where(
      and(
        sql`+${subscriptions.account_id} = ${p("account_id")}`,
        sql`${subscriptions.seq} IN (${whose(p, subscriptions.id, "ids")}
          UNION ${whose(p, subscriptions.store_contract_id, "contracts")})`,
      ),
    )
    .orderBy(subscriptions.seq),
);

function whose(p: (name: keyof Values) => Placeholder, column: SQLiteColumn, list: "ids" | "contracts") {
  return sql`SELECT ${subscriptions.seq} FROM ${subscriptions} WHERE ${subscriptions.account_id} = ${p("account_id")}
    AND ${column} IN (SELECT value FROM json_each(${p(list)}))`;
}
