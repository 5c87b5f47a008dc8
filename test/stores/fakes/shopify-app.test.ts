/** The fake Shopify sends webhooks and installs apps as Shopify documents it. */
import { describe, expect, test } from "vitest";
import {
  createWebhook,
  listWebhooks,
  readShop,
  updateWebhook,
} from "../../../src/stores/shopify/documents.ts";
import { signatureOf } from "../../support/fake-shopify.ts";
import { type Json, openStore, requestOf, shop } from "../shopify/store.ts";

const uri = "https://perennial.test/webhooks/shopify";

function registering() {
  const of = openStore();
  of.store.dropSubscriptions();
  const create = (webhook: Json, topic = "ORDERS_CREATE"): Promise<Json> =>
    of.answer(createWebhook, { topic, webhook });
  const update = (id: string, webhook: Json): Promise<Json> => of.answer(updateWebhook, { id, webhook });
  const messageOf = async (payload: Promise<Json>): Promise<string> => {
    const { webhookSubscription, userErrors } = await payload;
    expect(webhookSubscription).toBeNull();
    return userErrors[0].message;
  };
  return { ...of, create, update, messageOf };
}

describe("a webhook subscription", () => {
  test("is created, listed and changed", async () => {
    const { store, create, update, answer } = registering();
    const { webhookSubscription, userErrors } = await create({ uri, includeFields: ["id"] });
    expect(userErrors).toEqual([]);
    const { id } = webhookSubscription;
    await create({ uri }, "ORDERS_PAID");
    const list = async () => (await answer(listWebhooks)).nodes;
    expect(await list()).toEqual([
      { id, topic: "ORDERS_CREATE", uri, includeFields: ["id"] },
      { id: expect.stringMatching(/WebhookSubscription/), topic: "ORDERS_PAID", uri, includeFields: [] },
    ]);
    expect(await update(id, { uri: `${uri}/2` })).toEqual({ webhookSubscription: { id }, userErrors: [] });
    expect(store.registered()[0]).toEqual({
      id,
      topic: "ORDERS_CREATE",
      uri: `${uri}/2`,
      includeFields: ["id"],
    });
  });

  test("is one of its topic and address", async () => {
    const { store, create, update, messageOf } = registering();
    await create({ uri });
    const other = (await create({ uri: `${uri}/2` })).webhookSubscription.id;
    const taken = "Address for this topic has already been taken";
    expect(await messageOf(create({ uri }))).toBe(taken);
    expect(await messageOf(update(other, { uri }))).toBe(taken);
    expect((await update(other, { uri: `${uri}/2`, includeFields: ["id"] })).userErrors).toEqual([]);
    expect(store.registered()).toHaveLength(2);
  });

  test("needs an https address, and to exist before it can be changed", async () => {
    const { store, create, update, messageOf } = registering();
    expect(await messageOf(create({ uri: "http://perennial.test" }))).toContain("protocol");
    expect(await messageOf(create({}))).toContain("blank");
    expect(await messageOf(update("gid://shopify/WebhookSubscription/1", { uri }))).toContain("not be found");
    store.refuse("webhookSubscriptionCreate", "ACCESS");
    expect(await messageOf(create({ uri }))).toBe("Refused: ACCESS");
    expect(store.registered()).toEqual([]);
  });

  test("is never one of the topics that every app must take", async () => {
    const { ask } = registering();
    const { errors } = await ask(createWebhook, { topic: "CUSTOMERS_REDACT", webhook: { uri } });
    expect(errors[0].message).toContain("CUSTOMERS_REDACT");
  });
});

describe("an event", () => {
  test("is sent to the subscriptions of its topic alone, with the fields that they include", async () => {
    const { store, customer, create } = registering();
    store.addOrder({ customer, total: 100 });
    expect(await store.webhooks()).toEqual([]);
    await create({ uri, includeFields: ["admin_graphql_api_id"] });
    const id = store.addOrder({ customer, total: 100 });
    const sent = await store.webhooks();
    expect(sent.map(({ topic, body }) => [topic, JSON.parse(body)])).toEqual([
      ["orders/create", { admin_graphql_api_id: id }],
    ]);
    store.dropSubscriptions("ORDERS_CREATE");
    store.addOrder({ customer, total: 100 });
    expect(await store.webhooks()).toEqual([]);
  });
});

describe("a webhook that the test creates", () => {
  test.each(["customers/redact", "customers/data_request", "shop/redact", "app/uninstalled"])(
    "is signed as any other: %s",
    async (topic) => {
      const { store } = openStore({ secret: "hush" });
      const { headers, body } = await store.webhookOf(topic, { shop_domain: shop });
      expect(JSON.parse(body)).toEqual({ shop_domain: shop });
      expect(headers).toMatchObject({
        "X-Shopify-Topic": topic,
        "X-Shopify-Shop-Domain": shop,
        "X-Shopify-Hmac-Sha256": await signatureOf("hush", body),
      });
      expect(await store.webhooks()).toEqual([]);
    },
  );
});

describe("an app that is uninstalled", () => {
  test("receives that webhook last, and its token and subscriptions are invalid", async () => {
    const { store, customer, topics } = openStore();
    store.uninstall();
    expect((await store.fetch(requestOf(readShop))).status).toBe(401);
    store.addOrder({ customer, total: 100 });
    expect(await topics()).toEqual(["app/uninstalled"]);
    expect(store.registered()).toEqual([]);
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: store.settings.clientId,
      client_secret: store.settings.secret,
    });
    const grant = new Request(`https://${shop}/admin/oauth/access_token`, { method: "POST", body });
    expect((await store.fetch(grant)).status).toBe(400);
  });

  test("may be installed again, with another token", async () => {
    const { store } = openStore();
    store.uninstall();
    store.install("shpat_again");
    expect((await store.fetch(requestOf(readShop))).status).toBe(401);
    expect((await store.fetch(requestOf(readShop, {}, { token: "shpat_again" }))).status).toBe(200);
  });
});
