/** A subscription that is reactivated has another contract only once the one of the checkout has ended. */
import { beforeEach, expect, test, vi } from "vitest";
import { lookAtPage } from "../../../src/domain/store-sync/contract-pass.ts";
import { refreshContract } from "../../../src/domain/store-sync/contracts.ts";
import { hookedShop, processAll } from "../../edges/webhooks/hooks.ts";
import { systemOf } from "../../edges/webhooks/refreshing.ts";
import { execute, select } from "../../support/database.ts";
import { feedOf, read } from "../../support/shops.ts";
import { expectMirrored } from "./mirrored.ts";
import { useShop } from "./shop.ts";
import { soldAtCheckout } from "./sold.ts";
import { syncSteps } from "./sync-steps.ts";

/**
 * A contract that was sold at the checkout has no mark of ours. Where its subscription is reactivated before the store knows that it was
 * cancelled, the contract is still living there, and linked to nothing.
 */
const shop = useShop(hookedShop);
let sold: string;
let id: string;
beforeEach(async () => {
  sold = soldAtCheckout(shop);
  await processAll(shop);
  await shop.worker.drain();
  id = (await subscriptions())[0]!.id;
});
const { asked } = syncSteps(shop, () => id);

function subscriptions(): Promise<{ id: string; status: string }[]> {
  return select(
    "SELECT id, status FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY seq",
    shop.merchant.of.account.id,
  );
}

function statuses(): string[] {
  return shop.store.contracts().map(({ status }) => status);
}

/** Ended and begun anew, of which the store knows nothing yet. */
async function reactivated(): Promise<void> {
  await asked("POST", "cancel", {});
  await asked("POST", "reactivate", {});
}

/** A webhook of the contract, and a night's pass. */
async function heardOf(): Promise<void> {
  const ctx = await systemOf(shop);
  await refreshContract(ctx, sold);
  const page = { begun_at: ctx.realNow, after: null, found: 0, is_listed: false, is_refused: false };
  expect(await lookAtPage(ctx, null, page)).toMatchObject({ found: 0 });
}

async function minutesPass(): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + 15 * 60_000, toFake: ["Date"] });
  await shop.worker.tick(Date.now() + 1000);
  await shop.worker.drain();
}

test("cancelled and reactivated before the store knows of it: the contract of the checkout ends, and is no second subscription", async () => {
  await reactivated();
  await heardOf();
  expect(statuses()).toEqual(["ACTIVE"]);
  expect(await subscriptions()).toEqual([{ id, status: "ACTIVE" }]);
  await minutesPass();
  expect(statuses()).toEqual(["CANCELLED", "ACTIVE"]);
  const linked = await expectMirrored(shop, id);
  expect(linked).toBe(shop.store.contracts()[1]);
  await heardOf();
  await minutesPass();
  expect(await subscriptions()).toEqual([{ id, status: "ACTIVE" }]);
  const actions = (await feedOf(shop.merchant, id)).map(({ action }) => action);
  expect(actions.slice(0, 3)).toEqual([
    "store_contract_linked",
    "subscription_reactivated",
    "subscription_cancelled",
  ]);
});

test("the other contract is not made while the store does not say that the one of the checkout has ended", async () => {
  shop.store.fail({ kind: "http500", on: "CancelContract", times: 1 });
  await reactivated();
  await shop.worker.drain();
  expect(statuses()).toEqual(["ACTIVE"]);
  expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE", store_contract_id: null });
  await heardOf();
  await minutesPass();
  expect(statuses()).toEqual(["CANCELLED", "ACTIVE"]);
  expect(await subscriptions()).toHaveLength(1);
});

test.each([
  ["twice", reactivated, ["CANCELLED", "ACTIVE"], "ACTIVE"],
  ["and cancelled again", () => asked("POST", "cancel", {}), ["CANCELLED"], "CANCELLED"],
])("reactivated %s before the store knows of it", async (_, then, contracts, status) => {
  await reactivated();
  await then();
  await minutesPass();
  expect(statuses()).toEqual(contracts);
  await heardOf();
  await minutesPass();
  expect(await subscriptions()).toEqual([{ id, status }]);
});

test("a former contract that the store does not know is no obstacle", async () => {
  await reactivated();
  await execute("UPDATE subscriptions SET former_contract_id = 1 WHERE id = ?", id);
  await minutesPass();
  expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE", store_sync_error: null });
  expect(statuses()).toHaveLength(2);
});
