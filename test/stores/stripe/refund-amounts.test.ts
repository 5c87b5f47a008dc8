/** A refund at Stripe has an amount that its currency allows. */
import { expect, test } from "vitest";
import { ownOrders } from "../../domain/orders/own-orders.ts";
import { ordersOf } from "../../support/worker.ts";
import { accountOnStripe, subscribed } from "./account.ts";
import { shipped } from "./charging.ts";

/** Stripe counts some currencies in larger steps than ISO 4217 does, in refunds as in charges. */

test.each([
  ["KWD", 1.005, "must be in steps of 0.010, as Stripe counts KWD"],
  ["MGA", 0.5, "must be in whole units, as Stripe counts MGA"],
] as const)(
  "a refund in %s of %d is refused, naming the amount, and recorded nowhere",
  async (currency, amount, message) => {
    const account = await accountOnStripe({ currency });
    const id = await subscribed(account);
    await shipped(account, id);
    const [{ id: order }] = await ordersOf(account.merchant, id);
    const orders = ownOrders(account.merchant, account.worker);
    const { status, body } = await orders.refund(order, { amount });
    expect([status, body.details]).toEqual([400, [{ path: "amount", message }]]);
    expect(await orders.refunds(order)).toEqual([]);
  },
);

test.each([
  ["KWD", 1.01],
  ["MGA", 1],
  ["EUR", 0.01],
] as const)("a refund in %s of %d, and then all that is left, are paid back", async (currency, amount) => {
  const account = await accountOnStripe({ currency });
  const id = await subscribed(account);
  await shipped(account, id);
  const [{ id: order }] = await ordersOf(account.merchant, id);
  const orders = ownOrders(account.merchant, account.worker);
  expect((await orders.refund(order, { amount })).status).toBe(201);
  expect((await orders.refund(order)).status).toBe(201);
  await account.worker.drain();
  const statuses = (await orders.refunds(order)).map(({ status }) => status);
  expect(statuses).toEqual(["SUCCEEDED", "SUCCEEDED"]);
  expect(await orders.order(order)).toMatchObject({ status: "REFUNDED", refunded_amount: 20 });
});
