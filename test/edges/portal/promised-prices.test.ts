/** A price that was promised for one product is charged for no other that a customer has instead. */
import { expect, test } from "vitest";
import { useBulk } from "../../domain/bulk/bulk-jobs.ts";
import { api } from "../../support/client.ts";
import { inDays, itemOf, type Json, on, openShop, read } from "../../support/shops.ts";
import { linked } from "../../support/worker.ts";

const { worker, bulk } = useBulk();

const settings = { is_enabled: true, can_swap: true, can_change_quantity: true };
const rice = {
  store_product_id: "product-2",
  store_variant_id: "variant-2",
  product_title: "Rice",
  price: 9,
};

/** A customer's line of 10 a week, whose price rises to 12 with the third billing, and Rice at 9 in the catalogue. */
async function opened() {
  const shop = await openShop();
  await api(shop.api, "PUT", "/api/account/portal", { body: settings });
  await api(shop.api, "PUT", "/api/account/portal/catalogue", { body: { items: [rice] } });
  const lines = [itemOf(shop.plan)];
  const id = await linked(shop, worker, { next_delivery_date: inDays(40), lines });
  const input = { store_variant_id: "variant-1", price: 12, from_cycle: 3 };
  expect(await bulk(shop, { action: "change_price", input, ids: [id] })).toMatchObject({ done: 1 });
  const line = (await read(shop, id)).lines[0].id;
  const change = async (body: object): Promise<number[]> => {
    const path = `/api/portal/subscriptions/${id}/lines/${line}`;
    expect((await api(shop.customer, "PUT", path, { body })).status).toBe(200);
    const upcoming = await api<Json>(shop.customer, "GET", on(id, "upcoming"), { query: { count: 4 } });
    return upcoming.body.data.map(({ total }: Json) => total);
  };
  return { change };
}

test("a product that a customer has instead of another is at its own price, and rises by no promise of the other", async () => {
  const { change } = await opened();
  expect(await change({ store_variant_id: "variant-2" })).toEqual([9, 9, 9, 9]);
});

test("more of a product rises in price with the billing that was told", async () => {
  const { change } = await opened();
  expect(await change({ quantity: 2 })).toEqual([20, 20, 24, 24]);
});
