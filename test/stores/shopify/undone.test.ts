/** A subscription whose cancellation is undone keeps its contract or gets another, and is charged once. */
import { beforeEach, describe, expect, test } from "vitest";
import { actionsOf, inDays, on, read } from "../../support/shops.ts";
import { attemptsOf, setClock, shipNow } from "../../support/worker.ts";
import { expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";
import { syncSteps } from "./sync-steps.ts";

/** A contract that has ended at Shopify cannot be restored: a cancellation that is undone afterwards needs another one, in the same life. */
const shop = useShop();
let id: string;
let own: number;
beforeEach(async () => {
  id = await subscribed(shop, { next_delivery_date: inDays(20) });
  own = (await read(shop.merchant, id)).store_contract_id;
});
const { noticed, overtakenAt } = syncSteps(shop, () => id);

async function change(part: string, body: object = {}): Promise<string> {
  const answer = await shop.worker.call(shop.merchant.api, "POST", on(id, part), { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.headers.get("Entry-Id")!;
}

const statuses = () => shop.store.contracts().map(({ status }) => status);

async function later(): Promise<void> {
  setClock(Date.now() + 3_700_000);
  for (let times = 0; times < 3; times++) await shop.worker.tick();
}

describe("a cancellation that is undone", () => {
  test("after the store has ended its contract gets another, and is charged by that once", async () => {
    const entry = await change("cancel");
    await shop.worker.drain();
    expect(statuses()).toEqual(["CANCELLED"]);
    await change("undo", { entry_id: entry });
    await shop.worker.drain();
    await later();
    expect(statuses()).toEqual(["CANCELLED", "ACTIVE"]);
    const shown = await read(shop.merchant, id);
    expect(shown).toMatchObject({ status: "ACTIVE", current_billing_cycle: 1 });
    expect(shown.store_contract_id).not.toBe(own);
    await expectMirrored(shop, id);
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", cycle: 1 }]);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("before the store has heard of it keeps its contract", async () => {
    await change("undo", { entry_id: await change("cancel") });
    await shop.worker.drain();
    await later();
    expect(statuses()).toEqual(["ACTIVE"]);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE", store_contract_id: own });
  });

  test("while the store is being told of it gets another, whenever that arrives", async () => {
    const entry = await change("cancel");
    const late = await overtakenAt("answer", "CancelContract");
    await change("undo", { entry_id: entry });
    await late();
    await shop.worker.drain();
    await later();
    expect(statuses()).toEqual(["CANCELLED", "ACTIVE"]);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE" });
  });

  test("whose end arrives at the store once both agreed again gets another too", async () => {
    shop.store.fail({ kind: "network", effect: "late", on: "CancelContract" });
    const entry = await change("cancel");
    await shop.worker.drain({ soon: false });
    await change("undo", { entry_id: entry });
    setClock(Date.now() + 125_000);
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(statuses()).toEqual(["ACTIVE"]);
    await shop.store.arriveLate();
    expect(statuses()).toEqual(["CANCELLED"]);
    await change("pause");
    await shop.worker.drain();
    expect(statuses()).toEqual(["CANCELLED", "PAUSED"]);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "PAUSED" });
  });

  test("is over all the same where somebody ends its new contract at the store", async () => {
    const entry = await change("cancel");
    await shop.worker.drain();
    await change("undo", { entry_id: entry });
    await shop.worker.drain();
    const { store_contract_id } = await read(shop.merchant, id);
    shop.store.merchant.cancel(store_contract_id);
    await noticed();
    expect(await read(shop.merchant, id)).toMatchObject({ status: "CANCELLED" });
  });
});

test("a reactivation that is undone leaves no contract alive, linked or not, and can be made again", async () => {
  for (const isLinked of [true, false]) {
    await change("cancel");
    await shop.worker.drain();
    const entry = await change("reactivate", { next_delivery_date: inDays(9) });
    if (isLinked) await shop.worker.drain();
    await change("undo", { entry_id: entry });
    await shop.worker.drain();
    await later();
    expect(await read(shop.merchant, id)).toMatchObject({ status: "CANCELLED", current_billing_cycle: 1 });
    expect(statuses().every((status) => status === "CANCELLED")).toBe(true);
    await change("reactivate", { next_delivery_date: inDays(9) });
    await shop.worker.drain();
    await later();
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE" });
    expect(statuses().filter((status) => status === "ACTIVE")).toHaveLength(1);
  }
  expect(await actionsOf(id)).not.toContain("store_sync_refused");
});
