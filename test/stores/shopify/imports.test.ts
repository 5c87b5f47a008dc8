/** An import into an account on Shopify takes payment methods of the row's own customer, at the store's pace. */
import { expect, test } from "vitest";
import { jobOf, must, outcomesOf, rowOf, stage, start } from "../../domain/imports/imports.ts";
import { later } from "../../support/worker.ts";
import { useShop } from "./shop.ts";

const shop = useShop();

/** A card of a customer whom the account does not know yet. */
function cardOf(email: string): string {
  return shop.store.addPaymentMethod(shop.store.addCustomer({ email }));
}

test("a payment method of another customer is its row's fault, by the store's customer or else by the address", async () => {
  const grace = "grace@example.com";
  const row = (ref: string, email: string, store_payment_method_id: string) =>
    rowOf(shop.merchant, ref, { email, store_payment_method_id });
  const known = `${shop.profileId}@customers.test`;
  const card = cardOf(grace);
  const id = await stage(shop.merchant, [
    row("own", known, shop.card),
    row("own-new", grace, card),
    row("known-with-hers", known, card),
    row("new-with-hers", "eve@example.com", card),
    row("unknown", grace, "999999"),
  ]);
  await start(shop.merchant, shop.worker, id, false);
  const fault = (message: string) => ["FAILED", `store_payment_method_id ${message}`];
  expect(await outcomesOf(shop.merchant, id)).toEqual({
    ...{ own: "PENDING", "own-new": "PENDING" },
    "known-with-hers": fault("belongs to another customer"),
    "new-with-hers": fault("belongs to another customer"),
    unknown: fault("is not known to the store"),
  });
  expect(shop.store.charges).toEqual([]);
});

test.each([
  ["check", false, "READY"],
  ["writing", true, "DONE"],
])(
  "a store that asks for pauses during the %s is waited for, however often it asks",
  async (_, commit, end) => {
    const grace = "grace@example.com";
    const rows = ["a", "b", "c"].map((ref) =>
      rowOf(shop.merchant, ref, { email: grace, store_payment_method_id: cardOf(grace) }),
    );
    const id = await stage(shop.merchant, rows);
    if (commit) await start(shop.merchant, shop.worker, id, false);
    shop.store.fail({ kind: "http429", on: "PaymentMethod", times: 15 });
    must(await shop.worker.call(shop.merchant.api, "POST", `/api/jobs/${id}/start`, { body: { commit } }));
    await shop.worker.drain();
    const waiting = await jobOf(shop.merchant, id);
    expect(["CHECKING", "RUNNING"]).toContain(waiting.status);
    for (let minutes = 0; minutes < 20; minutes++) await later(shop.worker, 60);
    expect(await jobOf(shop.merchant, id)).toMatchObject({ status: end, total: 3, failed: 0 });
  },
);

test("a plan that an import makes is made at the store as any other", async () => {
  const unplanned = { selling_plan_id: "", billing_interval: "MONTH", billing_interval_count: 5 };
  const row = rowOf(shop.merchant, "a", { store_payment_method_id: shop.card, ...unplanned });
  const id = await stage(shop.merchant, [{ ...row, email: `${shop.profileId}@customers.test` }], {
    create_plans: true,
  });
  await start(shop.merchant, shop.worker, id, true);
  expect(await outcomesOf(shop.merchant, id)).toEqual({ a: "OK" });
  const path = "/api/subscriptions/selling-plans/every-5-months";
  const { data } = must(await shop.worker.call(shop.merchant.api, "GET", path));
  expect(data).toMatchObject({ store_plan_id: expect.any(String), store_sync_error: null });
});
