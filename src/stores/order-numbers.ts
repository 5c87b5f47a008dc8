import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../base/db/columns.ts";
import { commit } from "../base/db/commit.ts";
import type { Db } from "../base/db/port.ts";
import { build, statement } from "../base/db/statement.ts";
import type { Instant } from "../base/lib/dates.ts";
import { nextNumber, orderNumbers } from "./tables.ts";

type Order = { db: Db; accountSeq: AccountSeq; storeOrderId: string; now: Instant };

/** The number of an order at a store that numbers none: `#12`. The same order has the same one, however often it is asked for. */
export async function numberOrder({ db, accountSeq, storeOrderId, now }: Order): Promise<string> {
  const [, found] = await commit({ db }, [
    statement(
      build
        .insert(orderNumbers)
        .values({
          order_number: nextNumber(orderNumbers.order_number, orderNumbers, accountSeq),
          account_seq: accountSeq,
          store_order_id: storeOrderId,
          created_at: now,
        })
        .onConflictDoNothing(),
    ),
    statement(
      build
        .select({ order_number: orderNumbers.order_number })
        .from(orderNumbers)
        .where(and(eq(orderNumbers.account_seq, accountSeq), eq(orderNumbers.store_order_id, storeOrderId))),
    ),
  ]);
  return `#${found?.rows[0]?.order_number}`;
}
