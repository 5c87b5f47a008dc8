/** An attempt shows all that was charged as it was frozen, to its own account and customer alone. */
import { expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { put, walk } from "../../support/records.ts";
import { customerOf, done, inDays, type Json, on, openShop, read } from "../../support/shops.ts";
import { attemptsOf, chargesOf, linked, ordersOf, shipNow, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

function dueLater(more: object = {}) {
  return linked(shop, worker, { next_delivery_date: inDays(30), ...more });
}

test("an attempt in full, queued and settled", async () => {
  const id = await dueLater();
  const { body } = await shipNow(shop, worker, id, { delivery_date: inDays(2) });
  const path = on(id, `billing-attempts/${body.billing_attempt_id}`);
  const queued = (await api(shop.api, "GET", path)).body;
  const whole = {
    id: body.billing_attempt_id,
    subscription_id: id,
    cycle: 1,
    attempt_number: 1,
    trigger: "SHIP_NOW",
    status: "QUEUED",
    amount: 10,
    currency_code: "USD",
    billing_date: inDays(0),
    delivery_date: inDays(2),
    production_date: null,
    delivery_slot_id: null,
    error_code: null,
    error_message: null,
    next_action_url: null,
    next_action_expires_at: null,
    order_id: null,
    settled_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  };
  expect(queued).toEqual({ data: whole });
  await worker.drain();
  const [order] = await ordersOf(shop, id);
  expect((await api(shop.api, "GET", path)).body).toEqual({
    data: { ...whole, status: "SUCCEEDED", order_id: order.id, settled_at: expect.any(String) },
  });
});

test("a failed one says why", async () => {
  const id = await dueLater({ store_payment_method_id: "pm_card_declined" });
  await shipNow(shop, worker, id);
  await worker.drain();
  expect(await attemptsOf(shop, id)).toMatchObject([
    {
      status: "FAILED",
      error_code: "card_declined",
      error_message: "The card was declined",
      order_id: null,
      settled_at: expect.any(String),
    },
  ]);
  expect(await ordersOf(shop, id)).toEqual([]);
});

test("the list: newest first, with meta, page by page; a subscription without attempts has none", async () => {
  const id = await dueLater();
  expect((await api(shop.api, "GET", on(id, "billing-attempts"))).body).toMatchObject({
    data: [],
    meta: { total: 0, last_page: 1, next_page_url: null },
  });
  for (const nth of [1, 2, 3]) {
    await shipNow(shop, worker, id, { allow_repeat: true }, { headers: { "Idempotency-Key": `${nth}` } });
    await worker.drain();
  }
  const { body } = await api(shop.api, "GET", on(id, "billing-attempts"), { query: { limit: 2 } });
  expect(body.data.map(({ cycle }: Json) => cycle)).toEqual([3, 2]);
  expect(body.meta).toMatchObject({
    total: 3,
    per_page: 2,
    current_page: 1,
    last_page: 2,
    previous_page_url: null,
  });
  const { ids, total } = await walk(shop.api, on(id, "billing-attempts"), { limit: 1 });
  expect([ids, total]).toEqual([(await attemptsOf(shop, id)).map((attempt) => attempt.id), 3]);
  for (const query of [{ limit: 0 }, { limit: 101 }, { page: 0 }, { status: "FAILED" }])
    expect((await api(shop.api, "GET", on(id, "billing-attempts"), { query })).status).toBe(400);
});

test("unknown, another subscription's, another customer's, another account's: 404", async () => {
  const [id, other] = [await dueLater(), await dueLater()];
  const attempt = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  const stranger = await openShop();
  const neighbour = await customerOf(shop.of);
  const at = (subscription: string, which: string) => on(subscription, `billing-attempts/${which}`);
  for (const path of [at(id, newId()), at(id, "nope"), at(other, attempt), at(newId(), attempt)])
    expect((await api(shop.api, "GET", path)).status).toBe(404);
  for (const caller of [stranger.api, neighbour.customer])
    for (const path of [at(id, attempt), on(id, "billing-attempts"), on(id, "dunning-episodes")])
      expect((await api(caller, "GET", path)).status).toBe(404);
  expect((await api(shop.customer, "GET", at(id, attempt))).status).toBe(200);
  await worker.drain();
});

test("what is charged and ordered was frozen when it was asked for", async () => {
  const id = await dueLater();
  const { lines } = await read(shop, id);
  await shipNow(shop, worker, id);
  await done(shop.api, "PUT", id, `lines/${lines[0].id}`, { price: 99, quantity: 3 });
  await done(shop.api, "POST", id, "discounts", {
    title: "Later",
    value: 50,
    value_type: "PERCENTAGE",
    target_type: "ORDER",
    recurring_cycle_limit: 1,
  });
  await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 1 });
  await worker.drain();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", amount: 10 }]);
  expect(await ordersOf(shop, id)).toMatchObject([{ total: 10, subtotal: 10, discount_amount: 0 }]);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  expect(await read(shop, id)).toMatchObject({
    subtotal: 297,
    total: 148.5,
    total_revenue: 10,
    discounts: [{ status: "ACTIVE" }],
  });
});

test("a one-time line added while an attempt is open is in the next order", async () => {
  const id = await dueLater();
  await shipNow(shop, worker, id);
  const { lines } = await read(shop, id);
  const { id: _id, line_total, discount_amount, selling_plan_name, selection_items, ...line } = lines[0];
  await done(shop.api, "POST", id, "lines", { ...line, price: 3, is_one_time: true });
  await worker.drain();
  expect((await read(shop, id)).lines).toHaveLength(2);
  await shipNow(shop, worker, id, { allow_repeat: true });
  await worker.drain();
  expect((await ordersOf(shop, id)).map(({ total }: Json) => total)).toEqual([13, 10]);
  expect((await read(shop, id)).lines).toHaveLength(1);
});

test.each([
  ["JPY", 1200, 1200],
  ["KWD", 1.234, 1234],
])("amounts in %s are major units without and minor units within", async (currency, price, minor) => {
  const other = await openShop({ currency });
  const line = {
    store_product_id: "p",
    store_variant_id: "v",
    product_title: "Kibble",
    selling_plan_id: other.plan,
    price,
    quantity: 1,
  };
  const id = await linked(other, worker, { next_delivery_date: inDays(30), lines: [line] });
  await shipNow(other, worker, id);
  await worker.drain();
  expect(await attemptsOf(other, id)).toMatchObject([{ amount: price, currency_code: currency }]);
  expect(await ordersOf(other, id)).toMatchObject([{ total: price, currency_code: currency }]);
  expect(await chargesOf(id)).toEqual([{ amount: minor, state: "SUCCEEDED" }]);
});

test("every status has the same shape", async () => {
  const id = await dueLater();
  await shipNow(shop, worker, id);
  await worker.drain();
  const [settlement] = await attemptsOf(shop, id);
  const [row] = await select("SELECT * FROM billing_attempts WHERE id = ?", settlement.id);
  const statuses = ["PROCESSING", "ACTION_REQUIRED", "REVIEW", "FAILED", "CANCELLED"];
  for (const [nth, status] of statuses.entries()) {
    const lone = await dueLater();
    const copy = {
      ...row,
      seq: null,
      id: newId(),
      subscription_id: lone,
      status,
      store_key: `key-${nth}`,
      order_id: null,
    };
    await put("billing_attempts", [copy]);
    const [shown] = await attemptsOf(shop, lone);
    expect(Object.keys(shown)).toEqual(Object.keys(settlement));
    expect(shown.status).toBe(status);
  }
});
