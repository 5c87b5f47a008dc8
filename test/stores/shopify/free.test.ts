/** A charge of 0 at Shopify makes an order, and its decline opens no dunning. */
import { beforeEach, describe, expect, test } from "vitest";
import { outcomes } from "../../support/fake-shopify.ts";
import { actionsOf, read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, ordersOf, setClock, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

/** Shopify is asked for a charge of 0 too, because it makes the order. Its answer starts no dunning: the customer owes nothing. */

const shop = useShop();
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
  for (const target_type of ["ORDER", "SHIPPING_LINE"]) {
    const { status, text } = await shop.worker.call(
      shop.merchant.api,
      "POST",
      `/api/subscriptions/${id}/discounts`,
      { body: { title: "On the house", value: 100, value_type: "PERCENTAGE", target_type } },
    );
    expect([status, text]).toEqual([200, expect.anything()]);
  }
  await shop.worker.drain();
  expect((await read(shop.merchant, id)).total).toBe(0);
});

async function ship(): Promise<void> {
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
}

test("its order is made there, and the cycle counts as billed", async () => {
  await ship();
  expect(shop.store.attempts).toHaveLength(1);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", amount: 0 }]);
  expect(await ordersOf(shop.merchant, id)).toMatchObject([{ total: 0 }]);
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
});

describe("a decline", () => {
  test.each(["CARD_DECLINED", "EXPIRED_CARD", "INSUFFICIENT_FUNDS", "AUTHENTICATION_REQUIRED"])(
    "%s opens no episode: billing waits, and makes the order when Shopify does",
    async (code) => {
      shop.store.nextOutcomes(outcomes.payment(code));
      await ship();
      expect(await attemptsOf(shop.merchant, id)).toMatchObject([
        { status: "FAILED", error_code: code.toLowerCase() },
      ]);
      expect(await episodesOf(shop.merchant, id)).toEqual([]);
      expect(await read(shop.merchant, id)).toMatchObject({
        status: "ACTIVE",
        is_in_dunning: false,
        billing_blocked_reason: code.toLowerCase(),
      });
      expect(await actionsOf(id)).toContain("billing_waiting");
      setClock(Date.now() + 3_700_000);
      await shop.worker.tick();
      await shop.worker.drain();
      expect(await attemptsOf(shop.merchant, id)).toMatchObject([
        { status: "SUCCEEDED" },
        { status: "FAILED" },
      ]);
      expect(await read(shop.merchant, id)).toMatchObject({
        current_billing_cycle: 2,
        billing_blocked_reason: null,
      });
    },
  );

  test("for want of goods does what the account's setting says, as for any amount", async () => {
    shop.store.nextOutcomes(outcomes.inventory("INSUFFICIENT_INVENTORY"));
    await ship();
    expect(await read(shop.merchant, id)).toMatchObject({
      billing_blocked_reason: "insufficient_inventory",
      is_in_dunning: false,
    });
  });
});
