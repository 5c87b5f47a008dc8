/** A signed payload that does not fit its topic is refused, and stores nothing. */
import { describe, expect, test } from "vitest";
import { topics } from "../../../src/stores/shopify/topics.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { signatureOf, type Webhook } from "../../support/fake-shopify.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { deliveriesOf, hookedShop, logged, path, send } from "./hooks.ts";

const shop = useShop(hookedShop);
const order = "gid://shopify/Order/5400000000001";

describe("a signed payload that does not fit its topic is 400, and nothing is stored", () => {
  const signedAs = async (topic: string, payload: unknown): Promise<Webhook> =>
    shop.store.webhookOf(topic, payload as Record<string, unknown>);
  const about = (domain: string) => ({ shop_id: 1, shop_domain: domain });
  const wrong: [string, unknown[]][] = [
    [
      "orders/updated",
      [
        {},
        { id: 1 },
        { admin_graphql_api_id: 1 },
        { admin_graphql_api_id: "gid://shopify/Refund/1" },
        { admin_graphql_api_id: "gid://shopify/Order/1/2" },
        { admin_graphql_api_id: "x gid://shopify/Order/1" },
      ],
    ],
    ["refunds/create", [{}, { order_id: "1" }, { order_id: 1.5 }, { order_id: -1 }, { order_id: null }]],
    ["fulfillments/update", [{}, { order_id: {} }]],
    [
      "subscription_billing_attempts/success",
      [{}, { idempotency_key: "" }, { idempotency_key: "k".repeat(256) }, { idempotency_key: null }],
    ],
    [
      "subscription_contracts/update",
      [
        { admin_graphql_api_id: "gid://shopify/Order/1" },
        { admin_graphql_api_id: "gid://shopify/SubscriptionContract/x" },
      ],
    ],
    [
      "customer_payment_methods/update",
      [{ admin_graphql_api_id: "gid://shopify/CustomerPaymentMethod/" }, { token: "x" }],
    ],
    ["selling_plan_groups/delete", [{}, { admin_graphql_api_id: "gid://shopify/SellingPlan/1" }]],
    ["customers/redact", [{}, { customer: { id: 1 } }]],
    ["shop/redact", [{}, { shop_domain: 1 }]],
  ];
  test.each(wrong)("%s", async (topic, payloads) => {
    for (const payload of payloads) {
      const { status, body } = await send(shop, await signedAs(topic, payload));
      expect([status, body.errorCode], JSON.stringify(payload)).toEqual([400, "VALIDATION_FAILED"]);
      expect(body.details.length).toBeGreaterThan(0);
    }
    expect(await deliveriesOf(shop)).toEqual([]);
  });

  test("not JSON, not an object, another media type", async () => {
    const hook = await shop.store.webhookOf("orders/updated", { admin_graphql_api_id: order });
    const raw = async (body: string, type = "application/json") => {
      const headers = {
        ...hook.headers,
        "X-Shopify-Hmac-Sha256": await signatureOf(shop.store.settings.secret, body),
        "Content-Type": type,
      };
      const { status, body: answer } = await send(shop, { ...hook, headers, body });
      return [status, answer.errorCode];
    };
    expect(await raw("{")).toEqual([400, "INVALID_JSON"]);
    expect(await raw("[]")).toEqual([400, "VALIDATION_FAILED"]);
    expect(await raw('"text"')).toEqual([400, "VALIDATION_FAILED"]);
    expect(await raw("{}", "text/plain")).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect(await raw(`{"admin_graphql_api_id":"${order}\\u0000"}`)).toEqual([400, "VALIDATION_FAILED"]);
    expect(await deliveriesOf(shop)).toEqual([]);
  });

  test("no compliance payload passes for another topic, nor for another shop", async () => {
    const domain = shop.merchant.of.account.shop;
    const customer = { id: 7, email: "cy@customers.test", phone: null };
    const payloads: Record<string, object> = {
      "customers/data_request": {
        ...about(domain),
        customer,
        orders_requested: [1],
        data_request: { id: 9 },
      },
      "customers/redact": { ...about(domain), customer, orders_to_redact: [1] },
      "shop/redact": about(domain),
      "orders/updated": { id: 1, admin_graphql_api_id: order, customer },
    };
    const compliance = Object.keys(payloads).slice(0, 3);
    for (const topic of compliance)
      for (const [its, payload] of Object.entries(payloads)) {
        const { status } = await send(shop, await signedAs(topic, payload));
        expect(status, `${topic} with what ${its} says`).toBe(its === topic ? 200 : 400);
      }
    for (const topic of compliance) {
      const foreign = { ...payloads[topic], shop_domain: "another.myshopify.com" };
      expect((await send(shop, await signedAs(topic, foreign))).status).toBe(400);
    }
    expect((await deliveriesOf(shop)).map(({ subject }) => subject)).toEqual([
      "gid://shopify/Customer/7",
      "gid://shopify/Customer/7",
      domain,
    ]);
  });
});

test("every topic stores an id and nothing else of the payload, and logs nothing of it", async () => {
  const mark = "personal-mark";
  const domain = shop.merchant.of.account.shop;
  const payload = {
    admin_graphql_api_id: order,
    order_id: 1,
    idempotency_key: "key-1",
    email: `${mark}@customers.test`,
    name: mark,
    shop_id: 1,
    shop_domain: domain,
  };
  const lines = await logged(async () => {
    for (const topic of topics.keys()) await send(shop, await shop.store.webhookOf(topic, payload));
  });
  expect(lines.length).toBeGreaterThan(topics.size - 1);
  const all = JSON.stringify(lines) + (await rowsOf(shop.merchant.of.account.id));
  expect(all).not.toContain(mark);
  expect(JSON.stringify(lines)).not.toContain(shop.store.settings.secret);
  expect(lines.filter(({ event }) => event === "request")[0]).toMatchObject({
    route: path,
    account_id: shop.merchant.of.account.id,
  });
});
