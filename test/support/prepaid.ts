import { api } from "./client.ts";
import { addPlan, itemOf, type Json, on, openShop, type Shop } from "./shops.ts";
import { deliveriesOf, linked, startClock, type TestWorker } from "./worker.ts";

/** Billed every three months, delivered every month. */
export const quarterly = {
  billing_interval: "MONTH",
  billing_interval_count: 3,
  delivery_interval: "MONTH",
  delivery_interval_count: 1,
};

export type Prepaid = { shop: Shop; id: string };

/** A prepaid subscription of 30.00 on an account of its own, whose clock stands at noon of its first billing date. */
export async function prepaid(worker: TestWorker, terms: object = {}, more: object = {}): Promise<Prepaid> {
  const shop = await openShop();
  await startClock(shop, "2030-01-31T12:00:00.000Z");
  const plan = await addPlan(shop, { ...quarterly, ...terms });
  const id = await linked(shop, worker, {
    next_delivery_date: "2030-01-31",
    lines: [itemOf(plan, { price: 30 })],
    ...more,
  });
  return { shop, id };
}

/** The totals of a subscription's orders, oldest first. */
export async function totalsOf({ shop, id }: Prepaid): Promise<number[]> {
  return (await deliveriesOf(shop, id)).map(([, total]) => total);
}

/** The projected deliveries, each with its date and total. */
export async function projectedOf({ shop, id }: Prepaid, count = 6): Promise<[string, number][]> {
  const { data } = (await api(shop.api, "GET", on(id, "upcoming"), { query: { count } })).body;
  return data.map((one: Json) => [one.delivery_date, one.total]);
}
