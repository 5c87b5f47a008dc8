/** A price that was promised begins with its day, and is never charged for another product. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { inDays, type Json, on, type Shop } from "../../support/shops.ts";
import { useBulk } from "./bulk-jobs.ts";

const { bulk, openBulk } = useBulk();

/** A subscription of two lines of 10, billed weekly, the first time in 35 days. */
async function opened() {
  const { shop, ids } = await openBulk(1, { next_delivery_date: inDays(35) });
  const id = ids[0]!;
  const act = async (action: string, input: object) =>
    expect(await bulk(shop, { action, input, ids: [id] })).toMatchObject({ done: 1 });
  const change = (input: object) => act("change_price", { store_variant_id: "old", ...input });
  return { shop, id, act, change };
}

async function totalsOf(shop: Shop, id: string): Promise<number[]> {
  const { body } = await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 5 } });
  return body.data.map(({ total }: Json) => total);
}

test("a price begins with the billing of the very day that is named", async () => {
  const { shop, id, change } = await opened();
  await change({ price: 12, effective_on: inDays(42) });
  expect(await totalsOf(shop, id)).toEqual([20, 22, 22, 22, 22]);
});

test.each([
  ["is called off by the price that the line has", { price: 10, from_cycle: 1 }, [20, 20, 20, 20, 20]],
  ["is brought forward", { price: 12, from_cycle: 2 }, [20, 22, 22, 22, 22]],
  ["is called off by another one at once", { price: 8, from_cycle: 1 }, [18, 18, 18, 18, 18]],
  ["stays where another one follows it", { price: 11, from_cycle: 5 }, [20, 20, 20, 22, 21]],
])("a price that is promised for a later cycle %s", async (_, input, totals) => {
  const { shop, id, change } = await opened();
  await change({ price: 12, from_cycle: 4 });
  expect(await totalsOf(shop, id)).toEqual([20, 20, 20, 22, 22]);
  await change(input);
  expect(await totalsOf(shop, id)).toEqual(totals);
});

test("a product that replaces another is charged at none of the prices that were promised for that", async () => {
  const { shop, id, act, change } = await opened();
  await change({ price: 12, from_cycle: 4 });
  await act("swap_variant", { from: "old", to: "new", price: 9 });
  expect(await totalsOf(shop, id)).toEqual([19, 19, 19, 19, 19]);
});
