import { getTableColumns, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, inJson, type Params, prepare, rows, subSelect } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { RecordUpdate } from "../../kit/journal/write.ts";
import { type Order, orders } from "../orders/tables.ts";
import { subjectOf } from "./actions/change-subscription.ts";
import { foundByAny } from "./list/found-by-any.ts";
import { type Subscription, subscriptions } from "./tables.ts";

type Values = { account_seq: AccountSeq; ids: string; contracts: string };

/** A subscription of an order, and the date of its latest order. */
export type Ordering = { row: Subscription; lastOrderAt: Instant | null };

/** The subscriptions of an order: those with these ids, and those with these contracts at the store. */
export async function subscriptionsOfOrder(
  ctx: Ctx,
  ids: string[],
  contractIds: number[],
): Promise<Ordering[]> {
  const found = await rows(
    ctx.db,
    selectByIdsAndContracts({
      account_seq: ctx.account.seq,
      ids: JSON.stringify(ids),
      contracts: JSON.stringify(contractIds),
    }),
  );
  return found.map(({ last_order_at, ...row }) => ({ row, lastOrderAt: last_order_at }));
}

/** The update of the subscription that an order belongs to: the revenue, and the latest order. */
export function updatesForOrder(
  { row, lastOrderAt }: Ordering,
  order: Pick<Order, "id" | "order_created_at">,
  revenue: number,
): RecordUpdate[] {
  const isLatest = lastOrderAt === null || (order.order_created_at ?? "") > lastOrderAt;
  return updatesOf(row, revenue, isLatest ? { last_order_id: order.id } : undefined);
}

type Removal = { order: Pick<Order, "id">; revenue: number; latestOther: string | null };

/** The update that takes an order back from its subscription. */
export function updatesWithoutOrder(
  row: Subscription,
  { order, revenue, latestOther }: Removal,
): RecordUpdate[] {
  const wasLatest = row.last_order_id === order.id;
  return updatesOf(row, -revenue, wasLatest ? { last_order_id: latestOther } : undefined);
}

/** An order that brings no revenue and is not the latest changes nothing. */
function updatesOf(
  row: Subscription,
  revenue: number,
  latest: Pick<Subscription, "last_order_id"> | undefined,
): RecordUpdate[] {
  if (revenue === 0 && latest === undefined) return [];
  return [{ subject: subjectOf(row), after: { total_revenue: row.total_revenue + revenue, ...latest } }];
}

const selectByIdsAndContracts = prepare((p: Params<Values>) =>
  build
    .select({
      ...getTableColumns(subscriptions),
      last_order_at: subSelect(
        sql<string | null>`(SELECT ${orders.order_created_at} FROM ${orders}
          WHERE ${orders.account_seq} = ${subscriptions.account_seq} AND ${orders.id} = ${subscriptions.last_order_id})`,
        "last_order_at",
      ),
    })
    .from(subscriptions)
    .where(
      foundByAny(p("account_seq"), [
        inJson(subscriptions.id, p("ids")),
        inJson(subscriptions.store_contract_id, p("contracts")),
      ]),
    )
    .orderBy(subscriptions.seq),
);
