import { and, eq, isNull, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, first, inJson, type Params, prepare, read, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { type LinkedOrder, linkedOrder, type OrderOfStore, selectOrderOfStore } from "../orders/queries.ts";
import { orderDisputes as disputes, type OrderDispute, orders } from "../orders/tables.ts";

/** The disputes of these ids at the store, as they are known here. */
export function findDisputesOfStore({ db, account }: Ctx, references: string[]): Promise<OrderDispute[]> {
  return rows(db, selectByStoreIds({ account_seq: account.seq, references: JSON.stringify(references) }));
}

/** An order by the store's id of its charge, and what is known of one of its disputes. */
export async function readDisputed(
  ctx: Ctx,
  chargeReference: string,
  reference: string,
): Promise<{ order: LinkedOrder; known: OrderDispute | undefined } | undefined> {
  const [[order], [known]] = await read<[OrderOfStore, OrderDispute]>(ctx.db, [
    selectOrderOfStore(ctx, chargeReference),
    selectByStoreIds({ account_seq: ctx.account.seq, references: JSON.stringify([reference]) }),
  ]);
  return order && { order: linkedOrder(order), known };
}

/** The charge of a dispute that is known here, by the store's ids. */
export async function findChargeOfDispute(
  { db, account }: Ctx,
  reference: string,
): Promise<string | undefined> {
  return (await first(db, selectCharge({ account_seq: account.seq, reference })))?.store_order_id;
}

/** The disputes that keep these subscriptions from being billed. */
export function selectBlockingDisputes({ account }: Ctx, subscriptionIds: string[]): Statement<OrderDispute> {
  return selectBlocking({ account_seq: account.seq, ids: JSON.stringify(subscriptionIds) });
}

/** A page of the disputes that were open when they were last looked at, after the one of this id, by their ids at the store. */
export function findOpenDisputes(
  { db, account }: Ctx,
  after: string,
  limit: number,
): Promise<Pick<OrderDispute, "id" | "store_dispute_id">[]> {
  return rows(db, selectOpen({ account_seq: account.seq, after, limit }));
}

const selectByStoreIds = prepare((p: Params<{ account_seq: AccountSeq; references: string }>) =>
  build
    .select()
    .from(disputes)
    .where(
      and(eq(disputes.account_seq, p("account_seq")), inJson(disputes.store_dispute_id, p("references"))),
    ),
);

const selectCharge = prepare((p: Params<{ account_seq: AccountSeq; reference: string }>) =>
  build
    .select({ store_order_id: orders.store_order_id })
    .from(disputes)
    .innerJoin(orders, and(eq(orders.account_seq, disputes.account_seq), eq(orders.id, disputes.order_id)))
    .where(and(eq(disputes.account_seq, p("account_seq")), eq(disputes.store_dispute_id, p("reference")))),
);

/** The condition is written out, as SQLite uses the partial index `order_disputes_blocking` only where it sees the value. */
const selectBlocking = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select()
    .from(disputes)
    .where(
      and(
        eq(disputes.account_seq, p("account_seq")),
        inJson(disputes.subscription_id, p("ids")),
        sql`${disputes.is_blocking} = 1`,
      ),
    ),
);

const selectOpen = prepare((p: Params<{ account_seq: AccountSeq; after: string; limit: number }>) =>
  build
    .select({ id: disputes.id, store_dispute_id: disputes.store_dispute_id })
    .from(disputes)
    .where(
      and(
        eq(disputes.account_seq, p("account_seq")),
        isNull(disputes.closed_at),
        sql`${disputes.id} > ${p("after")}`,
      ),
    )
    .orderBy(disputes.id)
    .limit(p("limit")),
);
