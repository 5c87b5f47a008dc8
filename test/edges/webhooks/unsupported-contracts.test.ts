/** A contract that cannot be taken over is listed with its reason, bills nobody, and is looked at again. */
import { describe, expect, test } from "vitest";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { soldAtCheckout } from "../../stores/shopify/sold.ts";
import { api } from "../../support/client.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { deliver, done, type Json, openShop } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { credentialsKey, hookedShop, logged, processAll, sendAccepted, sendAll } from "./hooks.ts";

/** No job waits for the shop's points. */
const shop = useShop(() => hookedShop({ maximum: 1e9, restoreRate: 1e9 }));
const path = "/api/account/store/unsupported-contracts";

async function listed(query: Record<string, string> = {}): Promise<Json[]> {
  const { status, body } = await api(shop.merchant.api, "GET", path, { query });
  expect(status).toBe(200);
  return body.data;
}

function imported(): Promise<Json[]> {
  return select(
    "SELECT * FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
}

/** A contract whose customer has no address of their own cannot be taken over. */
function soldToNobody(): string {
  return soldAtCheckout(shop, { customer: { email: null } });
}

async function alerts(act: () => Promise<unknown>): Promise<Json[]> {
  return (await logged(act)).filter(({ event }) => event === "contract_not_taken_over");
}

describe("a contract that cannot be taken over", () => {
  test("is listed with why, is no subscription, and nobody is billed", async () => {
    const contract = shop.store.contract(soldToNobody());
    await processAll(shop);
    await shop.worker.drain();
    expect(await listed()).toEqual([
      {
        store_contract_id: contract.number,
        reason: "CUSTOMER",
        message: "its customer has no e-mail address of their own",
        currency_code: "EUR",
        store_customer_id: plain(contract.customer.id),
        first_seen_at: expect.any(String),
        last_seen_at: expect.any(String),
      },
    ]);
    expect(await imported()).toEqual([]);
    expect(shop.store.charges).toEqual([]);
  });

  test("is an alert once, however often its webhooks come, and again where the reason is another", async () => {
    const contract = shop.store.contract(soldToNobody());
    const first = await alerts(() => processAll(shop));
    expect(first).toMatchObject([{ alert: true, store_contract_id: contract.number, reason: "CUSTOMER" }]);
    const [{ first_seen_at }] = (await listed()) as [Json];
    shop.store.merchant.edit(contract.id, { note: "Ring twice" });
    expect(await alerts(() => processAll(shop))).toEqual([]);
    contract.customer.email = "grace@customers.test";
    contract.lines[0]!.sellingPlanId = null;
    shop.store.merchant.edit(contract.id, { note: "Ring once" });
    expect(await alerts(() => processAll(shop))).toMatchObject([{ alert: true, reason: "LINES" }]);
    expect(await listed()).toMatchObject([{ reason: "LINES", first_seen_at }]);
  });

  test("and is cancelled at the store is no longer listed", async () => {
    const contract = shop.store.contract(soldToNobody());
    await processAll(shop);
    expect(await listed()).toHaveLength(1);
    shop.store.merchant.cancel(contract.id);
    await processAll(shop);
    expect(await listed()).toEqual([]);
  });

  test("is taken over once that has changed, and no longer listed", async () => {
    const contract = shop.store.contract(soldToNobody());
    await processAll(shop);
    contract.customer.email = "grace@customers.test";
    shop.store.merchant.edit(contract.id, {});
    await processAll(shop);
    expect(await listed()).toEqual([]);
    expect(await imported()).toMatchObject([{ store_contract_id: contract.number }]);
  });
});

describe("every other reason for which a contract cannot be taken over is listed too", () => {
  const month = { interval: "MONTH", intervalCount: 1 } as const;
  test.each<[string, () => unknown]>([
    ["CUSTOMER", () => soldAtCheckout(shop, { customer: { email: null } })],
    [
      "INTERVALS",
      () => soldAtCheckout(shop, { policy: month, deliveryPolicy: { interval: "WEEK", intervalCount: 3 } }),
    ],
    [
      "PRICES",
      () => {
        shop.store.addCode("EACH", { amount: 100, each: true, recurringCycleLimit: 3 });
        return soldAtCheckout(shop, { codes: ["EACH"] });
      },
    ],
    [
      "LINES",
      () => {
        const contract = shop.store.contract(soldAtCheckout(shop));
        contract.lines[0]!.sellingPlanId = null;
        return contract.id;
      },
    ],
    [
      "PAYMENT_METHOD",
      () => {
        const contract = shop.store.contract(soldAtCheckout(shop));
        contract.method = shop.store.method(
          shop.store.addPaymentMethod(shop.store.addCustomer({ email: "another@customers.test" })),
        );
        return contract.id;
      },
    ],
  ])("%s", async (reason, make) => {
    make();
    await processAll(shop);
    expect(await listed()).toMatchObject([{ reason, message: expect.stringMatching(/\w+ \w+/) }]);
    expect(await imported()).toEqual([]);
  });
});

describe("every night the listed contracts are looked at again, as webhooks may have been lost", () => {
  const night = async (): Promise<void> => {
    await shop.store.webhooks();
    await execute(
      "UPDATE shopify_connections SET next_action_at = '2026-01-01' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.merchant.of.account.id,
    );
    for (let minutes = 0; minutes < 3; minutes++)
      await shop.worker.tick(new Date(Date.now() + minutes * 60_000));
  };

  test("all of them are, a page a minute, also where there are more than a page", async () => {
    const contracts = Array.from({ length: 30 }, () =>
      shop.store.contract(soldAtCheckout(shop, { customer: { email: null } })),
    );
    await processAll(shop);
    expect(await imported()).toEqual([]);
    for (const [nth, { customer }] of contracts.entries()) customer.email = `grace${nth}@customers.test`;
    await night();
    expect(await imported()).toHaveLength(30);
  });

  test("one that can be taken over by then is", async () => {
    const contract = shop.store.contract(soldAtCheckout(shop, { customer: { email: null } }));
    await processAll(shop);
    contract.customer.email = "grace@customers.test";
    await night();
    expect(await listed()).toEqual([]);
    expect(await imported()).toMatchObject([{ store_contract_id: contract.number }]);
  });

  test("one that has ended is no longer listed; another one stays, seen anew, without an alert", async () => {
    const [ended, other] = [soldToNobody(), soldToNobody()];
    await processAll(shop);
    const before = await listed();
    shop.store.merchant.cancel(ended);
    expect(await alerts(night)).toEqual([]);
    const after = await listed();
    expect(after).toMatchObject([{ store_contract_id: shop.store.contract(other).number }]);
    const same = before.find(({ store_contract_id }) => store_contract_id === after[0]!.store_contract_id);
    expect(after[0]!.first_seen_at).toBe(same!.first_seen_at);
    expect(after[0]!.last_seen_at > same!.last_seen_at).toBe(true);
  });
});

test.each([
  ["taken over", []],
  ["taken over, and left by a reactivation", ["cancel", "reactivate"]],
])(
  "a contract that is %s while another job notes that it may not be read is not listed",
  async (_, steps) => {
    soldAtCheckout(shop);
    await sendAll(shop);
    const jobs = shop.worker.sent();
    const takenOver = async () => {
      shop.store.settings.showsCustomers = true;
      await shop.worker.drain({ soon: false });
      const [{ id }] = (await imported()) as [Json];
      for (const step of steps) await done(shop.merchant.api, "POST", id, step, {});
    };
    const DB = interrupted(/INSERT INTO unsupported_contracts/, { before: takenOver, once: true });
    shop.store.settings.showsCustomers = false;
    await deliver(jobs, { bindings: { ...shop.worker.bindings, DB } });
    expect(await imported()).toHaveLength(1);
    expect(await listed()).toEqual([]);
  },
);

test("the list has pages, newest first, and another account's contracts are not in it", async () => {
  for (let nth = 0; nth < 3; nth++) {
    soldToNobody();
    await processAll(shop);
  }
  const all = (await listed()).map(({ store_contract_id }) => store_contract_id);
  expect(all).toEqual(all.toSorted((one, other) => other - one));
  expect(all).toHaveLength(3);
  expect(await listed({ limit: "2", page: "2" })).toMatchObject([{ store_contract_id: all[2] }]);
  const other = await openShop();
  expect((await api(other.api, "GET", path)).body).toMatchObject({ data: [], meta: { total: 0 } });
});

describe("customers/redact", () => {
  const redact = async (customer: number): Promise<void> => {
    const payload = {
      shop_id: 1,
      shop_domain: shop.merchant.of.account.shop,
      customer: { id: customer },
      orders_to_redact: [],
    };
    await sendAccepted(shop, await shop.store.webhookOf("customers/redact", payload));
    await shop.worker.drain({ soon: false });
  };

  test("erases whose contract it is, though they have no profile, and nothing brings it back", async () => {
    const contract = shop.store.contract(soldToNobody());
    soldToNobody();
    await processAll(shop);
    await redact(contract.customer.number);
    const customers = async () =>
      (await listed()).map((one) => [
        one.store_contract_id === contract.number,
        one.store_customer_id !== null,
      ]);
    const expected = [
      [false, true],
      [true, false],
    ];
    expect(await customers()).toEqual(expected);
    shop.store.merchant.edit(contract.id, { note: "Ring twice" });
    await processAll(shop);
    expect(await customers()).toEqual(expected);
  });
});

describe("the currencies in which the store sells", () => {
  const account = async (): Promise<Json> => (await api(shop.merchant.api, "GET", "/api/account")).body.data;

  test("are shown by the account, and returned to whoever connects it", async () => {
    expect((await account()).store_currencies).toEqual(["EUR"]);
    shop.store.settings.currencies = ["GBP", "JPY"];
    const { token, secret } = shop.store.settings;
    const connected = await connectShopify(
      testDb(),
      credentialsKey,
      shop.merchant.of.account,
      { token, secret },
      new Date().toISOString(),
    );
    expect(connected.store_currencies).toEqual(["EUR", "GBP", "JPY"]);
    expect((await account()).store_currencies).toEqual(["EUR", "GBP", "JPY"]);
    expect((await api((await openShop()).api, "GET", "/api/account")).body.data.store_currencies).toBeNull();
  });
});

test("a contract that was made here is never listed", async () => {
  await subscribed(shop);
  await processAll(shop);
  expect(await listed()).toEqual([]);
});
