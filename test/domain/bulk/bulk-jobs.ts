import { expect } from "vitest";
import { api, type RequestOptions } from "../../support/client.ts";
import { inDays, itemOf, type Json, openShop, type Shop } from "../../support/shops.ts";
import { linked, useWorker } from "../../support/worker.ts";

/** A discount that a job applies or takes away. */
export const discount = { title: "Sorry", value: 10, value_type: "PERCENTAGE", target_type: "ORDER" };

/** Bulk jobs of shops, for all tests of a file: each is begun over HTTP, and done by the messages of its own Worker. */
export function useBulk() {
  const worker = useWorker();

  /** A subscription with a contract, the next delivery in some weeks. */
  const addOne = (shop: Shop, more: object = {}): Promise<string> => {
    const lines = [
      itemOf(shop.plan, { store_variant_id: "old" }),
      itemOf(shop.plan, { store_variant_id: "other" }),
    ];
    return linked(shop, worker, { next_delivery_date: inDays(40), lines, ...more });
  };

  const post = async (shop: Shop, path: string, status: number, options: RequestOptions = {}) => {
    const answer = await worker.call(shop.api, "POST", path, options);
    expect(answer.status, answer.text).toBe(status);
    await worker.drain();
    return jobOf(shop, answer.body.data.id);
  };

  return {
    worker,
    addOne,
    /** A shop whose customer has so many subscriptions. */
    async openBulk(many: number, more: object = {}): Promise<{ shop: Shop; ids: string[] }> {
      const shop = await openShop();
      const ids: string[] = [];
      for (let nth = 0; nth < many; nth++) ids.push(await addOne(shop, more));
      return { shop, ids };
    },
    /** Begins a bulk job, and does all of it. */
    bulk: (shop: Shop, body: object, query: { dry_run?: boolean } = {}): Promise<Json> =>
      post(shop, "/api/bulk", 202, { body, query }),
    undo: (shop: Shop, id: string): Promise<Json> => post(shop, `/api/jobs/${id}/undo`, 200),
  };
}

export async function jobOf(shop: Shop, id: string): Promise<Json> {
  return (await api(shop.api, "GET", `/api/jobs/${id}`)).body.data;
}

export async function rowsOf(shop: Shop, id: string): Promise<Json[]> {
  return (await api(shop.api, "GET", `/api/jobs/${id}/rows`, { query: { limit: 100 } })).body.data;
}
