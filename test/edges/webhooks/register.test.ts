/** Every topic is registered at the store once, with the fields that it needs and a scope that the app has. */
import { buildSchema, type GraphQLEnumType } from "graphql";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { optionalScopes, requiredScopes } from "../../../src/stores/shopify/app/scopes.ts";
import { refusalOfRequired, registerWebhooks } from "../../../src/stores/shopify/register-webhooks.ts";
import { complianceTopics, registrable, topics } from "../../../src/stores/shopify/topics.ts";
import sdl from "../../stores/shopify/admin-2026-10.graphql?raw";
import { scopesOfTopics } from "../../support/fake-shopify/schema.ts";
import { type FakeShopify, fakeShopify, fetchOf } from "../../support/fake-shopify.ts";

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

test("a refused topic is named with the reason, and all others are registered", async () => {
  store.settings.scopes = requiredScopes.filter((scope) => scope !== "read_customer_payment_methods");
  const results = await registerWebhooks(connection, url);
  const why = "You cannot create a webhook subscription with the specified topic";
  const refused = (topic: string, is_required: boolean) => ({
    topic,
    registration: "refused",
    is_required,
    why,
  });
  expect(results.filter(({ registration }) => registration === "refused")).toEqual([
    refused("RETURNS_REQUEST", false),
    refused("RETURNS_APPROVE", false),
    refused("RETURNS_DECLINE", false),
    refused("FULFILLMENTS_CREATE", false),
    refused("FULFILLMENTS_UPDATE", false),
    refused("CUSTOMER_PAYMENT_METHODS_CREATE", true),
    refused("CUSTOMER_PAYMENT_METHODS_UPDATE", true),
    refused("CUSTOMER_PAYMENT_METHODS_REVOKE", true),
    refused("CUSTOMERS_MERGE", false),
  ]);
  expect(store.registered()).toHaveLength(registrable.length - 9);
  expect(refusalOfRequired(results)?.message).toBe(
    `The store refuses these webhooks: CUSTOMER_PAYMENT_METHODS_CREATE: ${why}; CUSTOMER_PAYMENT_METHODS_UPDATE: ${why}; CUSTOMER_PAYMENT_METHODS_REVOKE: ${why}`,
  );
});

test("an app without approval for protected customer data has all topics but those, and is told which", async () => {
  store.settings.showsCustomers = false;
  const results = await registerWebhooks(connection, url);
  const refused = results.filter(({ registration }) => registration === "refused");
  expect(refused.map(({ topic }) => topic)).toEqual(
    registrable
      .map(({ topic }) => topic)
      .filter((topic) => /^(ORDERS|REFUNDS|FULFILLMENTS|CUSTOMERS)_/.test(topic)),
  );
  expect(store.registered()).toHaveLength(registrable.length - refused.length);
  expect(refusalOfRequired(results)?.message).toContain(
    "ORDERS_CREATE: You do not have permission to create or update webhooks with orders/create topic. This topic contains protected customer data.",
  );
});

test("an app whose token is refused is told so, and no topic is blamed", async () => {
  await expect(registerWebhooks({ ...connection, token: "another" }, url)).rejects.toThrow(
    "Shopify answered 401",
  );
});

describe("topics", () => {
  const schema = buildSchema(sdl);
  const known = (schema.getType("WebhookSubscriptionTopic") as GraphQLEnumType)
    .getValues()
    .map(({ name }) => name);

  test("the app asks for a scope of each topic that its description requires", () => {
    const requested = [...requiredScopes, ...optionalScopes];
    const lacking = registrable.filter(({ topic }) => {
      const needed = scopesOfTopics.get(topic)!;
      return needed.length > 0 && !needed.some((scope) => requested.includes(scope));
    });
    expect(lacking).toEqual([]);
    expect(scopesOfTopics.get("FULFILLMENTS_CREATE")).toEqual([
      "read_fulfillments",
      "read_marketplace_orders",
    ]);
    expect(scopesOfTopics.get("CUSTOMERS_MERGE")).toEqual(["read_customer_merge"]);
    expect(scopesOfTopics.get("RETURNS_APPROVE")).toContain("read_returns");
  });

  test("every topic that money depends on needs no scope that the app may lack", () => {
    const lacking = registrable.filter(({ topic, isRequired }) => {
      const needed = scopesOfTopics.get(topic)!;
      return isRequired && needed.length > 0 && !needed.some((scope) => requiredScopes.includes(scope));
    });
    expect(lacking).toEqual([]);
  });

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
      order: { id: 2, admin_graphql_api_id: "gid://shopify/Order/2" },
      idempotency_key: "key",
      updated_at: "2026-11-21T09:00:00Z",
      revision_id: "1",
      status: "active",
      subscription_contract_id: 3,
      cycle_index: 4,
      skipped: true,
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
