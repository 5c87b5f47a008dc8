/** A contract whose webhook was lost is taken in by the next night, and registrations that are gone come back. */
import { describe, expect, test, vi } from "vitest";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { registrable } from "../../../src/stores/shopify/topics.ts";
import { subscribed, useShop, webhooksUri } from "../../stores/shopify/shop.ts";
import { soldAtCheckout } from "../../stores/shopify/sold.ts";
import { execute, select, testDb } from "../../support/database.ts";
import type { Json } from "../../support/shops.ts";
import { credentialsKey, hookedShop, logged, sendAll } from "./hooks.ts";

const shop = useShop(hookedShop);
/** From any time of the day, so long takes the next night, at three, at most. */
const nightMs = 27 * 3_600_000;

/** So many checkouts whose webhooks never come. */
async function soldUnheard(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++)
    soldAtCheckout(shop, { customer: { email: `grace${nth}@customers.test` } });
  await shop.store.webhooks();
}

/** Connects the account as the command does, and so that its webhooks come here. */
function connectAnew(): Promise<unknown> {
  const { token, secret } = shop.store.settings;
  return connectShopify(
    testDb(),
    credentialsKey,
    shop.merchant.of.account,
    { token, secret },
    new Date().toISOString(),
    { webhooksUri, registers: true },
  );
}

async function connection(): Promise<Json> {
  const [row] = await select<Json>(
    "SELECT * FROM shopify_connections WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
  return row;
}

/** As many minutes go by, with a tick in each. */
async function minutesPass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
    await shop.worker.tick();
  }
}

/** So many nights later, with the ticks of some minutes. */
async function nightsPass(nights: number): Promise<void> {
  for (let night = 0; night < nights; night++) {
    vi.useFakeTimers({ now: Date.now() + nightMs, toFake: ["Date"] });
    await minutesPass(3);
  }
}

async function adopted(): Promise<number> {
  const rows = await select(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_origin_order_id IS NOT NULL",
    shop.merchant.of.account.id,
  );
  return rows.length;
}

function pagesAsked(): number {
  return shop.store.requests.filter(({ operation }) => operation === "ContractPage").length;
}

describe("a contract whose webhook was lost", () => {
  test("becomes a subscription in the next night, once, and nothing is charged for it", async () => {
    await connectAnew();
    await minutesPass(3);
    await soldUnheard(5);
    expect(await adopted()).toBe(0);
    const lines = await logged(() => nightsPass(1));
    expect(await adopted()).toBe(5);
    expect(lines).toContainEqual(expect.objectContaining({ event: "contracts_found", contracts: 5 }));
    await nightsPass(3);
    expect([await adopted(), shop.store.contracts().length]).toEqual([5, 5]);
    expect(shop.store.charges).toEqual([]);
  });

  test("is found however late: where a look has found any, the next one looks at the same again", async () => {
    await connectAnew();
    await minutesPass(3);
    const { contracts_from } = await connection();
    expect(contracts_from).not.toBeNull();
    await soldUnheard(1);
    shop.store.fail({ kind: "http500", on: "ContractPromises", times: 100 });
    await nightsPass(1).catch(() => undefined);
    expect(await adopted()).toBe(0);
    expect((await connection()).contracts_from).toBe(contracts_from);
  });

  test("is one subscription where the webhook comes after all, at the same time", async () => {
    await connectAnew();
    await minutesPass(3);
    soldAtCheckout(shop);
    const hooks = await shop.store.webhooks();
    await nightsPass(1);
    await sendAll(shop, () => hooks);
    await shop.worker.drain();
    expect(await adopted()).toBe(1);
  });

  test("is looked at once where it cannot be taken over, and then with the others of that list", async () => {
    await connectAnew();
    await minutesPass(3);
    shop.store.contract(soldAtCheckout(shop)).customer.email = null;
    await shop.store.webhooks();
    await nightsPass(1);
    const found = await logged(() => nightsPass(2));
    expect(found.filter(({ event }) => event === "contracts_found")).toEqual([]);
    expect(
      await select(
        "SELECT reason FROM unsupported_contracts WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        shop.merchant.of.account.id,
      ),
    ).toEqual([{ reason: "CUSTOMER" }]);
  });
});

describe("connecting an app that has contracts", () => {
  test("takes them in, a page a minute, and those that have ended not", async () => {
    await soldUnheard(60);
    shop.store.merchant.cancel(shop.store.contracts()[0]!.number);
    await shop.store.webhooks();
    await connectAnew();
    shop.store.requests.splice(0);
    await minutesPass(1);
    expect([pagesAsked(), await adopted()]).toEqual([1, 24]);
    await minutesPass(1);
    expect([pagesAsked(), await adopted()]).toEqual([2, 49]);
    expect(JSON.parse((await connection()).contracts_pass)).toMatchObject({ found: 49 });
    await minutesPass(2);
    expect([pagesAsked(), await adopted()]).toEqual([3, 59]);
    expect((await connection()).contracts_pass).toBeNull();
    expect(shop.store.charges).toEqual([]);
  });

  test("goes on where it was when a message is lost", async () => {
    await soldUnheard(30);
    await connectAnew();
    await minutesPass(1);
    const { contracts_pass } = await connection();
    shop.worker.forget();
    await execute(
      "UPDATE shopify_connections SET next_action_at = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      "2020-01-01T00:00:00.000Z",
      shop.merchant.of.account.id,
    );
    expect(JSON.parse(contracts_pass).after).not.toBeNull();
    await minutesPass(2);
    expect(await adopted()).toBe(30);
  });

  test("leaves the contracts of subscriptions that are here", async () => {
    await subscribed(shop);
    await connectAnew();
    const lines = await logged(() => minutesPass(3));
    expect(lines.filter(({ event }) => event === "contracts_found")).toEqual([]);
    expect(shop.store.contracts()).toHaveLength(1);
  });

  test("whose contracts it may not list is an alert, and tries again in an hour", async () => {
    await connectAnew();
    shop.store.denied.add("subscriptionContracts");
    const alerts = async (minutes: number) =>
      (await logged(() => minutesPass(minutes))).filter(({ event }) => event === "store_not_set_up");
    expect(await alerts(3)).toMatchObject([{ alert: true, cause: expect.stringContaining("Access denied") }]);
    await soldUnheard(1);
    shop.store.denied.clear();
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ["Date"] });
    await minutesPass(2);
    expect(await adopted()).toBe(1);
  });
});

describe("webhook registrations", () => {
  test("are registered before anything is stored, and a refused one that money depends on is a refusal", async () => {
    shop.store.settings.scopes = shop.store.settings.scopes.filter((scope) => scope !== "read_fulfillments");
    shop.store.dropSubscriptions();
    expect(await connectAnew()).toMatchObject({
      webhooks: expect.arrayContaining([
        { topic: "SUBSCRIPTION_CONTRACTS_CREATE", registration: "created" },
        expect.objectContaining({
          topic: "FULFILLMENTS_CREATE",
          registration: "refused",
          is_required: false,
        }),
      ]),
    });
    const before = await connection();
    shop.store.refuse("webhookSubscriptionCreate", "NOT_NOW");
    shop.store.dropSubscriptions();
    await expect(connectAnew()).rejects.toMatchObject({
      code: "INVALID_STATE",
      details: [{ path: "webhooks", message: "SUBSCRIPTION_BILLING_ATTEMPTS_SUCCESS: Refused: NOT_NOW" }],
    });
    expect(await connection()).toEqual(before);
  });

  test("that Shopify has deleted are back after a night, and the log says so", async () => {
    await connectAnew();
    await minutesPass(3);
    shop.store.dropSubscriptions();
    const lines = await logged(() => nightsPass(1));
    expect(shop.store.registered()).toHaveLength(registrable.length);
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "webhooks_registered", webhooks: registrable.length }),
    );
    const next = await logged(() => nightsPass(1));
    expect(next.filter(({ event }) => event === "webhooks_registered")).toEqual([]);
  });

  test("with other fields than are asked for now are registered anew", async () => {
    await connectAnew();
    for (const one of shop.store.registered())
      if (one.topic.startsWith("SUBSCRIPTION_BILLING_ATTEMPTS_")) one.includeFields = ["idempotency_key"];
    await minutesPass(3);
    const fields = shop.store
      .registered()
      .filter(({ topic }) => topic.startsWith("SUBSCRIPTION_BILLING_ATTEMPTS_"))
      .map(({ includeFields }) => includeFields);
    expect(fields).toEqual(fields.map(() => ["admin_graphql_api_id", "idempotency_key"]));
  });

  test("go to the address that was given before when the store is connected anew", async () => {
    await connectAnew();
    const { token, secret } = shop.store.settings;
    await connectShopify(
      testDb(),
      credentialsKey,
      shop.merchant.of.account,
      { token, secret },
      new Date().toISOString(),
    );
    expect((await connection()).webhooks_uri).toBe(webhooksUri);
  });

  test("are no matter of a store that has uninstalled the app", async () => {
    await connectAnew();
    await minutesPass(3);
    await shop.store.webhooks();
    shop.store.uninstall();
    await sendAll(shop);
    await shop.worker.drain();
    expect((await connection()).next_action_at).toBeNull();
    shop.store.requests.splice(0);
    await nightsPass(2);
    expect(shop.store.requests).toEqual([]);
  });
});
