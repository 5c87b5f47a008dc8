/** An app that may not read a shop's customers is refused, and its webhooks wait with one alert each. */
import { describe, expect, test, vi } from "vitest";
import { useShop } from "../../stores/shopify/shop.ts";
import { soldAtCheckout } from "../../stores/shopify/sold.ts";
import { execute, select } from "../../support/database.ts";
import type { Json } from "../../support/shops.ts";
import { connect, expectAllDone, hookedShop, logged, sendAll, undoneDeliveries } from "./hooks.ts";

const shop = useShop(hookedShop);

async function listed(): Promise<Json[]> {
  const { body } = await shop.worker.call(
    shop.merchant.api,
    "GET",
    "/api/account/store/unsupported-contracts",
  );
  return body.data;
}

async function adopted(): Promise<number> {
  const rows = await select(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_origin_order_id IS NOT NULL",
    shop.merchant.of.account.id,
  );
  return rows.length;
}

describe("connecting an app that may not read the shop's customers", () => {
  test("is refused, and says what Shopify says", async () => {
    shop.store.settings.showsCustomers = false;
    await expect(connect(shop)).rejects.toThrow(
      "Shopify denies the app protected customer data. This app is not approved to access the Customer object.",
    );
  });

  test("is refused by the name of each field that it may not read", async () => {
    shop.store.settings.hiddenFields = [
      "firstName",
      "defaultEmailAddress",
      "defaultPhoneNumber",
      "defaultAddress",
    ];
    await expect(connect(shop)).rejects.toMatchObject({
      code: "INVALID_STATE",
      details: shop.store.settings.hiddenFields.map((field) => ({
        path: "customer",
        message: expect.stringContaining(`not approved to use the ${field} field`),
      })),
    });
  });
});

describe("an app that may not read the shop's customers any more", () => {
  test("has a contract of the checkout listed, with one alert and no failed job, until it may again", async () => {
    const contract = soldAtCheckout(shop);
    shop.store.settings.showsCustomers = false;
    const lines = await logged(async () => {
      await sendAll(shop, (hooks) =>
        hooks.filter(({ topic }) => topic.startsWith("subscription_contracts/")),
      );
      await shop.worker.drain();
      for (let hours = 1; hours <= 72; hours += 6) {
        vi.useFakeTimers({ now: Date.now() + 6 * 3_600_000, toFake: ["Date"] });
        await shop.worker.tick();
      }
    });
    expect(await listed()).toMatchObject([
      {
        store_contract_id: shop.store.contract(contract).number,
        reason: "ACCESS",
        message: expect.stringContaining("not approved to access the Customer object"),
        currency_code: "EUR",
        store_customer_id: null,
      },
    ]);
    expect(lines.filter(({ alert }) => alert).map(({ event }) => event)).toEqual(["contract_not_taken_over"]);
    expect(lines.filter(({ event }) => event === "queue_job_failed")).toEqual([]);
    await expectAllDone(shop);

    shop.store.settings.showsCustomers = true;
    await execute(
      "UPDATE shopify_connections SET next_action_at = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      new Date().toISOString(),
      shop.merchant.of.account.id,
    );
    await shop.worker.tick();
    expect([await adopted(), await listed()]).toEqual([1, []]);
  });

  test("has other webhooks wait for it, with one alert each", async () => {
    const { store, card, worker } = shop;
    const customer = store.method(card).customer.id;
    store.merchant.editCustomer(customer, { firstName: "Ada" });
    const hooks = await store.webhooks();
    store.settings.showsCustomers = false;
    const lines = await logged(async () => {
      await sendAll(shop, () => hooks);
      for (let turn = 0; turn < 3; turn++) await worker.drain({ soon: false });
    });
    expect(lines.filter(({ event }) => event === "queue_job_failed")).toEqual([]);
    expect(lines.filter(({ event }) => event === "store_access_denied")).toMatchObject([
      { alert: true, topic: "customers/update" },
    ]);
    expect(await undoneDeliveries(shop)).toHaveLength(1);
    store.settings.showsCustomers = true;
    await worker.drain();
    await expectAllDone(shop);
  });
});
