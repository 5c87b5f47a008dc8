/** The goods of eight weeks are those that were forecast, cell by cell. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import type { OrderLine } from "../../../src/domain/orders/tables.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { seeded } from "../../support/records.ts";
import { done, type Json, on, openShop, read, type Shop } from "../../support/shops.ts";
import { advance, clockOf, startClock, useWorker } from "../../support/worker.ts";
import { createSubscription, histories, perform, today } from "../billing/upcoming-histories.ts";
import { forecast, takeForecast } from "./forecasts.ts";

const worker = useWorker();
const weeks = 8;

const shops = fc.record({
  subscriptions: fc.array(
    fc.record({ history: histories, boxes: fc.integer({ min: 0, max: 3 }), hasPriceChange: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  ),
  closed: fc.array(
    fc.record({
      from: fc.integer({ min: 1, max: weeks * 7 }),
      length: fc.integer({ min: 0, max: 9 }),
      rule: fc.constantFrom("earlier", "later", "skip"),
      applies_to: fc.subarray(["delivery", "production", "billing"], { minLength: 1 }),
    }),
    { maxLength: 3 },
  ),
});

/** Closes days, and has the dates on them moved. */
async function closeAll(shop: Shop, closed: Subscribed["closed"]): Promise<void> {
  for (const { from, length, ...terms } of closed) {
    const days = { from: addDays(today, from), to: addDays(today, from + length) };
    const body = { ...days, ...terms, label: "Holiday" };
    const { status } = await worker.call(shop.api, "POST", "/api/subscriptions/closed-days", { body });
    expect(status).toBe(201);
  }
  await worker.drain();
}

/** Puts a box into each of a subscription's lines, and has its price change in two cycles. */
async function addGoods(id: string, { boxes, hasPriceChange }: { boxes: number; hasPriceChange: boolean }) {
  const items = Array.from({ length: boxes }, (_, nth) => ({
    ...{ slot_id: "s", store_product_id: "p", product_title: `Item ${nth}`, variant_title: null },
    ...{ store_variant_id: `item-${nth}`, quantity: nth + 1, price: 100 },
  }));
  await execute(
    `UPDATE subscriptions SET lines = json_set(lines, '$[0].selection_items', json(?), '$[0].quantity', 2) WHERE id = ?`,
    JSON.stringify(boxes > 0 ? items : null),
    id,
  );
  if (hasPriceChange)
    await execute(
      `UPDATE subscriptions SET lines = json_set(lines, '$[0].price_changes', json('[{"in_cycles":2,"price":500}]')) WHERE id = ?`,
      id,
    );
}

type Order = Record<"production_date" | "billing_date" | "delivery_date", string | null> & {
  delivery_slot_id: string | null;
  lines: string;
};

/** The goods of the orders of a shop by day and variant, or by day and slot. */
async function goodsOfOrders(shop: Shop, by: keyof Order, group: "variant" | "slot") {
  const orders = await select<Order>(
    `SELECT production_date, billing_date, delivery_date, delivery_slot_id, COALESCE(lines, (
        SELECT lines FROM orders AS held WHERE held.account_seq = orders.account_seq AND held.id = orders.content_order_id)) AS lines
      FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
    shop.of.account.id,
  );
  const counted = new Map<string, number>();
  const add = (date: string, key: string | null, quantity: number) =>
    counted.set(`${date} ${key}`, (counted.get(`${date} ${key}`) ?? 0) + quantity);
  for (const order of orders) {
    const date = order[by] ?? (order.delivery_date as string);
    for (const line of JSON.parse(order.lines) as OrderLine[]) {
      const goods = [
        line,
        ...(line.selection_items ?? []).map((item) => ({ ...item, quantity: item.quantity * line.quantity })),
      ];
      for (const { store_variant_id, quantity } of goods)
        add(date, group === "variant" ? store_variant_id : order.delivery_slot_id, quantity);
    }
  }
  return counted;
}

async function createAll(shop: Shop, all: Subscribed["subscriptions"]): Promise<string[]> {
  const ids: string[] = [];
  for (const { history, ...goods } of all) {
    const id = await createSubscription({ shop, worker }, history);
    await addGoods(id, goods);
    ids.push(id);
  }
  return ids;
}

type Subscribed = typeof shops extends fc.Arbitrary<infer T> ? T : never;

/** The stored next deliveries by day and variant: what is planned, and what is at risk. */
async function nextOf(shop: Shop, days: { from: string; to: string }): Promise<[string, number][]> {
  const { data } = await forecast(shop, { ...days, horizon: "next", by: "delivery_date" });
  return data
    .filter(({ planned, at_risk }: Json) => planned + at_risk > 0)
    .map((cell: Json) => [`${cell.date} ${cell.store_variant_id}`, cell.planned + cell.at_risk])
    .toSorted();
}

/** The first delivery that `upcoming` shows of each subscription, by day and variant. */
async function firstUpcoming(shop: Shop, ids: string[], days: { from: string; to: string }) {
  const counted = new Map<string, number>();
  for (const id of ids) {
    const { body } = await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 1 } });
    for (const { delivery_date, lines } of body.data)
      for (const line of lines)
        for (const { store_variant_id, quantity } of [
          line,
          ...(line.selection_items ?? []).map((item: Json) => ({
            ...item,
            quantity: item.quantity * line.quantity,
          })),
        ]) {
          const key = `${delivery_date} ${store_variant_id}`;
          counted.set(key, (counted.get(key) ?? 0) + quantity);
        }
  }
  return within(counted, days);
}

function countedIn({ data }: Json, name: string): Map<string, number> {
  return new Map(data.map((cell: Json) => [`${cell.date} ${cell[name]}`, cell.quantity]));
}

function within(goods: Map<string, number>, { from, to }: { from: string; to: string }) {
  return [...goods].filter(([key]) => key.slice(0, 10) >= from && key.slice(0, 10) <= to).toSorted();
}

function sumOf({ data }: Json): number {
  return data.reduce((sum: number, { quantity }: Json) => sum + quantity, 0);
}

const groups = { variant: "store_variant_id", slot: "delivery_slot_id" } as const;
const dates = ["production_date", "delivery_date", "billing_date"] as const;

test("the goods of eight weeks are those that were forecast, cell by cell", {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(shops, async ({ subscriptions, closed }) => {
      const shop = await openShop();
      await startClock(shop, `${today}T12:00:00.000Z`);
      const ids = await createAll(shop, subscriptions);
      for (const [nth, id] of ids.entries())
        for (const action of subscriptions[nth]!.history.actions)
          if ((await read(shop, id)).status === "ACTIVE") await perform[action]({ shop, worker, id });
      await worker.drain();
      await closeAll(shop, closed);
      const from = (await clockOf(shop)).slice(0, 10);
      const days = { from, to: addDays(from, weeks * 7 - 1) };
      expect(await nextOf(shop, days)).toEqual(await firstUpcoming(shop, ids, days));
      const asked = dates.flatMap((by) => (["variant", "slot"] as const).map((group) => ({ by, group })));
      const project = () =>
        Promise.all(
          asked.map(({ by, group }) =>
            forecast(shop, { ...days, by, group_by: group, horizon: "projected" }),
          ),
        );
      const atOnce = await project();
      await takeForecast(shop, worker, days);
      const forecasts = await project();
      expect(atOnce.map(({ data }) => data)).toEqual(forecasts.map(({ data }) => data));
      for (const { meta } of forecasts) expect(meta).toMatchObject({ horizon: "projected", complete: true });
      for (const nth of [0, 2, 4]) expect(sumOf(forecasts[nth])).toBe(sumOf(forecasts[nth + 1]));
      await advance(shop, worker, weeks * 7 + 1);
      for (const [nth, { by, group }] of asked.entries())
        expect(within(countedIn(forecasts[nth], groups[group]), days), `${by} ${group}`).toEqual(
          within(await goodsOfOrders(shop, by, group), days),
        );
    }),
    seeded(Math.min(20, Math.ceil(Number(env.MODEL_RUNS) / 3))),
  );
});

test("cancelling a subscription takes away exactly its cells", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(shops, async ({ subscriptions }) => {
      const whole = await openShop();
      const days = { from: today, to: addDays(today, weeks * 7 - 1) };
      for (const shop of [whole]) {
        await startClock(shop, `${today}T12:00:00.000Z`);
        for (const { history, ...goods } of subscriptions)
          await addGoods(await createSubscription({ shop, worker }, history), goods);
        await addGoods(
          await createSubscription({ shop, worker }, subscriptions[0]!.history),
          subscriptions[0]!,
        );
      }
      await worker.drain();
      const take = async (shop: Shop) => {
        await takeForecast(shop, worker, days);
        return countedIn(await forecast(shop, { ...days, horizon: "projected" }), "store_variant_id");
      };
      const before = await take(whole);
      const [last] = await select<{ id: string }>(
        `SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY number DESC LIMIT 1`,
        whole.of.account.id,
      );
      await done(whole.api, "POST", last!.id, "cancel");
      const after = await take(whole);
      const alone = await openShop();
      await startClock(alone, `${today}T12:00:00.000Z`);
      await createAll(alone, [subscriptions[0]!]);
      await worker.drain();
      const own = await take(alone);
      for (const [key, quantity] of before)
        expect(quantity - (after.get(key) ?? 0), key).toBe(own.get(key) ?? 0);
      for (const key of after.keys()) expect(before.has(key)).toBe(true);
    }),
    seeded(Math.min(6, Math.ceil(Number(env.MODEL_RUNS) / 12))),
  );
});
