import { expect } from "vitest";
import { api } from "../support/client.ts";
import { inDays, itemOf, type Json, openShop, type Shop } from "../support/shops.ts";
import { linked, type TestWorker } from "../support/worker.ts";

/** A discount that a job applies or takes away. */
export const discount = { title: "Sorry", value: 10, value_type: "PERCENTAGE", target_type: "ORDER" };

/** A shop whose customer has so many subscriptions with contracts, the next delivery in some weeks. */
export async function openBulk(
  worker: TestWorker,
  many: number,
  more: object = {},
): Promise<{ shop: Shop; ids: string[] }> {
  const shop = await openShop();
  const ids: string[] = [];
  for (let nth = 0; nth < many; nth++) ids.push(await addOne(shop, worker, more));
  return { shop, ids };
}

export function addOne(shop: Shop, worker: TestWorker, more: object = {}): Promise<string> {
  const lines = [
    itemOf(shop.plan, { store_variant_id: "old" }),
    itemOf(shop.plan, { store_variant_id: "other" }),
  ];
  return linked(shop, worker, { next_delivery_date: inDays(40), lines, ...more });
}

/** Begins a bulk job, and does all of it. */
export async function bulk(
  shop: Shop,
  worker: TestWorker,
  body: object,
  query: { dry_run?: boolean } = {},
): Promise<Json> {
  const answer = await worker.call(shop.api, "POST", "/api/bulk", { body, query });
  expect(answer.status, answer.text).toBe(202);
  await worker.drain();
  return jobOf(shop, answer.body.data.id);
}

export async function jobOf(shop: Shop, id: string): Promise<Json> {
  return (await api(shop.api, "GET", `/api/jobs/${id}`)).body.data;
}

export async function rowsOf(shop: Shop, id: string): Promise<Json[]> {
  return (await api(shop.api, "GET", `/api/jobs/${id}/rows`, { query: { limit: 100 } })).body.data;
}

export async function undo(shop: Shop, worker: TestWorker, id: string): Promise<Json> {
  const answer = await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`);
  expect(answer.status, answer.text).toBe(200);
  await worker.drain();
  return jobOf(shop, id);
}
