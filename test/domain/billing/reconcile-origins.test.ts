/** A charge that a restore has undone is recorded as what it was, or left to people. */
import { beforeEach, expect, test } from "vitest";
import { reconcilePage } from "../../../src/domain/billing/reconcile/page.ts";
import { sandboxStore } from "../../../src/stores/sandbox/adapter.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, testDb } from "../../support/database.ts";
import { done, force, inDays, openShop, read, rowOf, type Shop } from "../../support/shops.ts";
import { attemptsOf, chargesOf, linked, ordersOf, useWorker } from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

async function reconcile() {
  const realNow = new Date().toISOString();
  const store = sandboxStore(testDb(), shop.of.account.seq, realNow);
  const actor = { type: "system", name: null } as const;
  const ctx = ctxOn(testDb(), shop.of.account, { actor, realNow, store, send: async () => {} });
  return (await reconcilePage(ctx, { since: inDays(-3), after: null })).findings;
}

/** The database as it was before the subscription was charged. */
async function undoCharge(id: string, before: Awaited<ReturnType<typeof rowOf>>): Promise<void> {
  await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
  await execute(
    "DELETE FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
  await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
  const { current_billing_cycle, last_order_id, total_revenue, open_attempt_id } = before;
  const { anchor_date, next_index, next_billed_index } = before;
  const { next_billing_date, next_delivery_date, next_production_date } = before;
  await force(id, {
    ...{ current_billing_cycle, last_order_id, total_revenue, open_attempt_id },
    ...{ anchor_date, next_index, next_billed_index },
    ...{ next_billing_date, next_delivery_date, next_production_date },
  });
}

test("a charge of the schedule that a restore has undone moves the schedule as it did, and is no ship-now", async () => {
  const id = await linked(shop, worker);
  const before = await rowOf(id);
  await worker.tick();
  const billed = await read(shop, id);
  expect(billed.current_billing_cycle).toBe(2);
  await undoCharge(id, before);
  expect(await reconcile()).toMatchObject([{ problem: "recorded" }]);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", trigger: "RECURRING" }]);
  const { next_billing_date, next_delivery_date } = billed;
  expect(await read(shop, id)).toMatchObject({ next_billing_date, next_delivery_date });
  expect(await chargesOf(id)).toHaveLength(1);
});

test("a charge that a restore has undone is for people where the subscription has been cancelled since: nothing is sent to who left", async () => {
  const id = await linked(shop, worker);
  const before = await rowOf(id);
  await worker.tick();
  await undoCharge(id, before);
  await done(shop.api, "POST", id, "cancel");
  expect(await reconcile()).toMatchObject([
    { problem: "unknown_charge", subscription_id: id, attempt_id: null },
  ]);
  expect(await ordersOf(shop, id)).toEqual([]);
  expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", current_billing_cycle: 1 });
});
