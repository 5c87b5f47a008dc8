import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectShopify } from "../../src/store/shopify/connect.ts";
import { topics } from "../../src/store/shopify/topics.ts";
import { api, nobody } from "../support/client.ts";
import { execute, testDb } from "../support/database.ts";
import { signatureOf, type Webhook } from "../support/fake-shopify.ts";
import { machine } from "../support/machine.ts";
import { rowsOf } from "../support/snapshot.ts";
import { tenant } from "../support/tenant.ts";
import {
  credentialsKey,
  deliveriesOf,
  hookedShop,
  logged,
  path,
  type Shop,
  send,
  taken,
  token,
} from "./hooks.ts";

let shop: Shop;
let hook: Webhook;
const order = "gid://shopify/Order/5400000000001";
beforeEach(async () => {
  shop = await hookedShop();
  hook = await shop.store.webhookOf("orders/updated", { admin_graphql_api_id: order });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const job = ({ headers }: Webhook) => ({
  type: "webhook",
  account_id: shop.own.of.account.id,
  webhook_id: headers["X-Shopify-Webhook-Id"],
});

describe("a delivery that is signed", () => {
  test("is kept by the id of what it is about, and sent to the queue", async () => {
    const { status, text, headers } = await send(shop, hook);
    expect([status, text]).toEqual([200, "OK"]);
    expect(headers.get("Content-Type")).toContain("text/plain");
    expect(await deliveriesOf(shop)).toMatchObject([
      { topic: "orders/updated", subject: order, tries: 0, done_at: null },
    ]);
    expect(shop.works.sent()).toEqual([job(hook)]);
  });

  test("is kept once by its id: again, at once, with another topic and body", async () => {
    await taken(shop, hook);
    const before = await deliveriesOf(shop);
    const other = await shop.store.webhookOf("orders/paid", { admin_graphql_api_id: `${order}9` });
    other.headers["X-Shopify-Webhook-Id"] = hook.headers["X-Shopify-Webhook-Id"]!;
    await Promise.all([hook, hook, hook, other, hook].map((one) => taken(shop, one)));
    expect(await deliveriesOf(shop)).toEqual(before);
    expect(shop.works.sent()).toEqual([job(hook)]);
  });

  test("two of the same id at once make one job", async () => {
    await Promise.all([hook, hook, hook, hook].map((one) => taken(shop, one)));
    expect(await deliveriesOf(shop)).toHaveLength(1);
    expect(shop.works.sent()).toEqual([job(hook)]);
  });

  test("of a topic that is not ours is answered, and nothing is done", async () => {
    for (const topic of ["products/update", "Orders/Updated", "__proto__", "constructor", ""]) {
      const unknown = await shop.store.webhookOf("orders/updated", { admin_graphql_api_id: order });
      const { status } = await send(shop, unknown, { headers: { "X-Shopify-Topic": topic } });
      expect(status, topic).toBe(200);
    }
    const untitled = await send(shop, hook, { headers: { "X-Shopify-Topic": undefined } });
    expect(untitled.status).toBe(200);
    expect(await deliveriesOf(shop)).toEqual([]);
    expect(shop.works.sent()).toEqual([]);
  });

  test("needs an id of its own", async () => {
    for (const id of [undefined, "", "x".repeat(256)]) {
      const { status, body } = await send(shop, hook, { headers: { "X-Shopify-Webhook-Id": id } });
      expect([status, body.errorCode, body.details[0].path]).toEqual([
        400,
        "VALIDATION_FAILED",
        "X-Shopify-Webhook-Id",
      ]);
    }
    expect(await deliveriesOf(shop)).toEqual([]);
  });

  test("is signed as it is: as large as may be, not as JSON would be written again", async () => {
    const body = `{ "admin_graphql_api_id" : "${order}", "name": "\\u00fc ü" }${" ".repeat(1000)}`;
    const headers = {
      ...hook.headers,
      "X-Shopify-Hmac-Sha256": await signatureOf(shop.store.settings.secret, body),
    };
    expect((await send(shop, { ...hook, headers, body })).status).toBe(200);
    const again = await send(shop, { ...hook, headers, body: JSON.stringify(JSON.parse(body)) });
    expect(again.status).toBe(401);
  });

  test("finds its shop however the domain is spelt", async () => {
    const name = shop.own.of.account.shop.toUpperCase();
    expect((await send(shop, hook, { headers: { "X-Shopify-Shop-Domain": name } })).status).toBe(200);
  });
});

describe("while the app's secret is replaced", () => {
  const connectWith = (secrets: { secret: string; previous_secret?: string }) =>
    connectShopify(
      testDb(),
      credentialsKey,
      shop.own.of.account,
      { token, ...secrets },
      new Date().toISOString(),
    );
  const signedWith = async (secret: string) =>
    (await send(shop, hook, { headers: { "X-Shopify-Hmac-Sha256": await signatureOf(secret, hook.body) } }))
      .status;

  test("deliveries that are signed with either are taken, and with no other", async () => {
    const { secret } = shop.store.settings;
    await connectWith({ secret: "shpss_next", previous_secret: secret });
    expect(await signedWith("shpss_next")).toBe(200);
    expect(await signedWith(secret)).toBe(200);
    expect(await signedWith("shpss_another")).toBe(401);
    await connectWith({ secret: "shpss_next" });
    expect(await signedWith("shpss_next")).toBe(200);
    expect(await signedWith(secret)).toBe(401);
  });
});

describe("what is not proven: one and the same 401, nothing is kept, and it counts against the address", () => {
  const flipped = (text: string, at: number): string =>
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
  const signed = async (secret: string) => ({
    headers: { "X-Shopify-Hmac-Sha256": await signatureOf(secret, hook.body) },
  });
  const another = async (): Promise<Shop> => {
    const other = await hookedShop();
    shop.works.forget();
    return other;
  };
  const forged: [string, () => Promise<Parameters<typeof send>[2]>][] = [
    ["a byte of the body is another", async () => ({ body: flipped(hook.body, 30) })],
    ["a byte more", async () => ({ body: `${hook.body} ` })],
    ["no body", async () => ({ body: "" })],
    ["another secret", async () => signed("shpss_another")],
    ["another shop's secret", async () => signed((await another()).store.settings.secret)],
    [
      "the delivery of another shop, sent as this one's",
      async () => {
        const theirs = await (await another()).store.webhookOf("orders/updated", {
          admin_graphql_api_id: order,
        });
        return {
          body: theirs.body,
          headers: { "X-Shopify-Hmac-Sha256": theirs.headers["X-Shopify-Hmac-Sha256"] },
        };
      },
    ],
    ["no signature", async () => ({ headers: { "X-Shopify-Hmac-Sha256": undefined } })],
    ["an empty signature", async () => ({ headers: { "X-Shopify-Hmac-Sha256": "" } })],
    ["a signature that is no base64", async () => ({ headers: { "X-Shopify-Hmac-Sha256": "%%" } })],
    [
      "a signature that is cut off",
      async () => ({
        headers: { "X-Shopify-Hmac-Sha256": hook.headers["X-Shopify-Hmac-Sha256"]!.slice(0, 20) },
      }),
    ],
    [
      "a signature with more to it",
      async () => ({
        headers: { "X-Shopify-Hmac-Sha256": btoa(`${atob(hook.headers["X-Shopify-Hmac-Sha256"]!)}x`) },
      }),
    ],
    ["no shop", async () => ({ headers: { "X-Shopify-Shop-Domain": undefined } })],
    ["an unknown shop", async () => ({ headers: { "X-Shopify-Shop-Domain": "nobody.myshopify.com" } })],
    [
      "a shop on the sandbox",
      async () => ({ headers: { "X-Shopify-Shop-Domain": (await tenant()).account.shop } }),
    ],
    [
      "a shop whose secret is not kept",
      async () => {
        await connectShopify(
          testDb(),
          credentialsKey,
          shop.own.of.account,
          { token },
          new Date().toISOString(),
        );
        return {};
      },
    ],
    [
      "a shop without credentials",
      async () => {
        await execute("DELETE FROM shopify_connections WHERE account_id = ?", shop.own.of.account.id);
        return {};
      },
    ],
  ];

  /** A limiter in the test's hands. */
  const counting = (success = true) => {
    const keys: string[] = [];
    const ADDRESS_LIMITER = {
      limit: async ({ key }: { key: string }) => {
        keys.push(key);
        return { success };
      },
    } as RateLimit;
    return { keys, works: machine({ STORE_CREDENTIALS_KEY: credentialsKey, ADDRESS_LIMITER }) };
  };

  test.each(forged)("%s", async (_, change) => {
    const changed = await change();
    const { keys, works } = counting();
    const answer = await send({ works }, hook, {
      ...changed,
      headers: { ...changed?.headers, "CF-Connecting-IP": "192.0.2.7" },
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: "A valid credential is required",
      errorCode: "UNAUTHENTICATED",
      request_id: answer.headers.get("X-Request-Id"),
    });
    expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
    expect(keys).toEqual(["192.0.2.7"]);
    expect(await deliveriesOf(shop)).toEqual([]);
    expect(works.sent()).toEqual([]);
  });

  test("too many are 429; what is proven is not counted", async () => {
    const { keys, works } = counting(false);
    const { status, body, headers } = await send({ works }, hook, { body: "{}" });
    expect([status, body.errorCode]).toEqual([429, "RATE_LIMITED"]);
    expect(headers.get("Retry-After")).toBe("60");
    expect((await send({ works }, hook)).status).toBe(200);
    expect(keys).toHaveLength(1);
  });

  test("a deployment that cannot open the secret says so in the log alone", async () => {
    for (const works of [machine(), machine({ STORE_CREDENTIALS_KEY: btoa("x".repeat(32)) })]) {
      const lines = await logged(async () => expect((await send({ works }, hook)).status).toBe(401));
      expect(lines).toContainEqual(
        expect.objectContaining({
          event: "webhook_secret_unreadable",
          alert: true,
          account_id: shop.own.of.account.id,
        }),
      );
    }
  });

  test("a body past the limit is read no further: 413, and counts", async () => {
    const { keys, works } = counting();
    const pulled: number[] = [];
    const endless = new ReadableStream({
      pull(controller) {
        pulled.push(1);
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const { status, body } = await send({ works }, hook, { body: endless });
    expect([status, body.errorCode]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(pulled.length).toBeLessThan(40);
    expect(keys).toHaveLength(1);
  });

  test("what nobody could verify is not read at all", async () => {
    const pulled: number[] = [];
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled.push(1);
          controller.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    const { status } = await send(shop, hook, {
      body,
      headers: { "X-Shopify-Shop-Domain": "nobody.myshopify.com" },
    });
    expect(status).toBe(401);
    expect(pulled.length).toBeLessThan(3);
  });
});

describe("a signed delivery that says nothing of its topic: 400, and nothing is kept", () => {
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

  test("of the compliance topics none passes for another, nor for another shop's", async () => {
    const domain = shop.own.of.account.shop;
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

test("every topic keeps an id and nothing else of what it is told; nothing of it is in the log", async () => {
  const mark = "personal-mark";
  const domain = shop.own.of.account.shop;
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
  const all = JSON.stringify(lines) + (await rowsOf(shop.own.of.account.id));
  expect(all).not.toContain(mark);
  expect(JSON.stringify(lines)).not.toContain(shop.store.settings.secret);
  expect(lines.filter(({ event }) => event === "request")[0]).toMatchObject({
    route: path,
    account_id: shop.own.of.account.id,
  });
});

test("GET, PUT: 405 with Allow: POST", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const { status, headers } = await api(nobody, method, path);
    expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
  }
});

test("a shop that no account is connected to any more is nobody's, though an account is named after it", async () => {
  await execute(
    "UPDATE shopify_connections SET shop = 'moved-' || shop WHERE account_id = ?",
    shop.own.of.account.id,
  );
  expect((await send(shop, hook)).status).toBe(401);
});
