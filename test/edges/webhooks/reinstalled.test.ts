/** An app that is installed again goes on with the subscriptions, their contracts and their charges. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { contractOf, expectMirrored } from "../../stores/shopify/mirrored.ts";
import { plansSent, subscribed, useShop } from "../../stores/shopify/shop.ts";
import { actionsOf, read } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { connect, hookedShop, isDisconnected, processAll } from "./hooks.ts";

/** Shopify cancels an app's contracts two days after the app was uninstalled, and sends nothing about it. */

const shop = useShop(hookedShop);
const hourMs = 3_600_000;
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
  await shop.store.webhooks();
});

function pass(hours: number): void {
  vi.useFakeTimers({ now: Date.now() + hours * hourMs, toFake: ["Date"] });
}

async function reconnect(): Promise<void> {
  shop.store.install("shpat_again");
  const plan = `gid://shopify/SellingPlan/${shop.plan}`;
  shop.store.addPlanGroup({ plans: [{ id: plan, name: "Weekly" }] });
  await shop.store.webhooks();
  await connect(shop);
  await plansSent(shop.merchant);
  pass(0.1);
  await shop.worker.tick();
  await shop.worker.drain();
  pass(0.1);
  await shop.worker.tick();
}

test("installed again after two days: subscriptions live on, and have a new contract that is charged", async () => {
  const before = (await contractOf(shop, id)).number;
  shop.store.uninstall();
  await processAll(shop);
  pass(60);
  await reconnect();
  expect(shop.store.contract(before).status).toBe("CANCELLED");
  const contract = await expectMirrored(shop, id);
  expect(contract.number).not.toBe(before);
  expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
  expect(await actionsOf(id)).not.toContain("subscription_cancelled");
  expect((await actionsOf(id)).filter((action) => action === "store_contract_linked")).toHaveLength(2);
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(shop.store.charges).toMatchObject([{ contract: contract.id, amount: 2490 }]);
});

describe("a plan of the store's own, which is deleted with the app", () => {
  async function reinstallWithoutPlans(): Promise<void> {
    shop.store.uninstall();
    await processAll(shop);
    pass(60);
    shop.store.install("shpat_again");
    await shop.store.webhooks();
    await connect(shop);
    await plansSent(shop.merchant);
    for (let tries = 0; tries < 2; tries++) {
      pass(0.1);
      await shop.worker.tick();
      await shop.worker.drain();
    }
  }

  test("the new contract has the plan's name alone, is charged, and stays as it is", async () => {
    await reinstallWithoutPlans();
    const contract = await contractOf(shop, id);
    expect(contract).toMatchObject({
      status: "ACTIVE",
      lines: [{ sellingPlanId: null, sellingPlanName: "Weekly", quantity: 2 }],
    });
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE", store_sync_error: null });
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(shop.store.charges).toMatchObject([{ contract: contract.id, amount: 2490 }]);
    expect(shop.store.requests.map(({ operation }) => operation)).not.toContain("BeginDraft");
  });

  test("its lines can be changed, and others added", async () => {
    await reinstallWithoutPlans();
    const [line] = (await read(shop.merchant, id)).lines;
    const path = `/api/subscriptions/${id}/lines`;
    await shop.worker.call(shop.merchant.api, "PUT", `${path}/${line.id}`, { body: { quantity: 3 } });
    const added = { ...line, store_variant_id: "41002", quantity: 1 };
    const fields = [
      "store_product_id",
      "store_variant_id",
      "product_title",
      "selling_plan_id",
      "price",
      "quantity",
    ];
    const body = Object.fromEntries(fields.map((field) => [field, added[field]]));
    const { status, text } = await shop.worker.call(shop.merchant.api, "POST", path, { body });
    if (status !== 200) throw new Error(text);
    await shop.worker.drain();
    expect((await read(shop.merchant, id)).store_sync_error).toBe(null);
    expect((await contractOf(shop, id)).lines).toMatchObject([
      { variantId: "gid://shopify/ProductVariant/41001", quantity: 3, sellingPlanId: null },
      { variantId: "gid://shopify/ProductVariant/41002", quantity: 1, sellingPlanId: null },
    ]);
  });
});

test("installed again within two days: the contracts are the same", async () => {
  const before = (await contractOf(shop, id)).number;
  shop.store.uninstall();
  await processAll(shop);
  pass(40);
  await reconnect();
  expect((await expectMirrored(shop, id)).number).toBe(before);
});

test("a contract that was cancelled before the uninstallation ends its subscription, though its webhook was lost", async () => {
  shop.store.merchant.cancel((await contractOf(shop, id)).number);
  await shop.store.webhooks();
  pass(1);
  shop.store.uninstall();
  await processAll(shop);
  pass(60);
  await reconnect();
  expect((await read(shop.merchant, id)).status).toBe("CANCELLED");
  expect(shop.store.contracts()).toHaveLength(1);
});

test("a contract that is cancelled after the installation ends its subscription", async () => {
  shop.store.uninstall();
  await processAll(shop);
  pass(60);
  await reconnect();
  shop.store.merchant.cancel((await contractOf(shop, id)).number);
  await processAll(shop);
  await shop.worker.drain();
  expect((await read(shop.merchant, id)).status).toBe("CANCELLED");
});

describe("an uninstallation whose webhook is lost", () => {
  beforeEach(async () => {
    shop.store.uninstall();
    await shop.store.webhooks();
    pass(12);
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
  });

  test("is noticed by the next request, and nothing is refused or declined", async () => {
    expect(await isDisconnected(shop)).toBe(true);
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "ACTIVE",
      is_in_dunning: false,
      store_sync_error: null,
    });
  });

  test("two days later the subscriptions live on", async () => {
    pass(60);
    await reconnect();
    expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
    expect(shop.store.contracts()).toHaveLength(2);
    expect(await actionsOf(id)).not.toContain("subscription_cancelled");
  });
});
