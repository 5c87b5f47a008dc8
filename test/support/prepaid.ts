import { api } from "./client.ts";
import { addPlan, itemOf, type Json, type Life, life, on } from "./lives.ts";
import { deliveriesOf, linked, type Machine, startClock } from "./machine.ts";

/** Billed every three months, delivered every month. */
export const quarterly = {
  billing_interval: "MONTH",
  billing_interval_count: 3,
  delivery_interval: "MONTH",
  delivery_interval_count: 1,
};

export type Prepaid = { of: Life; id: string };

/** A prepaid subscription of 30.00 on an account of its own, whose clock stands at noon of its first billing date. */
export const prepaid = async (works: Machine, terms: object = {}, more: object = {}): Promise<Prepaid> => {
  const of = await life();
  await startClock(of, "2030-01-31T12:00:00.000Z");
  const plan = await addPlan(of, { ...quarterly, ...terms });
  const id = await linked(of, works, {
    next_delivery_date: "2030-01-31",
    lines: [itemOf(plan, { price: 30 })],
    ...more,
  });
  return { of, id };
};

/** The totals of a subscription's orders, oldest first. */
export const totalsOf = async ({ of, id }: Prepaid): Promise<number[]> =>
  (await deliveriesOf(of, id)).map(([, total]) => total);

/** What is projected: each delivery's date and total. */
export const projectedOf = async ({ of, id }: Prepaid, count = 6): Promise<[string, number][]> => {
  const { data } = (await api(of.api, "GET", on(id, "upcoming"), { query: { count } })).body;
  return data.map((one: Json) => [one.delivery_date, one.total]);
};
