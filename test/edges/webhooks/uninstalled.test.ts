/** An uninstallation is verified with the store, and a disconnected account is charged nothing until it is back. */
import { beforeEach, describe, expect, test } from "vitest";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { execute, testDb } from "../../support/database.ts";
import { tickAt } from "../../support/jobs.ts";
import { deliver, inDays, itemOf, type Json } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { attemptsOf, ordersOf, setClock, shipNow } from "../../support/worker.ts";
import {
  connect,
  credentialsKey,
  deliveriesOf,
  hookedShop,
  isDisconnected,
  logged,
  processAll,
  send,
  sendAccepted,
} from "./hooks.ts";

const shop = useShop(hookedShop);

function claimed() {
  return shop.store.webhookOf("app/uninstalled", { id: 1 });
}

async function worked(): Promise<void> {
  await sendAccepted(shop, await claimed());
  await shop.worker.drain({ soon: false });
}

async function dueNow(): Promise<Json[]> {
  shop.worker.forget();
  await tickAt(Date.now(), shop.worker.bindings);
  return shop.worker.sent().filter(({ account_id }) => account_id === shop.merchant.of.account.id);
}

describe("app/uninstalled is verified with the store", () => {
  test("while the store accepts the token, nothing happens", async () => {
    await worked();
    expect(await isDisconnected(shop)).toBe(false);
    expect(await deliveriesOf(shop)).toMatchObject([{ done_at: expect.any(String) }]);
  });

  test("once it refuses the token, the account is disconnected and an alert is logged", async () => {
    shop.store.uninstall();
    const lines = await logged(() => processAll(shop));
    expect(await isDisconnected(shop)).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({
        event: "store_disconnected",
        alert: true,
        account_id: shop.merchant.of.account.id,
      }),
    );
    expect(JSON.stringify(lines)).not.toContain(shop.store.settings.token);
  });

  test("a repetition is recorded once", async () => {
    shop.store.uninstall();
    await processAll(shop);
    const lines = await logged(() => worked());
    expect(lines.filter(({ event }) => event === "store_disconnected")).toEqual([]);
    expect(await isDisconnected(shop)).toBe(true);
  });

  test.each(["network", "http500", "http429", "malformed"] as const)(
    "%s says nothing: the store is asked again",
    async (kind) => {
      shop.store.uninstall();
      const [hook] = await shop.store.webhooks();
      await sendAccepted(shop, hook!);
      const jobs = shop.worker.sent();
      shop.store.fail({ kind, times: 1 });
      const { bindings } = shop.worker;
      expect((await deliver(jobs, { bindings })).retried).toEqual(["message-0"]);
      expect(await isDisconnected(shop)).toBe(false);
      expect((await deliver(jobs, { bindings })).acked).toEqual(["message-0"]);
      expect(await isDisconnected(shop)).toBe(true);
    },
  );

  test("an account that is connected again in the meantime stays connected", async () => {
    shop.store.uninstall();
    const [hook] = await shop.store.webhooks();
    await sendAccepted(shop, hook!);
    const DB = interrupted(/set "disconnected_at"/, {
      before: async () => {
        shop.store.install("shpat_another");
        await connect(shop);
      },
    });
    await deliver(shop.worker.sent(), { bindings: { ...shop.worker.bindings, DB } });
    expect(await isDisconnected(shop)).toBe(false);
  });

  test("client credentials are exchanged again, whatever token is cached", async () => {
    const { clientId: client_id, secret } = shop.store.settings;
    const now = new Date().toISOString();
    await connectShopify(testDb(), credentialsKey, shop.merchant.of.account, { client_id, secret }, now);
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
    await processAll(shop);
  });

  test("cron finds nothing due for it; once connected again, it does", async () => {
    setClock(`${inDays(8)}T12:00:00.000Z`);
    expect((await dueNow()).filter(({ type }) => type === "find_due")).toEqual([]);
    shop.store.install("shpat_another");
    shop.store.addPlanGroup({ plans: [{ id: `gid://shopify/SellingPlan/${shop.plan}`, name: "Weekly" }] });
    await connect(shop);
    expect(await isDisconnected(shop)).toBe(false);
    expect((await dueNow()).filter(({ type }) => type === "find_due")).toContainEqual(
      expect.objectContaining({ kind: "schedule" }),
    );
    await shop.worker.drain();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  });

  test("operations that need the store are 503 UNAVAILABLE", async () => {
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "gid://shopify/CustomerPaymentMethod/unknownyet",
      next_delivery_date: inDays(7),
      lines: [itemOf(shop.plan)],
    };
    const answer = await shop.worker.call(shop.merchant.api, "POST", "/api/subscriptions", { body });
    expect([answer.status, answer.body.errorCode]).toEqual([503, "UNAVAILABLE"]);
  });

  test("nothing is charged, and the store receives no request", async () => {
    const asked = shop.store.requests.length;
    const answer = await shipNow(shop.merchant, shop.worker, id);
    expect([answer.status, answer.body.errorCode]).toEqual([503, "UNAVAILABLE"]);
    await shop.worker.drain({ soon: false });
    expect(shop.store.requests).toHaveLength(asked);
    expect(await attemptsOf(shop.merchant, id)).toEqual([]);
    expect(await ordersOf(shop.merchant, id)).toEqual([]);
  });

  test("webhooks are still verified with its secret", async () => {
    const hook = await claimed();
    expect((await send(shop, hook)).status).toBe(200);
    expect((await send(shop, hook, { body: "{}" })).status).toBe(401);
  });
});

test("an account without a connection row does not stop cron", async () => {
  await execute(
    "DELETE FROM shopify_connections WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
  expect(await dueNow()).toEqual([]);
});
