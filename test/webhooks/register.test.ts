import { buildSchema, type GraphQLEnumType } from "graphql";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { registerWebhooks } from "../../src/stores/shopify/register-webhooks.ts";
import { complianceTopics, registrable, topics } from "../../src/stores/shopify/topics.ts";
import sdl from "../shopify/admin-2026-10.graphql?raw";
import { type FakeShopify, fakeShopify, fetchOf } from "../support/fake-shopify.ts";

const shop = "perennial-test.myshopify.com";
const url = "https://api.example/webhooks/shopify";
const connection = { shop, token: "shpat_test" };
let store: FakeShopify;
beforeEach(() => {
  store = fakeShopify({ ...connection });
  vi.stubGlobal("fetch", fetchOf(store));
  return () => vi.unstubAllGlobals();
});

async function states(to = url) {
  return Object.groupBy(await registerWebhooks(connection, to), ({ registration }) => registration);
}

test("every topic is registered once, with the fields it needs", async () => {
  const first = await states();
  expect(first.created).toHaveLength(registrable.length);
  expect(store.registered().map(({ topic, uri, includeFields }) => ({ topic, uri, includeFields }))).toEqual(
    registrable.map(({ topic, fields }) => ({ topic, uri: url, includeFields: fields })),
  );
});

test("a repetition writes nothing", async () => {
  await states();
  const before = structuredClone(store.registered());
  store.requests.splice(0);
  expect((await states()).unchanged).toHaveLength(registrable.length);
  expect(store.registered()).toEqual(before);
  expect(store.requests.map(({ operation }) => operation)).toEqual(["Webhooks"]);
});

test("a registration that differs is changed, not duplicated", async () => {
  await states("https://old.example/webhooks/shopify");
  const changed = await states();
  expect(changed.updated).toHaveLength(registrable.length);
  expect(store.registered()).toHaveLength(registrable.length);
  store.registered()[3]!.includeFields = [];
  const mended = await states();
  expect(mended.updated).toEqual([expect.objectContaining({ topic: registrable[3]!.topic })]);
});

test("the order of fields does not matter, and other topics do not change", async () => {
  await states();
  for (const one of store.registered()) one.includeFields.reverse();
  expect((await states()).unchanged).toHaveLength(registrable.length);
});

test("a refusal by Shopify is reported with its topic", async () => {
  await expect(registerWebhooks(connection, "http://insecure.example/")).rejects.toThrow(
    /^[A-Z_]+: Address protocol is not supported/,
  );
});

describe("topics", () => {
  const schema = buildSchema(sdl);
  const known = (schema.getType("WebhookSubscriptionTopic") as GraphQLEnumType)
    .getValues()
    .map(({ name }) => name);

  test("all registrable topics are in the API's enumeration", () => {
    expect(registrable.filter(({ topic }) => !known.includes(topic))).toEqual([]);
    expect(registrable).toHaveLength(topics.size - complianceTopics.length);
  });

  test("the compliance topics are not in the API's enumeration", () => {
    expect(complianceTopics).toEqual(["customers/data_request", "customers/redact", "shop/redact"]);
    for (const topic of complianceTopics) expect(known).not.toContain(topic.toUpperCase().replace("/", "_"));
  });

  test("every topic's fields are enough to identify its record, and hold no personal data", async () => {
    const subjects = {
      admin_graphql_api_id: "gid://shopify/$/1",
      id: 1,
      order_id: 2,
      idempotency_key: "key",
      updated_at: "2026-11-21T09:00:00Z",
      revision_id: "1",
      status: "active",
      admin_graphql_api_customer_kept_id: "gid://shopify/Customer/1",
      admin_graphql_api_customer_deleted_id: "gid://shopify/Customer/2",
    };
    const kinds: Record<string, string> = {
      attempt: "SubscriptionBillingAttempt",
      contract: "SubscriptionContract",
      order: "Order",
      payment_method: "CustomerPaymentMethod",
      selling_plans: "SellingPlanGroup",
      customer: "Customer",
    };
    for (const [name, { kind, fields = [], subjectIn }] of topics) {
      const payload = Object.fromEntries(
        fields.map((field) => {
          const value = subjects[field as keyof typeof subjects];
          expect(value, `${name} ${field}`).toBeDefined();
          return [field, typeof value === "string" ? value.replace("$", kinds[kind] ?? "") : value];
        }),
      );
      if (!complianceTopics.includes(name))
        expect(subjectIn(shop).safeParse(payload).success, name).toBe(true);
    }
  });
});
