/** A forecast of goods reads the rows of its days, not of the account. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../support/client.ts";
import { orderOf, put, subscriptionOf, usageOf } from "../support/records.ts";
import { inDays, openShop, type Shop } from "../support/shops.ts";
import { lineWith } from "../support/stored-subscriptions.ts";
import { useWorker } from "../support/worker.ts";

const path = "/api/forecast/goods";
const worker = useWorker();
const [small, large] = [100, 400] as const;
let shop: Shop;

const dates = (day: number) => ({
  anchor_date: inDays(day),
  next_delivery_date: inDays(day),
  next_billing_date: inDays(day),
  next_production_date: null,
});

/** So many subscriptions that are delivered in 50 days, fulfilled orders of last month, and subscriptions that have ended. */
async function grow(from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, nth) => from + nth);
  const common = {
    ...{
      next_index: 0,
      next_billed_index: 0,
      activation: 1,
      current_billing_cycle: 1,
      deliveries_per_billing: 1,
    },
    ...{
      max_cycles: null,
      payment_method_id: null,
      delivery_slot_id: null,
      lines: JSON.stringify([lineWith()]),
    },
  };
  for (const [status, base, day] of [
    ["ACTIVE", 10_000, 50],
    ["PAYMENT_FAILED", 20_000, -30],
    ["CANCELLED", 30_000, null],
  ] as const) {
    const its =
      day === null
        ? { next_delivery_date: null, next_billing_date: null, next_production_date: null }
        : dates(day);
    await put(
      "subscriptions",
      numbers.map((nth) =>
        subscriptionOf(shop.of, shop.profileId, {
          ...common,
          ...{ number: base + nth, status, store_contract_id: base * 100 + nth },
          ...its,
        } as object),
      ),
    );
  }
  await put(
    "orders",
    numbers.map(() =>
      orderOf(shop.of, {
        ...{ fulfillment_status: "FULFILLED", lines: JSON.stringify([lineWith()]) },
        ...{ delivery_date: inDays(-30), billing_date: inDays(-30), production_date: inDays(-31) },
      }),
    ),
  );
}

const empty = [
  ["days that are gone, before the first order", { from: inDays(-120), to: inDays(-61) }],
  ["days of this week, with nothing to make", { from: inDays(0), to: inDays(6), horizon: "next" }],
  ["days after the last that is planned", { from: inDays(55), to: inDays(61), horizon: "next" }],
] as const;
const all = empty.flatMap(([title, query]) =>
  (["production_date", "delivery_date", "billing_date"] as const).map(
    (by) => [title, by, { ...query, by }] as const,
  ),
);

describe("the rows that a forecast reads are those of its days, not of the account", () => {
  const figures: Record<string, number>[] = [];
  beforeAll(async () => {
    shop = await openShop();
    let from = 0;
    for (const size of [small, large]) {
      await grow(from, size);
      from = size;
      const read: Record<string, number> = {};
      for (const [title, by, query] of all) {
        const { answer, rows_read } = await usageOf(() => api(shop.api, "GET", path, { query }));
        expect([answer.status, (answer.body as { data: unknown[] }).data]).toEqual([200, []]);
        read[`${title} ${by}`] = rows_read;
      }
      figures.push(read);
    }
  });

  test.each(all)("of %s, by %s", (title, by) => {
    const [of100, of400] = figures.map((read) => read[`${title} ${by}`]!);
    expect(of400, `${of400} rows of ${large}, ${of100} of ${small}`).toBeLessThanOrEqual(of100! + 4);
    expect(of400).toBeLessThanOrEqual(60);
  });

  test.each(["production_date", "delivery_date", "billing_date"])(
    "an order that is packed and gone costs two at most on its days, by %s",
    async (by) => {
      const query = { from: inDays(-60), to: inDays(-1), by };
      const { answer, rows_read } = await usageOf(() => api(shop.api, "GET", path, { query }));
      expect((answer.body as { data: object[] }).data).toEqual([]);
      expect(rows_read).toBeLessThanOrEqual(2 * large + 60);
    },
  );

  test("each subscription that is counted costs a few", async () => {
    const query = { from: inDays(50), to: inDays(50), horizon: "next" };
    const { answer, rows_read } = await usageOf(() => api(shop.api, "GET", path, { query }));
    expect((answer.body as { data: { quantity: number }[] }).data).toMatchObject([{ quantity: large }]);
    expect(rows_read / large).toBeLessThanOrEqual(5);
  });

  test("one that was not taken costs a dozen for each subscription that may be delivered", async () => {
    const query = { from: inDays(0), to: inDays(55), horizon: "projected" };
    const { answer, rows_read } = await usageOf(() => api(shop.api, "GET", path, { query }));
    expect((answer.body as { meta: { complete: boolean } }).meta.complete).toBe(true);
    expect(rows_read / large).toBeLessThanOrEqual(12);
  });

  test("a forecast that was taken costs its pages", async () => {
    const days = { from: inDays(0), to: inDays(55) };
    await worker.call(shop.api, "POST", `${path}/runs`, { body: days });
    await worker.drain();
    const query = { ...days, horizon: "projected" };
    await api(shop.api, "GET", path, { query });
    const { answer, rows_read } = await usageOf(() => api(shop.api, "GET", path, { query }));
    expect((answer.body as { meta: { complete: boolean } }).meta.complete).toBe(true);
    expect(rows_read).toBeLessThanOrEqual(12);
  });
});
