/** The fake Shopify proves callers, limits requests, fails and signs as Shopify documents it. */
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createAttempt,
  readAttempts,
  readPaymentMethod,
  readShop,
} from "../../../src/stores/shopify/documents.ts";
import { rootOf } from "../../support/fake-shopify/root.ts";
import { schema } from "../../support/fake-shopify/schema.ts";
import { fakeStore } from "../../support/fake-shopify/store.ts";
import {
  type Fault,
  fakeShopify,
  fetchOf,
  outcomes,
  signatureOf,
  type Webhook,
} from "../../support/fake-shopify.ts";
import { type Json, openStore, requestOf, shop } from "../shopify/store.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a request", () => {
  test("needs the shop's token, address and version", async () => {
    const { store } = openStore();
    const unknown = await store.fetch(requestOf(readShop, {}, { token: "shpat_other" }));
    expect(unknown.status).toBe(401);
    expect(await unknown.json()).toEqual({
      errors: "[API] Invalid API key or access token (unrecognized login or wrong password)",
    });
    const url = `https://${shop}/admin/api/2025-01/graphql.json`;
    expect((await store.fetch(requestOf(readShop, {}, { url }))).status).toBe(404);
  });

  test("gets the token for the app's client credentials", async () => {
    const { store } = openStore({ clientId: "id", secret: "hush" });
    const grant = async (client_secret: string): Promise<Json> => {
      const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "id", client_secret });
      const response = await store.fetch(
        new Request(`https://${shop}/admin/oauth/access_token`, { method: "POST", body }),
      );
      return response.json();
    };
    const { access_token, expires_in } = await grant("hush");
    expect(expires_in).toBe(86_399);
    expect((await store.fetch(requestOf(readShop, {}, { token: access_token }))).status).toBe(200);
    expect(await grant("other")).toEqual({ error: "invalid_client" });
  });

  test("reaches the stores of the test by the global fetch, and no others", async () => {
    vi.stubGlobal("fetch", fetchOf(openStore().store, fakeShopify({ shop: "b.myshopify.com", token: "b" })));
    expect((await fetch(requestOf(readShop))).status).toBe(200);
    const url = "https://b.myshopify.com/admin/api/2026-10/graphql.json";
    const answer = await fetch(requestOf(readShop, {}, { url, token: "b" }));
    expect(((await answer.json()) as Json).data.shop.myshopifyDomain).toBe("b.myshopify.com");
    await expect(fetch("https://example.com/")).rejects.toThrow("No store");
  });

  test("that the schema does not define is an error, as is a field that the token may not read", async () => {
    const { ask, store } = openStore();
    expect((await ask("{ shop { planets } }")).errors[0].message).toContain("planets");
    expect((await ask("{ shop {")).errors[0].message).toContain("Syntax Error");
    expect((await ask(createAttempt, { contract: "x" })).errors[0].extensions.code).toBe("INVALID_VARIABLE");
    store.denied.add("customerPaymentMethod");
    expect(await ask(readPaymentMethod, { id: "gid://shopify/CustomerPaymentMethod/0" })).toMatchObject({
      data: { customerPaymentMethod: null },
      errors: [{ extensions: { code: "ACCESS_DENIED" }, path: ["customerPaymentMethod"] }],
    });
  });
});

describe("throttling", () => {
  test("mutations cost ten points, queries their fields; points for missing records are returned", async () => {
    const { ask, contract, bill } = openStore();
    const cost = async (query: string, variables?: Json) => (await ask(query, variables)).extensions.cost;
    expect(await cost(readShop)).toEqual({
      requestedQueryCost: 1,
      actualQueryCost: 1,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1999, restoreRate: 100 },
    });
    const page =
      "query ($id: ID!, $first: Int) { subscriptionContract(id: $id) { lines(first: $first) { nodes { id } } } }";
    const id = await contract();
    const pages = [1, 10, 200, 250].map(
      async (first) => (await cost(page, { id, first })).requestedQueryCost,
    );
    expect(await Promise.all(pages)).toEqual([4, 7, 13, 14]);
    await bill(id, "k");
    const attempts = await cost(readAttempts, { contract: id, first: 50 });
    expect(attempts.requestedQueryCost).toBeGreaterThan(50);
    expect(attempts.actualQueryCost).toBeLessThan(15);
    expect(
      (await ask(createAttempt, { contract: id, attempt: { idempotencyKey: "k" } })).extensions.cost,
    ).toMatchObject({ requestedQueryCost: 10, actualQueryCost: 10 });
  });

  test("an empty bucket refuses, does nothing, and fills with time", async () => {
    const { store, contract, ask } = openStore();
    const id = await contract();
    store.leavePoints(5);
    const charge = () => ask(createAttempt, { contract: id, attempt: { idempotencyKey: "k" } });
    expect(await charge()).toEqual({
      errors: [{ message: "Throttled", extensions: expect.objectContaining({ code: "THROTTLED" }) }],
      extensions: {
        cost: {
          requestedQueryCost: 10,
          actualQueryCost: null,
          throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 5, restoreRate: 100 },
        },
      },
    });
    expect(store.attempts).toEqual([]);
    store.advance(40);
    expect((await charge()).errors).toBeDefined();
    store.advance(10);
    expect((await charge()).errors).toBeUndefined();
    store.advance(3_600_000);
    expect((await ask(readShop)).extensions.cost.throttleStatus.currentlyAvailable).toBe(1999);
  });

  test("follows the test's own clock", async () => {
    let now = 0;
    const { store, ask } = openStore({ now: () => now, points: { maximum: 10, restoreRate: 1 } });
    store.leavePoints(0);
    expect((await ask(readShop)).errors).toBeDefined();
    now = 1000;
    expect((await ask(readShop)).errors).toBeUndefined();
  });

  test("one query may not cost more than a thousand", async () => {
    const { ask, customer } = openStore();
    const all = `{ customer(id: "${customer}") {
      subscriptionContracts(first: 250) { nodes {
        lines(first: 250) { nodes { currentPrice { amount } lineDiscountedPrice { amount } } }
        billingAttempts(first: 250) { nodes { id state { __typename } } }
        originOrder { lineItems(first: 250) { nodes { contract { id } sellingPlan { name } } } }
      } }
    } }`;
    const { errors } = await ask(all);
    expect(errors[0].extensions).toMatchObject({ code: "MAX_COST_EXCEEDED", maxCost: 1000 });
  });
});

describe("faults", () => {
  const charging = async () => {
    const { store, contract, ask } = openStore();
    const id = await contract();
    const request = () => requestOf(createAttempt, { contract: id, attempt: { idempotencyKey: "k" } });
    return { store, ask, id, request };
  };

  test.each<[Fault["kind"], number, string]>([
    ["http500", 500, "application/json"],
    ["http502", 502, "text/html"],
    ["http429", 429, "application/json"],
    ["malformed", 200, "application/json"],
    ["internal", 200, "application/json"],
  ])("%s", async (kind, status, type) => {
    const { store, request } = await charging();
    store.fail({ kind });
    const response = await store.fetch(request());
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toContain(type);
    expect(response.headers.get("Retry-After")).toBe(kind === "http429" ? "2.0" : null);
    const text = await response.text();
    if (kind === "malformed" || kind === "http502") expect(() => JSON.parse(text)).toThrow();
    if (kind === "internal") expect(JSON.parse(text).errors[0].extensions.code).toBe("INTERNAL_SERVER_ERROR");
    expect(store.attempts).toEqual([]);
    expect((await store.fetch(request())).status).toBe(200);
    expect(store.attempts).toHaveLength(1);
    expect(store.requests.slice(-2)).toMatchObject([
      { operation: "CreateAttempt", fault: kind },
      { operation: "CreateAttempt", fault: null },
    ]);
  });

  test.each(["network", "timeout"] as const)("%s: before the effect, after it, or late", async (kind) => {
    const { store, request } = await charging();
    store.fail({ kind });
    await expect(store.fetch(request())).rejects.toThrow();
    expect(store.attempts).toHaveLength(0);
    store.fail({ kind, effect: "late" });
    await expect(store.fetch(request())).rejects.toThrow();
    expect(store.attempts).toHaveLength(0);
    await store.arriveLate();
    expect(store.attempts).toHaveLength(1);
    store.attempts.splice(0);
    store.fail({ kind, effect: "done" });
    await expect(store.fetch(request())).rejects.toThrow();
    expect(store.attempts).toHaveLength(1);
  });

  test("for a number of requests, optionally of one operation", async () => {
    const { store, ask, request } = await charging();
    store.fail({ kind: "http500", times: 2, on: "CreateAttempt" });
    expect((await ask(readShop)).data).toBeDefined();
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await store.fetch(request())).status);
    expect(statuses).toEqual([500, 500, 200]);
  });
});

describe("webhooks", () => {
  test("report each event once, in order", async () => {
    const { store, contract, bill } = openStore({ secret: "hush" });
    const id = await contract();
    store.nextOutcomes(outcomes.success, outcomes.payment("CARD_DECLINED"), outcomes.challenge());
    for (const key of ["a", "b", "c"]) await bill(id, key);
    store.settle();
    const told = await store.webhooks();
    expect(told.map(({ topic }) => topic)).toEqual([
      "subscription_contracts/create",
      "orders/create",
      "orders/paid",
      "subscription_billing_attempts/success",
      "subscription_billing_attempts/failure",
      "subscription_billing_attempts/challenged",
    ]);
    expect(await store.webhooks()).toEqual([]);
    const bodies = told.map(({ body }) => JSON.parse(body));
    expect(bodies[0]).toMatchObject({
      admin_graphql_api_id: id,
      id: store.contract(id).number,
      status: "active",
      billing_policy: { interval: "month", interval_count: 1 },
    });
    expect(bodies[1]).toMatchObject({ total_price: "24.90", currency: "EUR", financial_status: "paid" });
    expect(bodies[3]).toMatchObject({
      admin_graphql_api_id: store.attempt("a").id,
      idempotency_key: "a",
      order_id: store.orders[0]!.number,
      admin_graphql_api_subscription_contract_id: id,
      ready: true,
      error_code: null,
    });
    expect(bodies[4]).toMatchObject({ idempotency_key: "b", order_id: null, error_code: "card_declined" });
  });

  test("are signed over the raw body with the app's secret", async () => {
    const { store, contract } = openStore({ secret: "hush" });
    await contract();
    const [{ headers, body }] = (await store.webhooks()) as [Webhook];
    expect(headers).toMatchObject({
      "X-Shopify-Topic": "subscription_contracts/create",
      "X-Shopify-Shop-Domain": shop,
      "X-Shopify-API-Version": "2026-10",
      "X-Shopify-Hmac-Sha256": await signatureOf("hush", body),
    });
    expect(await signatureOf("key", "The quick brown fox jumps over the lazy dog")).toBe(
      "97yD9DBThCSxMpjmqm+xQ+9NWaFJRhdZl0edvC0aPNg=",
    );
    expect(Date.parse(headers["X-Shopify-Triggered-At"]!)).not.toBeNaN();
    expect(headers["X-Shopify-Webhook-Id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test("the fake has every root field of the schema", () => {
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  const had = Object.keys(rootOf(fakeStore(openStore().store.settings, () => "")));
  expect(roots.filter((field) => !had.includes(field))).toEqual([]);
});
