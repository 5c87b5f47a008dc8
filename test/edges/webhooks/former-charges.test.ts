/** A charge from before its subscription was here pays none of its cycles. */
import { expect, test, vi } from "vitest";
import { requestShopify } from "../../../src/stores/shopify/client.ts";
import { createAttempt, readAttempt } from "../../../src/stores/shopify/documents.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { fetchOf } from "../../support/fake-shopify.ts";
import { force, type Json, read } from "../../support/shops.ts";
import { attemptsOf } from "../../support/worker.ts";
import { hookedShop, logged, sendAll } from "./hooks.ts";

const shop = useShop(hookedShop);
const dayMs = 86_400_000;

/** Charges the contract as the app that had it before. */
async function chargeAsFormerApp(): Promise<void> {
  const { settings } = shop.store;
  const connection = { shop: settings.shop, token: settings.token, send: fetchOf(shop.store) };
  const variables = { contract: shop.store.contracts()[0]!.id, attempt: { idempotencyKey: "former 7" } };
  const made = await requestShopify<Json>(connection, createAttempt, variables);
  const { id } = made.subscriptionBillingAttemptCreate.subscriptionBillingAttempt;
  await requestShopify(connection, readAttempt, { id });
  await shop.store.webhooks();
}

test("what a contract was charged before its subscription was here pays none of its cycles, and is not reported", async () => {
  const id = await subscribed(shop);
  await shop.store.webhooks();
  const start = Date.now();
  const onDay = (day: number) => vi.useFakeTimers({ now: start + day * dayMs, toFake: ["Date"] });
  onDay(5);
  await chargeAsFormerApp();
  await force(id, { created_at: new Date(start + 5.5 * dayMs).toISOString() });
  const lines = await logged(async () => {
    for (let day = 6; day <= 8; day++) {
      onDay(day);
      await shop.worker.tick(Date.now(), { reconciles: true });
      await sendAll(shop);
      await shop.worker.drain();
    }
  });
  expect(lines.filter(({ event }) => event === "charged_by_others")).toEqual([]);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await read(shop.merchant, id)).toMatchObject({
    billing_blocked_reason: null,
    current_billing_cycle: 2,
  });
});
