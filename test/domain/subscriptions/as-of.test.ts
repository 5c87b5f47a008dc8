/** A subscription as of an instant is what was read at that instant, in all that its history says. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, seeded } from "../../support/records.ts";
import {
  addPlan,
  address,
  entriesOf,
  itemOf,
  type Json,
  on,
  openShop,
  refusal,
  type Shop,
} from "../../support/shops.ts";
import { advance, clockOf, linked, ordersOf, startClock, useWorker } from "../../support/worker.ts";

const worker = useWorker();

function asOf(shop: Shop, id: string, as_of: string, as = shop.api) {
  return api<Json>(as, "GET", on(id), { query: { as_of } });
}

async function now(shop: Shop, id: string): Promise<Json> {
  return (await api<Json>(shop.api, "GET", on(id))).body.data;
}

const methods = ["pm_success", "pm_card_declined", "pm_expired_card", "pm_out_of_stock"];

const request = fc.oneof(
  { weight: 6, arbitrary: fc.record({ advance: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 9,
    arbitrary: fc.constantFrom<{ path: string; method?: "PUT"; body?: object }>(
      { path: "skip", body: { skip_weeks: 1 } },
      { path: "skip-deliveries", body: { count: 2 } },
      { path: "unskip" },
      { path: "pause", body: { reason: "Travelling" } },
      { path: "resume" },
      { path: "cancel", body: { reason: "Too much" } },
      { path: "reactivate" },
      { path: "ship-now", body: {} },
      { path: "retry-payment" },
      { path: "delivery-instructions", method: "PUT", body: { delivery_instructions: "Ring twice" } },
      { path: "delivery-address", method: "PUT", body: address },
      { path: "frequency", method: "PUT", body: { interval: "WEEK", interval_count: 2 } },
    ),
  },
  { weight: 3, arbitrary: fc.record({ pay: fc.constantFrom(...methods) }) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      "discount",
      "less",
      "more",
      "line",
      "fewer",
      "without",
      "refund",
      "cancel-order",
      "undo",
      "move",
    ),
  },
);
type Step = typeof request extends fc.Arbitrary<infer T> ? T : never;

const plans = fc.constantFrom(
  {
    billing_interval: "WEEK",
    billing_interval_count: 1,
    delivery_interval: "WEEK",
    delivery_interval_count: 1,
  },
  {
    billing_interval: "WEEK",
    billing_interval_count: 3,
    delivery_interval: "WEEK",
    delivery_interval_count: 1,
  },
  {
    billing_interval: "DAY",
    billing_interval_count: 4,
    delivery_interval: "DAY",
    delivery_interval_count: 4,
  },
);

/** Does a step, whether or not it is possible now. */
async function take(shop: Shop, id: string, plan: string, step: Step): Promise<void> {
  const call = (method: "POST" | "PUT" | "DELETE", path: string, body?: object) =>
    worker.call(shop.api, method, path, body ? { body } : {});
  if (typeof step === "object" && "pay" in step)
    await call("PUT", on(id, "payment-method"), { store_payment_method_id: step.pay });
  else if (typeof step === "object" && "path" in step)
    await call(step.method ?? "POST", on(id, step.path), step.body);
  else if (typeof step === "string") {
    const { lines, discounts, next_delivery_date } = await now(shop, id);
    const discount = { title: "Less", value: 15, value_type: "PERCENTAGE", target_type: "LINE_ITEM" };
    if (step === "discount")
      await call("POST", on(id, "discounts"), { ...discount, recurring_cycle_limit: 2 });
    if (step === "less")
      await call("POST", on(id, "discounts"), { ...discount, target_type: "SHIPPING_LINE" });
    if (step === "more" && discounts[0]) await call("DELETE", on(id, `discounts/${discounts[0].id}`));
    if (step === "line")
      await call("POST", on(id, "lines"), itemOf(plan, { price: 7.77, is_one_time: true }));
    if (step === "fewer")
      await call("PUT", on(id, `lines/${lines[0].id}`), { quantity: lines[0].quantity + 1 });
    if (step === "without" && lines[1]) await call("DELETE", on(id, `lines/${lines[1].id}`));
    if (step === "refund") {
      const [order] = await ordersOf(shop, id);
      const path = `/api/subscriptions/orders/${order?.id}`;
      if (order) await worker.call(shop.admin, "POST", `${path}/refunds`, { body: { amount: 1 } });
    }
    if (step === "cancel-order") {
      const [order] = await ordersOf(shop, id);
      if (order)
        await worker.call(shop.admin, "POST", `/api/subscriptions/orders/${order.id}/cancel`, { body: {} });
    }
    if (step === "undo") {
      const last: Json = (await entriesOf(id)).at(-1);
      if (last) await call("POST", on(id, "undo"), { entry_id: last.id });
    }
    if (step === "move" && next_delivery_date)
      await call("PUT", on(id, "schedule"), { next_delivery_date: later(next_delivery_date, 3) });
  }
  await worker.drain();
}

function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

const runs = Math.ceil(Number(env.MODEL_RUNS) / 3);

test(`${runs} random histories: as of each moment it is what it was`, {
  timeout: 60_000 + runs * 6000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, fc.array(request, { minLength: 4, maxLength: 14 }), async (terms, steps) => {
      const shop = await openShop();
      await startClock(shop, "2030-01-31T12:00:00.000Z");
      const plan = await addPlan(shop, { ...terms, shipping_amount: 4.5 });
      const lines = [itemOf(plan, { price: 33.33 }), itemOf(plan, { price: 5.55 })];
      const id = await linked(shop, worker, { next_delivery_date: "2030-02-02", lines });
      const snapshots: [at: string, read: Json][] = [];
      const keep = async (at: string) => snapshots.push([at, await now(shop, id)]);
      await keep(await clockOf(shop));
      for (const step of steps) {
        if (typeof step === "object" && "advance" in step) {
          for (let day = 0; day < step.advance; day++) {
            await keep(await advance(shop, worker, 1));
          }
          continue;
        }
        const at = await advance(shop, worker, 0.001);
        await take(shop, id, plan, step);
        await keep(at);
      }
      for (const [at, then] of snapshots) {
        const { status, body } = await asOf(shop, id, at);
        expect(status, JSON.stringify(body)).toBe(200);
        const { data, meta } = body;
        expect(meta.as_of).toBe(at);
        expect(neverNull.filter((name) => meta.not_recorded.includes(name))).toEqual([]);
        const expected = Object.fromEntries(
          Object.entries(then).map(([name, value]) => [
            name,
            meta.not_recorded.includes(name) ? null : value,
          ]),
        );
        expect({ at, ...data }).toEqual({ at, ...expected });
      }
    }),
    seeded(runs),
  );
});

const neverNull = [
  ...["status", "billing_interval", "billing_interval_count", "delivery_interval", "delivery_interval_count"],
  ...["next_delivery_date", "next_billing_date", "current_billing_cycle", "total_revenue", "total", "lines"],
];

test("before a refund it had the revenue of its charge, and before that none", async () => {
  const shop = await openShop();
  const id = await linked(shop, worker, { next_delivery_date: later(new Date().toISOString(), 9) });
  const created = await clockOf(shop);
  await advance(shop, worker, 10);
  const charged = await clockOf(shop);
  const [order] = await ordersOf(shop, id);
  await advance(shop, worker, 1);
  const path = `/api/subscriptions/orders/${order.id}`;
  expect((await worker.call(shop.admin, "POST", `${path}/refunds`, { body: { amount: 4 } })).status).toBe(
    201,
  );
  await worker.drain();
  const refunded = await clockOf(shop);
  await advance(shop, worker, 0.1);
  expect((await worker.call(shop.admin, "POST", `${path}/cancel`, { body: {} })).status).toBe(200);
  expect((await now(shop, id)).total_revenue).toBe(6);
  const at = async (instant: string) => (await asOf(shop, id, instant)).body.data.total_revenue;
  expect([await at(created), await at(charged), await at(refunded)]).toEqual([0, 10, 6]);
});

describe("an instant", () => {
  test("before the creation is 404, and one that is no date-time 400", async () => {
    const shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: later(new Date().toISOString(), 9) });
    expect((await asOf(shop, id, "2020-01-01T00:00:00Z")).status).toBe(404);
    expect(faults(await asOf(shop, id, "yesterday"))).toEqual([400, "VALIDATION_FAILED", "as_of"]);
    const other = await openShop();
    expect((await asOf(other, id, new Date().toISOString())).status).toBe(404);
    expect((await asOf(other, id, new Date().toISOString(), shop.customer)).status).toBe(200);
  });

  test("to come is the present", async () => {
    const shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: later(new Date().toISOString(), 9) });
    const { data, meta } = (await asOf(shop, id, "2099-01-01T00:00:00+02:00")).body;
    expect(meta.as_of).toBe("2098-12-31T22:00:00.000Z");
    expect(data).toMatchObject({ status: "ACTIVE", total: 10, can_cancel: null, profile: null });
  });

  test("behind more than 5,000 entries is 409", async () => {
    const shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: later(new Date().toISOString(), 9) });
    const at = new Date().toISOString();
    await execute(
      `INSERT INTO activity_logs (kept_id, created_ms, account_seq, loggable_type, loggable_id, type, sequence)
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        SELECT 'other-' || ? || i, ?, seq, 'subscription', ?, 'integration.label', 100000 + i FROM n, accounts WHERE id = ?`,
      ...[id, Date.parse(at) + 60_000, id, shop.of.account.id],
    );
    expect(refusal(await asOf(shop, id, at))).toEqual([409, "INVALID_STATE"]);
  });
});
