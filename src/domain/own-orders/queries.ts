import { and, eq, getTableColumns, or, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { uniqueBy } from "../../base/db/filters.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import {
  build,
  columnsEqual,
  first,
  inJson,
  type Params,
  prepare,
  read,
  rows,
  statement,
  subSelect,
} from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { billingAttempts } from "../billing/tables.ts";
import { subscriptionIdsColumn } from "../orders/queries.ts";
import { orderDisputes as disputes, type Order, orders } from "../orders/tables.ts";
import { ownRefundId } from "./refund-key.ts";
import { type OrderRefund, orderRefunds as refunds } from "./tables.ts";

/** An order with what a decision about it needs. Amounts are minor units. */
export type OwnOrder = {
  row: Order;
  subscriptionIds: string[];
  /** The store's own id of the charge that paid for it; null where none was made here. */
  chargeReference: string | null;
  /** The amount that is being paid back, and is not part of its refunded_amount yet. */
  pendingAmount: number;
  /** Whether its payment is charged back, and nobody has decided yet: only the bank pays it back then. */
  isChargedBack: boolean;
  /** Whether anything was ever asked to be paid back, whatever became of it. */
  hasRefunds: boolean;
};

/** The amount of an order that can still be paid back. */
export function amountLeft({ row, pendingAmount }: Pick<OwnOrder, "row" | "pendingAmount">): number {
  return Math.max(0, row.total - row.refunded_amount - pendingAmount);
}

export async function getOwnOrder(ctx: Ctx, id: string): Promise<OwnOrder> {
  return ownOrder(await first(ctx.db, selectOrder({ account_seq: ctx.account.seq, id })));
}

/** An order, and those of its refunds that are among these by their key or by the store's own id. */
export async function getOrderWithRefunds(
  ctx: Ctx,
  id: string,
  shown: { key: string | null; reference: string }[],
): Promise<{ order: OwnOrder; known: OrderRefund[] }> {
  const ids = shown.map(({ key }) => ownRefundId(key)).filter((id) => id !== undefined);
  const references = shown.map(({ reference }) => reference);
  const [[row], known] = await read<[ReadOrder, OrderRefund]>(ctx.db, [
    selectOrder({ account_seq: ctx.account.seq, id }),
    selectRefundsAmong(ctx, id, { ids, references }),
  ]);
  return { order: ownOrder(row), known };
}

export async function findRefund({ db, account }: Ctx, id: string): Promise<OrderRefund | undefined> {
  const byId = build
    .select()
    .from(refunds)
    .where(and(eq(refunds.account_seq, account.seq), eq(refunds.id, id)));
  return first(db, statement(byId));
}

/** The state of these refunds here, by their ids at the store. */
export function findRefundsOfStore(
  { db, account }: Ctx,
  references: string[],
): Promise<Pick<OrderRefund, "store_reference" | "status">[]> {
  return rows(db, selectByStoreIds({ account_seq: account.seq, references: JSON.stringify(references) }));
}

/** The refunds of one order. */
export const listRefunds = listReader({
  table: refunds,
  columns: getTableColumns(refunds),
  scope: (p) => sql`${refunds.account_seq} = ${p("account_seq")} AND ${refunds.order_id} = ${p("order_id")}`,
  tiebreaker: refunds.id,
  sorts: { created_at: refunds.created_at },
  filters: { id: uniqueBy(refunds.id, "id") },
});

const selectByStoreIds = prepare((p: Params<{ account_seq: AccountSeq; references: string }>) =>
  build
    .select({ store_reference: refunds.store_reference, status: refunds.status })
    .from(refunds)
    .where(and(eq(refunds.account_seq, p("account_seq")), inJson(refunds.store_reference, p("references")))),
);

type ReadOrder = Order & {
  subscription_ids: string;
  charge_reference: string | null;
  pending_amount: number;
  is_charged_back: 0 | 1;
  has_refunds: 0 | 1;
};

function ownOrder(found: ReadOrder | undefined): OwnOrder {
  if (!found) throw notFound("Order");
  const { subscription_ids, charge_reference, pending_amount, is_charged_back, has_refunds, ...row } = found;
  return {
    row,
    subscriptionIds: JSON.parse(subscription_ids),
    chargeReference: charge_reference,
    pendingAmount: pending_amount,
    isChargedBack: is_charged_back === 1,
    hasRefunds: has_refunds === 1,
  };
}

function selectRefundsAmong(
  { account }: Ctx,
  orderId: string,
  { ids, references }: { ids: string[]; references: string[] },
): Statement<OrderRefund> {
  return statement(
    build
      .select()
      .from(refunds)
      .where(
        and(
          eq(refunds.account_seq, account.seq),
          eq(refunds.order_id, orderId),
          or(
            inJson(refunds.id, JSON.stringify(ids)),
            inJson(refunds.store_reference, JSON.stringify(references)),
          ),
        ),
      ),
  );
}

const ofOrder = sql`${refunds.account_seq} = ${orders.account_seq} AND ${refunds.order_id} = ${orders.id}`;

const selectOrder = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select({
      ...getTableColumns(orders),
      subscription_ids: subscriptionIdsColumn,
      charge_reference: subSelect(
        sql<string | null>`(SELECT ${billingAttempts.store_reference} FROM ${billingAttempts}
          WHERE ${billingAttempts.account_seq} = ${orders.account_seq}
            AND ${billingAttempts.id} = ${orders.billing_attempt_id})`,
        "charge_reference",
      ),
      pending_amount: subSelect(
        sql<number>`(SELECT COALESCE(SUM(${refunds.amount}), 0) FROM ${refunds}
          WHERE ${ofOrder} AND ${refunds.status} = 'PENDING')`,
        "pending_amount",
      ),
      is_charged_back: subSelect(
        sql<0 | 1>`EXISTS (SELECT 1 FROM ${disputes} WHERE ${disputes.account_seq} = ${orders.account_seq}
          AND ${disputes.order_id} = ${orders.id} AND ${disputes.closed_at} IS NULL AND ${disputes.is_inquiry} = 0)`,
        "is_charged_back",
      ),
      has_refunds: subSelect(sql<0 | 1>`EXISTS (SELECT 1 FROM ${refunds} WHERE ${ofOrder})`, "has_refunds"),
    })
    .from(orders)
    .where(columnsEqual(orders, p, "account_seq", "id")),
);
