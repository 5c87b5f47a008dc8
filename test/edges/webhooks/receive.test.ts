/** A signed webhook is stored once and enqueued, and an unproven one stores nothing. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { hourMs } from "../../../src/base/lib/time/durations.ts";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { api, nobody } from "../../support/client.ts";
import { execute, testDb } from "../../support/database.ts";
import { signatureOf, type Webhook } from "../../support/fake-shopify.ts";
import { usageOf } from "../../support/records.ts";
import { openTenant } from "../../support/tenant.ts";
import { openWorker } from "../../support/worker.ts";
import { closeByMove, mover } from "../operator/moving.ts";
import {
  credentialsKey,
  deliveriesOf,
  hookedShop,
  logged,
  path,
  type Shop,
  send,
  sendAccepted,
  token,
} from "./hooks.ts";

const shop = useShop(hookedShop);
let hook: Webhook;
const order = "gid://shopify/Order/5400000000001";
beforeEach(async () => {
  hook = await shop.store.webhookOf("orders/updated", { admin_graphql_api_id: order });
});

function job({ headers }: Webhook) {
  return {
    type: "webhook",
    account_id: shop.merchant.of.account.id,
    webhook_id: headers["X-Shopify-Webhook-Id"],
  };
}

describe("a webhook with a valid signature", () => {
  test("is stored with the id of its record, and enqueued", async () => {
    const { status, text, headers } = await send(shop, hook);
    expect([status, text]).toEqual([200, "OK"]);
    expect(headers.get("Content-Type")).toContain("text/plain");
    expect(await deliveriesOf(shop)).toMatchObject([
      { topic: "orders/updated", subject: order, tries: 0, done_at: null },
    ]);
    expect(shop.worker.sent()).toEqual([job(hook)]);
  });

  test("is stored once for its id: repeated, concurrent, with another topic and body", async () => {
    await sendAccepted(shop, hook);
    const before = await deliveriesOf(shop);
    const other = await shop.store.webhookOf("orders/paid", { admin_graphql_api_id: `${order}9` });
    other.headers["X-Shopify-Webhook-Id"] = hook.headers["X-Shopify-Webhook-Id"]!;
    await Promise.all([hook, hook, hook, other, hook].map((one) => sendAccepted(shop, one)));
    expect(await deliveriesOf(shop)).toEqual(before);
    expect(shop.worker.sent()).toEqual([job(hook)]);
  });

  test("is refused with 503 while the account is copied, so that the store sends it again, and stored then", async () => {
    const operator = mover(shop.merchant.of.account);
    await closeByMove(operator, "object");
    const { status, headers } = await send(shop, hook);
    expect([status, Number(headers.get("Retry-After"))]).toEqual([503, expect.any(Number)]);
    await operator.until("d1");
    await sendAccepted(shop, hook);
    expect(await deliveriesOf(shop)).toMatchObject([{ subject: order }]);
  });

  test("two with the same id at once create one job", async () => {
    await Promise.all([hook, hook, hook, hook].map((one) => sendAccepted(shop, one)));
    expect(await deliveriesOf(shop)).toHaveLength(1);
    expect(shop.worker.sent()).toEqual([job(hook)]);
  });

  test("with an ignored topic is answered, and nothing is stored", async () => {
    for (const topic of ["products/update", "Orders/Updated", "__proto__", "constructor", ""]) {
      const unknown = await shop.store.webhookOf("orders/updated", { admin_graphql_api_id: order });
      const { status } = await send(shop, unknown, { headers: { "X-Shopify-Topic": topic } });
      expect(status, topic).toBe(200);
    }
    const untitled = await send(shop, hook, { headers: { "X-Shopify-Topic": undefined } });
    expect(untitled.status).toBe(200);
    expect(await deliveriesOf(shop)).toEqual([]);
    expect(shop.worker.sent()).toEqual([]);
  });

  test("needs an id", async () => {
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

  test("is verified by its raw bytes, up to the size limit, and not as re-serialised JSON", async () => {
    const body = `{ "admin_graphql_api_id" : "${order}", "name": "\\u00fc ü" }${" ".repeat(1000)}`;
    const headers = {
      ...hook.headers,
      "X-Shopify-Hmac-Sha256": await signatureOf(shop.store.settings.secret, body),
    };
    expect((await send(shop, { ...hook, headers, body })).status).toBe(200);
    const again = await send(shop, { ...hook, headers, body: JSON.stringify(JSON.parse(body)) });
    expect(again.status).toBe(401);
  });

  test("finds its shop whatever the case of the domain", async () => {
    const name = shop.merchant.of.account.shop.toUpperCase();
    expect((await send(shop, hook, { headers: { "X-Shopify-Shop-Domain": name } })).status).toBe(200);
  });
});

describe("while the app's secret is replaced", () => {
  const connectWith = (secrets: { secret: string; previous_secret?: string }) =>
    connectShopify(
      testDb(),
      credentialsKey,
      shop.merchant.of.account,
      { token, ...secrets },
      new Date().toISOString(),
    );
  const signedWith = async (secret: string) =>
    (await send(shop, hook, { headers: { "X-Shopify-Hmac-Sha256": await signatureOf(secret, hook.body) } }))
      .status;

  test("webhooks signed with either secret are accepted, and with no other", async () => {
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

describe("an unproven webhook is 401 with the same body, stores nothing, and counts against the address", () => {
  const flipped = (text: string, at: number): string =>
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
  const signed = async (secret: string) => ({
    headers: { "X-Shopify-Hmac-Sha256": await signatureOf(secret, hook.body) },
  });
  const another = async (): Promise<Shop> => {
    const other = await hookedShop();
    shop.worker.forget();
    return other;
  };
  const forged: [string, () => Promise<Parameters<typeof send>[2]>][] = [
    ["a changed byte in the body", async () => ({ body: flipped(hook.body, 30) })],
    ["an added byte", async () => ({ body: `${hook.body} ` })],
    ["no body", async () => ({ body: "" })],
    ["another secret", async () => signed("shpss_another")],
    ["another shop's secret", async () => signed((await another()).store.settings.secret)],
    [
      "another shop's webhook with this shop's domain",
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
    ["a signature that is not base64", async () => ({ headers: { "X-Shopify-Hmac-Sha256": "%%" } })],
    [
      "a truncated signature",
      async () => ({
        headers: { "X-Shopify-Hmac-Sha256": hook.headers["X-Shopify-Hmac-Sha256"]!.slice(0, 20) },
      }),
    ],
    [
      "an extended signature",
      async () => ({
        headers: { "X-Shopify-Hmac-Sha256": btoa(`${atob(hook.headers["X-Shopify-Hmac-Sha256"]!)}x`) },
      }),
    ],
    ["no shop", async () => ({ headers: { "X-Shopify-Shop-Domain": undefined } })],
    ["an unknown shop", async () => ({ headers: { "X-Shopify-Shop-Domain": "nobody.myshopify.com" } })],
    [
      "a shop on the sandbox",
      async () => ({ headers: { "X-Shopify-Shop-Domain": (await openTenant()).account.shop } }),
    ],
    [
      "a shop whose secret is not stored",
      async () => {
        await connectShopify(
          testDb(),
          credentialsKey,
          shop.merchant.of.account,
          { token },
          new Date().toISOString(),
        );
        return {};
      },
    ],
    [
      "a shop without credentials",
      async () => {
        await execute(
          "DELETE FROM shopify_connections WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
          shop.merchant.of.account.id,
        );
        return {};
      },
    ],
  ];

  /** A rate limiter that the test controls. */
  const counting = (success = true) => {
    const keys: string[] = [];
    const ADDRESS_LIMITER = {
      limit: async ({ key }: { key: string }) => {
        keys.push(key);
        return { success };
      },
    } as RateLimit;
    return { keys, worker: openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, ADDRESS_LIMITER }) };
  };

  test.each(forged)("%s", async (_, change) => {
    const changed = await change();
    const { keys, worker } = counting();
    const answer = await send({ worker }, hook, {
      ...changed,
      headers: { ...changed?.headers, "CF-Connecting-IP": "192.0.2.7" },
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: "The webhook is not signed by the store of a shop that is known here",
      errorCode: "UNAUTHENTICATED",
      request_id: answer.headers.get("X-Request-Id"),
    });
    expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
    expect(keys).toEqual(["192.0.2.7"]);
    expect(await deliveriesOf(shop)).toEqual([]);
    expect(worker.sent()).toEqual([]);
  });

  test("no account is read for one, only the secret that its signature is checked with", async () => {
    vi.useFakeTimers({ now: Date.now() + hourMs, toFake: ["Date"] });
    const forgery = await usageOf(() => send(shop, hook, { body: "{}" }));
    const genuine = await usageOf(() => send(shop, hook));
    expect([forgery.answer.status, genuine.answer.status]).toEqual([401, 200]);
    expect([forgery.db_statements, forgery.rows_read]).toEqual([1, 2]);
    expect(genuine.db_statements).toBeGreaterThan(1);
  });

  test("too many are 429; proven webhooks are not counted", async () => {
    const { keys, worker } = counting(false);
    const { status, body, headers } = await send({ worker }, hook, { body: "{}" });
    expect([status, body.errorCode]).toEqual([429, "RATE_LIMITED"]);
    expect(headers.get("Retry-After")).toBe("60");
    expect((await send({ worker }, hook)).status).toBe(200);
    expect(keys).toHaveLength(1);
  });

  test("a deployment that cannot open the secret reports that in the log only", async () => {
    for (const worker of [openWorker(), openWorker({ STORE_CREDENTIALS_KEY: btoa("x".repeat(32)) })]) {
      const lines = await logged(async () => expect((await send({ worker }, hook)).status).toBe(401));
      expect(lines).toContainEqual(
        expect.objectContaining({
          event: "webhook_secret_unreadable",
          alert: true,
          account_id: shop.merchant.of.account.id,
        }),
      );
    }
  });

  test("a body that cannot be verified is not read at all", async () => {
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

test("GET, PUT: 405 with Allow: POST", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const { status, headers } = await api(nobody, method, path);
    expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
  }
});

test("a shop that no account is connected to is unproven, even if an account has its name", async () => {
  await execute(
    "UPDATE shopify_connections SET shop = 'moved-' || shop WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
  expect((await send(shop, hook)).status).toBe(401);
});
