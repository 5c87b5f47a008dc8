import { and, eq, or, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, raw, rows, statement } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { orderSearchText } from "../orders/search.ts";
import { orders } from "../orders/tables.ts";
import { batchSize, type Customer, notNull } from "./erasure-batches.ts";

/** Why orders of the customer were refunded, in the merchant's words. Refunds name their order, and no profile. */
export function updateErasedRefundReasons({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `UPDATE order_refunds SET reason = NULL WHERE rowid IN (
        SELECT its.rowid FROM orders CROSS JOIN order_refunds AS its
          ON its.account_seq = orders.account_seq AND its.order_id = orders.id
        WHERE orders.account_seq = ?1 AND orders.profile_id = ?2 AND its.reason IS NOT NULL LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}

/** The address that an order was sent to, and its tracking, which leads there; the number is part of the order's search text too. */
export async function eraseTracking(ctx: Ctx, profileId: string): Promise<true> {
  const { db, account, now } = ctx;
  const tracked = await rows(db, selectTrackedOrders(account.seq, profileId));
  if (tracked.length === 0) return true;
  const texts = tracked.map((order) => [order.id, orderSearchText(order)]);
  const update = build
    .update(orders)
    .set({
      ...{ tracking_number: null, tracking_company: null, tracking_url: null },
      ...{ delivery_address: null, delivery_instructions: null },
      search_text: sql`entry.value ->> 1`,
      revision: sql`${orders.revision} + 1`,
      updated_at: now,
    })
    .from(sql`json_each(${JSON.stringify(texts)}) AS entry`)
    .where(and(eq(orders.account_seq, account.seq), sql`${orders.id} = entry.value ->> 0`));
  await commit({ db }, [statement(update)]);
  return tracked.length < batchSize || eraseTracking(ctx, profileId);
}

function selectTrackedOrders(accountSeq: AccountSeq, profileId: string) {
  return statement(
    build
      .select({
        id: orders.id,
        store_order_id: orders.store_order_id,
        store_order_number: orders.store_order_number,
        external_order_number: orders.external_order_number,
      })
      .from(orders)
      .where(
        and(
          eq(orders.account_seq, accountSeq),
          eq(orders.profile_id, profileId),
          or(
            ...notNull(orders.tracking_number, orders.tracking_company, orders.tracking_url),
            ...notNull(orders.delivery_address, orders.delivery_instructions),
          ),
        ),
      )
      .limit(batchSize),
  );
}
