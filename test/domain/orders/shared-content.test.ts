/** A renewal's order shows what was bought, its goods are packed, and nothing is stored twice of what the order before it has. */
import { expect, test } from "vitest";
import { select } from "../../support/database.ts";
import { done, itemOf, type Json, openShop } from "../../support/shops.ts";
import { advance, linked, ordersOf, startClock, useWorker } from "../../support/worker.ts";

const worker = useWorker();

/** A shop whose subscription was renewed each week, and whose lines have changed before the last time. */
async function renewed() {
  const shop = await openShop();
  await startClock(shop, "2030-01-01T12:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-02" });
  await advance(shop, worker, 9);
  await done(shop.api, "POST", id, "lines", itemOf(shop.plan, { store_variant_id: "variant-2", price: 5 }));
  await advance(shop, worker, 7);
  const orders: Json[] = (await ordersOf(shop, id)).toReversed();
  expect(orders.map(({ total }) => total)).toEqual([10, 10, 15]);
  return { shop, id, orders };
}

test("each order shows its lines and address, and has them where they differ from those before", async () => {
  const { orders } = await renewed();
  const [first, second, third] = orders;
  expect(first.lines).toHaveLength(1);
  expect(first.delivery_address).toMatchObject({ address1: "1 High Street" });
  for (const field of ["lines", "delivery_address", "delivery_instructions"])
    expect(second[field]).toEqual(first[field]);
  expect(third.lines).toHaveLength(2);
  const stored = await select<{ id: string; has: number; of: string | null }>(
    "SELECT id, lines IS NOT NULL AS has, content_order_id AS of FROM orders WHERE id IN (?, ?, ?) ORDER BY id",
    ...[first.id, second.id, third.id],
  );
  expect(stored).toEqual([
    { id: first.id, has: 1, of: null },
    { id: second.id, has: 0, of: first.id },
    { id: third.id, has: 1, of: null },
  ]);
});

test("the goods of each order are packed", async () => {
  const { shop } = await renewed();
  const query = { from: "2030-01-01", to: "2030-01-31" };
  const { body } = await worker.call<Json>(shop.api, "GET", "/api/forecast/goods", { query });
  const packed = body.data.map((cell: Json) => [cell.date, cell.store_variant_id, cell.packed]);
  expect(packed.filter(([, , count]: Json) => count > 0)).toEqual([
    ["2030-01-02", "variant-1", 1],
    ["2030-01-09", "variant-1", 1],
    ["2030-01-16", "variant-1", 1],
    ["2030-01-16", "variant-2", 1],
  ]);
});

test("of a customer who is erased no order shows an address", async () => {
  const { shop, id, orders } = await renewed();
  await done(shop.api, "POST", id, "cancel", {});
  const erase = { query: { erase: true } };
  expect((await worker.call(shop.admin, "DELETE", `/api/profiles/${shop.profileId}`, erase)).status).toBe(
    202,
  );
  await worker.drain();
  for (const order of await ordersOf(shop, id)) {
    expect(order.delivery_address).toBeNull();
    expect(order.lines).toEqual(orders.find((one) => one.id === order.id)?.lines);
  }
});
