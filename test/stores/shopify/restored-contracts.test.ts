/** A contract that a restore has unlinked is found by its mark, and none is charged twice. */
import { getTableColumns } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { reconcilePage } from "../../../src/domain/billing/reconcile/page.ts";
import { type Subscription, subscriptions } from "../../../src/domain/subscriptions/tables.ts";
import { systemOf } from "../../edges/webhooks/refreshing.ts";
import { execute } from "../../support/database.ts";
import { feedOf, force, inDays, read, rowOf } from "../../support/shops.ts";
import { attemptsOf, ordersOf, shipNow } from "../../support/worker.ts";
import { contractOf, expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";
import { syncSteps } from "./sync-steps.ts";

/**
 * Shopify knows an idempotency key only with the contract that it has charged. So each life of a subscription has one contract for good: a
 * restored database, which does not know it, finds it again, and charges no other one for the same cycle.
 */
const shop = useShop();
let id: string;
let before: Subscription;
beforeEach(async () => {
  id = await subscribed(shop);
  before = await rowOf(id);
});
const { asked, noticed } = syncSteps(shop, () => id);

async function charged(): Promise<void> {
  expect((await shipNow(shop.merchant, shop.worker, id)).status).toBe(200);
  await shop.worker.drain();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
}

/** The database as it was when the subscription had this row, and nothing was charged. */
async function restoredTo(row: Subscription): Promise<void> {
  await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
  await execute(
    "DELETE FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
  await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
  const columns = Object.keys(getTableColumns(subscriptions)) as (keyof Subscription)[];
  await force(id, Object.fromEntries(columns.map((name) => [name, row[name]])));
}

function unlinked(): Promise<void> {
  return restoredTo({ ...before, store_contract_id: null });
}

async function soon(): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + 15 * 60_000, toFake: ["Date"] });
  await shop.worker.tick(Date.now() + 1000);
}

async function reconcile() {
  return (await reconcilePage(await systemOf(shop), { since: inDays(-3), after: null })).findings;
}

describe("a restore to before the contract was linked", () => {
  test("finds it, and the cycle that it has paid is recorded, not charged again", async () => {
    await charged();
    await unlinked();
    expect(await reconcile()).toMatchObject([{ problem: "not_yet_recorded" }]);
    await soon();
    expect((await rowOf(id)).store_contract_id).toBe(before.store_contract_id);
    expect(await reconcile()).toMatchObject([{ problem: "recorded", subscription_id: id }]);
    expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("finds one that its merchant has cancelled since: the subscription ends, and is not charged by another", async () => {
    await charged();
    shop.store.merchant.cancel(before.store_contract_id!);
    await unlinked();
    await soon();
    await soon();
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "CANCELLED",
      cancellation_reason: "cancelled at the store",
      store_contract_id: before.store_contract_id,
    });
    const [ended, linked] = await feedOf(shop.merchant, id);
    expect([ended.action, linked.action]).toEqual(["subscription_cancelled", "store_contract_linked"]);
    expect(shop.store.contracts()).toHaveLength(1);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("finds the one that was charged, also where another one has been created late", async () => {
    shop.store.fail({ kind: "network", effect: "late", times: 1, on: "CreateContract" });
    id = await subscribed(shop);
    await soon();
    before = await rowOf(id);
    await charged();
    await shop.store.arriveLate();
    await unlinked();
    await soon();
    expect((await rowOf(id)).store_contract_id).toBe(before.store_contract_id);
  });
});

describe("a restore to before a reactivation", () => {
  beforeEach(async () => {
    await asked("POST", "cancel", {});
    await shop.worker.drain();
    before = await rowOf(id);
    await asked("POST", "reactivate", {});
    await shop.worker.drain();
    await charged();
  });

  test("says of its charge that the reactivation is lost, and reactivated again it is paid", async () => {
    await restoredTo(before);
    expect(await reconcile()).toMatchObject([{ problem: "reactivation_lost", subscription_id: id }]);
    await asked("POST", "reactivate", {});
    await soon();
    expect(await reconcile()).toMatchObject([{ problem: "recorded", subscription_id: id }]);
    expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
    expect(shop.store.charges).toHaveLength(1);
    await shop.worker.drain();
    await expectMirrored(shop, id);
  });

  test("and to before the cancellation: the charge is not reported for a refund", async () => {
    await restoredTo({ ...before, status: "ACTIVE", cancelled_at: null });
    expect(await reconcile()).toMatchObject([{ problem: "not_yet_recorded", subscription_id: id }]);
    await soon();
    expect(await read(shop.merchant, id)).toMatchObject({ status: "CANCELLED" });
    expect(await reconcile()).toMatchObject([{ problem: "reactivation_lost", subscription_id: id }]);
  });
});

test("a charge of a subscription whose creation a restore has undone is reported", async () => {
  await charged();
  await unlinked();
  await execute("DELETE FROM contract_syncs WHERE subscription_id = ?", id);
  await execute("DELETE FROM subscriptions WHERE id = ?", id);
  expect(await reconcile()).toMatchObject([{ problem: "unknown_charge", attempt_id: null }]);
});

test("a contract that its merchant cancels takes along one that has been created late for the same life", async () => {
  shop.store.fail({ kind: "network", effect: "late", times: 1, on: "CreateContract" });
  id = await subscribed(shop);
  await soon();
  await shop.store.arriveLate();
  const { store_contract_id } = await rowOf(id);
  shop.store.merchant.cancel(store_contract_id!);
  await noticed();
  await shop.worker.drain();
  expect(await read(shop.merchant, id)).toMatchObject({ status: "CANCELLED", store_contract_id });
  expect(shop.store.contracts().map(({ status }) => status)).toEqual(["ACTIVE", "CANCELLED", "CANCELLED"]);
});

test("a contract is of one life: one that is not cancelled at the store yet is not charged for the next", async () => {
  const first = await contractOf(shop, id);
  await asked("POST", "cancel", {});
  await asked("POST", "reactivate", {});
  await shop.worker.drain();
  await noticed();
  const second = await expectMirrored(shop, id);
  expect([first.status, second.status]).toEqual(["CANCELLED", "ACTIVE"]);
  expect(shop.store.contracts()).toHaveLength(2);
});
