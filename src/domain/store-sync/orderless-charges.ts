import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, inJson, type Params, prepare, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { isSameStoreId } from "../../stores/ids.ts";
import type { StoreOrder } from "../../stores/port.ts";
import { knownChargeOf } from "../billing/known-charge.ts";
import { billingAttempts as attempts } from "../billing/tables.ts";
import { findOrderOfStore, type LinkedOrder } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";

/**
 * Our order of a charge that was recorded without the store's (record-orderless.ts), if this is the store's order of it: such an order
 * is known by the reference of its charge until the store shows it.
 */
export async function findOrderlessCharge(
  ctx: Ctx,
  order: StoreOrder,
  subscriptionIds: string[],
): Promise<LinkedOrder | undefined> {
  if (order.is_checkout_order || subscriptionIds.length === 0) return undefined;
  const ids = JSON.stringify(subscriptionIds);
  for (const attempt of await rows(ctx.db, selectOrderless({ account_seq: ctx.account.seq, ids }))) {
    const answer = await ctx.store.findCharge(knownChargeOf(attempt));
    if (
      answer?.outcome === "succeeded" &&
      isSameStoreId("Order", answer.store_order_id, order.store_order_id)
    )
      return findOrderOfStore(ctx, attempt.store_reference ?? "");
  }
  return undefined;
}

const selectOrderless = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select({
      id: attempts.id,
      store_key: attempts.store_key,
      store_reference: attempts.store_reference,
      noted_reference: attempts.noted_reference,
      snapshot: attempts.snapshot,
    })
    .from(attempts)
    .innerJoin(orders, and(eq(orders.account_seq, attempts.account_seq), eq(orders.id, attempts.order_id)))
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        inJson(attempts.subscription_id, p("ids")),
        eq(attempts.status, "SUCCEEDED"),
        sql`${orders.store_order_id} = ${attempts.store_reference}`,
      ),
    ),
);
