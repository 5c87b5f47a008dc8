import { raw, read } from "../../src/base/db/statement.ts";
import type { Order } from "../../src/domain/orders/tables.ts";
import type { OrderRefund } from "../../src/domain/own-orders/tables.ts";
import type { RefundAtStore } from "../kernel/store.ts";
import type { World } from "../kernel/world.ts";

type Paid = Pick<Order, "id" | "status" | "total" | "refunded_amount"> & { charge: string };
type Entry = { loggable_id: string; action: string };

/** Orders, their refunds, their history and the store's ledger must agree, however requests crashed, came twice or came at once. */
export async function checkRefunds(world: World): Promise<void> {
  const { account, database, store, report } = world;
  const [orders, refunds, entries] = await read<[Paid, OrderRefund, Entry]>(database, [
    raw(
      `SELECT o.id, o.status, o.total, o.refunded_amount, a.store_reference AS charge
        FROM orders AS o JOIN billing_attempts AS a ON a.account_seq = o.account_seq AND a.id = o.billing_attempt_id
        WHERE o.account_seq = ?`,
      account.seq,
    ),
    raw("SELECT * FROM order_refunds WHERE account_seq = ?", account.seq),
    raw(
      "SELECT loggable_id, action FROM activity_logs WHERE account_seq = ? AND loggable_type = 'order'",
      account.seq,
    ),
  ]);
  const atStore = store.refunds?.entries ?? [];
  for (const refund of refunds.filter(({ status }) => status === "PENDING"))
    report("a refund comes to its end", `a refund of ${refund.amount} pends after ${refund.tries} tries`);
  for (const order of orders) {
    const its = refunds.filter(({ order_id }) => order_id === order.id);
    const told = entries.filter(
      ({ loggable_id, action }) => loggable_id === order.id && action === "order_refunded",
    );
    checkOrder(world, order, {
      paid: sumOf(atStore.filter((one) => one.charge === order.charge && isPaid(one))),
      recorded: sumOf(its.filter(isPaid)),
      told: told.length,
      events: its.filter(isPaid).length,
    });
  }
  world.count("refunds", atStore.length);
}

type Sums = { paid: number; recorded: number; told: number; events: number };

function checkOrder(
  { report }: World,
  { status, total, refunded_amount }: Paid,
  { paid, recorded, told, events }: Sums,
): void {
  if (paid > total) report("no more is refunded than was paid", `${paid} were paid back of ${total}`);
  if (paid !== recorded)
    report("a refund that was paid is recorded once", `${paid} were paid back, ${recorded} are recorded`);
  if (refunded_amount !== recorded)
    report("an order says what was refunded", `${refunded_amount}, its refunds are ${recorded}`);
  const expected =
    refunded_amount === 0 ? "PAID" : refunded_amount < total ? "PARTIALLY_REFUNDED" : "REFUNDED";
  if (status !== "CANCELLED" && status !== expected && total > 0)
    report("an order says what was refunded", `${status}, with ${refunded_amount} of ${total}`);
  if (told !== events)
    report("an order says what was refunded", `${told} events of ${events} refunds that were paid`);
}

function isPaid({ status }: Pick<RefundAtStore, "status">): boolean {
  return status === "SUCCEEDED";
}

function sumOf(refunds: { amount: number }[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}
