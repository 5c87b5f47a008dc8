import { createScheduledController } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectShopify } from "../../src/store/shopify/connect.ts";
import worker from "../../src/worker.ts";
import { subscribed } from "../shopify/shop.ts";
import { execute, testDb } from "../support/database.ts";
import { deliver, inDays, itemOf, type Json } from "../support/lives.ts";
import { attemptsOf, ordersOf, setClock, shipNow } from "../support/machine.ts";
import { interrupted } from "../support/slow-database.ts";
import {
  connect,
  credentialsKey,
  deliveriesOf,
  hookedShop,
  isDisconnected,
  logged,
  type Shop,
  send,
  taken,
  told,
} from "./hooks.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await hookedShop();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const claimed = () => shop.store.webhookOf("app/uninstalled", { id: 1 });
const worked = async (): Promise<void> => {
  await taken(shop, await claimed());
  await shop.works.drain({ soon: false });
};
const dueNow = async (): Promise<Json[]> => {
  shop.works.forget();
  const controller = createScheduledController({ scheduledTime: Date.now() });
  await worker.scheduled(controller, shop.works.bindings);
  return shop.works.sent().filter(({ account_id }) => account_id === shop.own.of.account.id);
};

describe("app/uninstalled is verified, not believed", () => {
  test("while the store takes the token, nothing happens", async () => {
    await worked();
    expect(await isDisconnected(shop)).toBe(false);
    expect(await deliveriesOf(shop)).toMatchObject([{ done_at: expect.any(String) }]);
  });

  test("once it refuses the token, the account is disconnected, and people are told", async () => {
    shop.store.uninstall();
    const lines = await logged(() => told(shop));
    expect(await isDisconnected(shop)).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({
        event: "store_disconnected",
        alert: true,
        account_id: shop.own.of.account.id,
      }),
    );
    expect(JSON.stringify(lines)).not.toContain(shop.store.settings.token);
  });

  test("told again, it is noted once", async () => {
    shop.store.uninstall();
    await told(shop);
    const lines = await logged(() => worked());
    expect(lines.filter(({ event }) => event === "store_disconnected")).toEqual([]);
    expect(await isDisconnected(shop)).toBe(true);
  });

  test.each(["network", "http500", "http429", "malformed"] as const)(
    "%s tells nothing: it is asked again",
    async (kind) => {
      shop.store.uninstall();
      const [hook] = await shop.store.webhooks();
      await taken(shop, hook!);
      const jobs = shop.works.sent();
      shop.store.fail({ kind, times: 1 });
      const { bindings } = shop.works;
      expect((await deliver(jobs, { bindings })).retried).toEqual(["message-0"]);
      expect(await isDisconnected(shop)).toBe(false);
      expect((await deliver(jobs, { bindings })).acked).toEqual(["message-0"]);
      expect(await isDisconnected(shop)).toBe(true);
    },
  );

  test("whoever connects again meanwhile stays connected", async () => {
    shop.store.uninstall();
    const [hook] = await shop.store.webhooks();
    await taken(shop, hook!);
    const DB = interrupted(/set "disconnected_at"/, {
      before: async () => {
        shop.store.install("shpat_another");
        await connect(shop);
      },
    });
    await deliver(shop.works.sent(), { bindings: { ...shop.works.bindings, DB } });
    expect(await isDisconnected(shop)).toBe(false);
  });

  test("client credentials are tried anew, whatever token is kept of before", async () => {
    const { clientId: client_id, secret } = shop.store.settings;
    const now = new Date().toISOString();
    await connectShopify(testDb(), credentialsKey, shop.own.of.account, { client_id, secret }, now);
    shop.store.settings.token = "shpat_renewed";
    await worked();
    expect(await isDisconnected(shop), "the kept token is refused, the credentials are not").toBe(false);
    shop.store.settings.clientId = "another-app";
    await worked();
    expect(await isDisconnected(shop)).toBe(true);
  });
});

describe("while an account is disconnected", () => {
  let id: string;
  beforeEach(async () => {
    id = await subscribed(shop);
    await shop.store.webhooks();
    shop.store.uninstall();
    await told(shop);
  });

  test("cron finds nothing due for it; once connected again, it does", async () => {
    setClock(`${inDays(8)}T12:00:00.000Z`);
    expect((await dueNow()).filter(({ type }) => type === "find_due")).toEqual([]);
    shop.store.install("shpat_another");
    await connect(shop);
    expect(await isDisconnected(shop)).toBe(false);
    expect((await dueNow()).filter(({ type }) => type === "find_due")).toContainEqual(
      expect.objectContaining({ kind: "schedule" }),
    );
    await shop.works.drain();
    expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  });

  test("what needs the store is 503 UNAVAILABLE", async () => {
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "gid://shopify/CustomerPaymentMethod/unknownyet",
      next_delivery_date: inDays(7),
      lines: [itemOf(shop.plan)],
    };
    const answer = await shop.works.call(shop.own.api, "POST", "/api/subscriptions", { body });
    expect([answer.status, answer.body.errorCode]).toEqual([503, "UNAVAILABLE"]);
  });

  test("nothing is charged, and nothing asked of the store", async () => {
    const asked = shop.store.requests.length;
    const answer = await shipNow(shop.own, shop.works, id);
    expect([answer.status, answer.body.errorCode]).toEqual([503, "UNAVAILABLE"]);
    await shop.works.drain({ soon: false });
    expect(shop.store.requests).toHaveLength(asked);
    expect(await attemptsOf(shop.own, id)).toEqual([]);
    expect(await ordersOf(shop.own, id)).toEqual([]);
  });

  test("deliveries are still verified with its secret", async () => {
    const hook = await claimed();
    expect((await send(shop, hook)).status).toBe(200);
    expect((await send(shop, hook, { body: "{}" })).status).toBe(401);
  });
});

test("an account without a connection row is not in the way of cron", async () => {
  await execute("DELETE FROM shopify_connections WHERE account_id = ?", shop.own.of.account.id);
  expect(await dueNow()).toEqual([]);
});
