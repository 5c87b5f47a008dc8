/** Each webhook of the store leads to what the store then says, and changes nothing by itself. */
import { describe, expect, test } from "vitest";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { type Json, read } from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { attemptsOf, ordersOf } from "../../support/worker.ts";
import {
  chargePending,
  deliveriesOf,
  expectAllDone,
  hookedShop,
  processAll,
  reach,
  sendAccepted,
} from "./hooks.ts";

const shop = useShop(hookedShop);

function accountId() {
  return shop.merchant.of.account.id;
}
describe("subscription_billing_attempts", () => {
  test("success: recorded at once, as polling would", async () => {
    const id = await subscribed(shop);
    await chargePending(shop, id);
    shop.store.settle();
    await processAll(shop, (hooks) =>
      hooks.filter(({ topic }) => topic.startsWith("subscription_billing_attempts/")),
    );
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await ordersOf(shop.merchant, id)).toMatchObject([{ total: 24.9, status: "PAID" }]);
    await expectAllDone(shop);
  });

  test("failure: the store's answer counts, whatever the topic says", async () => {
    const id = await subscribed(shop);
    shop.store.nextOutcomes(outcomes.payment("CARD_DECLINED" as never));
    await chargePending(shop, id);
    shop.store.settle();
    await processAll(shop, (hooks) =>
      hooks
        .map((hook) => ({
          ...hook,
          headers: { ...hook.headers, "X-Shopify-Topic": "subscription_billing_attempts/success" },
        }))
        .filter(({ topic }) => topic === "subscription_billing_attempts/failure"),
    );
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "FAILED", error_code: "card_declined" },
    ]);
    expect(await ordersOf(shop.merchant, id)).toEqual([]);
  });

  test("a webhook of a success that has not happened changes nothing", async () => {
    const id = await subscribed(shop);
    await chargePending(shop, id);
    const { key } = shop.store.attempts[0]!;
    await sendAccepted(
      shop,
      await shop.store.webhookOf("subscription_billing_attempts/success", { idempotency_key: key }),
    );
    await shop.worker.drain({ soon: false });
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "PROCESSING" }]);
    await expectAllDone(shop);
  });

  test("challenged: the customer has to confirm", async () => {
    const id = await subscribed(shop);
    shop.store.nextOutcomes(outcomes.challenge());
    await chargePending(shop, id);
    shop.store.settle();
    await processAll(shop);
    const [attempt] = await attemptsOf(shop.merchant, id);
    expect(attempt).toMatchObject({ status: "ACTION_REQUIRED", next_action_url: expect.any(String) });
  });

  test("an unknown key is ignored", async () => {
    await sendAccepted(
      shop,
      await shop.store.webhookOf("subscription_billing_attempts/success", { idempotency_key: "k" }),
    );
    await shop.worker.drain({ soon: false });
    await expectAllDone(shop);
  });
});

test("all webhooks of a life, each twice with two ids and in reverse order, change nothing", async () => {
  const id = await subscribed(shop);
  await chargePending(shop, id);
  shop.store.settle();
  const order = shop.store.charges[0]!.order;
  shop.store.fulfill(order, { tracking: { company: "DHL", number: "T1", url: "https://dhl.example/T1" } });
  shop.store.refund(order, 490);
  await processAll(shop, (hooks) => {
    const again = hooks.map((hook) => ({
      ...hook,
      headers: { ...hook.headers, "X-Shopify-Webhook-Id": crypto.randomUUID() },
    }));
    return [...hooks, ...again].toReversed();
  });
  await shop.worker.drain();
  expect(await ordersOf(shop.merchant, id)).toMatchObject([
    {
      store_order_id: plain(order!),
      status: "PARTIALLY_REFUNDED",
      fulfillment_status: "FULFILLED",
      tracking_number: "T1",
    },
  ]);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(shop.store.charges).toHaveLength(1);
  expect(await read(shop.merchant, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 20 });
  await expectAllDone(shop);
});

describe("subscription_contracts", () => {
  test("a subscription follows a change of its contract at the store", async () => {
    const id = await subscribed(shop);
    const { store_contract_id } = await read(shop.merchant, id);
    await processAll(shop);
    shop.store.merchant.cancel(store_contract_id);
    await processAll(shop);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "CANCELLED" });
    await expectAllDone(shop);
  });

  test("one that no subscription has is ignored", async () => {
    const admin_graphql_api_id = "gid://shopify/SubscriptionContract/404";
    await sendAccepted(
      shop,
      await shop.store.webhookOf("subscription_contracts/create", { admin_graphql_api_id }),
    );
    await shop.worker.drain({ soon: false });
    await expectAllDone(shop);
  });
});

test("customer_payment_methods: the details of a card follow the store", async () => {
  await subscribed(shop);
  shop.store.replaceInstrument(shop.card, { lastDigits: "1111", expiryYear: 2039 });
  await processAll(shop);
  const [method] = await select<Json>(
    "SELECT last4, exp_year, status FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_payment_method_id = ?",
    accountId(),
    plain(shop.card),
  );
  expect(method).toEqual({ last4: "1111", exp_year: 2039, status: "VALID" });
  shop.store.revokePaymentMethod(shop.card);
  await processAll(shop);
  const [revoked] = await select<Json>(
    "SELECT status FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_payment_method_id = ?",
    accountId(),
    plain(shop.card),
  );
  expect(revoked).toEqual({ status: "REVOKED" });
});

test("selling_plan_groups: the plans follow the store", async () => {
  shop.store.addPlanGroup({
    plans: [{ name: "Every other week", billing: { interval: "WEEK", intervalCount: 2 } }],
  });
  await processAll(shop);
  expect(
    await select(
      "SELECT name FROM selling_plans WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND name LIKE 'Every other%'",
      accountId(),
    ),
  ).toEqual([{ name: "Every other week" }]);
});

test("a webhook of one shop that names another shop's records does not change them", async () => {
  const theirs = shop;
  const id = await subscribed(theirs);
  await chargePending(shop, id);
  theirs.store.settle();
  const key = theirs.store.attempts[0]!.key;
  const order = theirs.store.charges[0]!.order;
  const { store_contract_id } = await read(theirs.merchant, id);
  const mine = await hookedShop();
  reach(mine, theirs);
  const before = await rowsOf(theirs.merchant.of.account.id);
  const customer = { id: Number(theirs.store.contracts()[0]!.customer.id.split("/").at(-1)) };
  const domain = mine.merchant.of.account.shop;
  const gid = (kind: string, number: string | number) => ({
    admin_graphql_api_id: `gid://shopify/${kind}/${number}`,
  });
  const payloads: [string, object][] = [
    ["subscription_billing_attempts/success", { idempotency_key: key }],
    ["subscription_contracts/cancel", gid("SubscriptionContract", store_contract_id)],
    ["orders/cancelled", { admin_graphql_api_id: order }],
    ["refunds/create", { order_id: Number(order.split("/").at(-1)) }],
    ["customer_payment_methods/revoke", { admin_graphql_api_id: theirs.card }],
    ["customers/data_request", { shop_id: 1, shop_domain: domain, customer, data_request: { id: 1 } }],
    ["customers/redact", { shop_id: 1, shop_domain: domain, customer, orders_to_redact: [] }],
  ];
  for (const [topic, payload] of payloads)
    await sendAccepted(mine, await mine.store.webhookOf(topic, payload as Record<string, unknown>));
  await mine.worker.drain();
  expect(await rowsOf(theirs.merchant.of.account.id)).toBe(before);
  expect((await deliveriesOf(mine)).every(({ done_at }) => done_at !== null)).toBe(true);
});
