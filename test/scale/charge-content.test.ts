/** The goods that a renewal charges again are stored once, and each attempt charges what its subscription had when it began. */
import { expect, test } from "vitest";
import { select } from "../support/database.ts";
import { done, itemOf, type Json, openShop } from "../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../support/worker.ts";

const worker = useWorker();

type Stored = { id: string; snapshot: string; content_attempt_id: string };

test("attempts that charge the same share it, and hold as much before they are paid as after", async () => {
  const shop = await openShop();
  await startClock(shop, "2030-01-01T12:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-02" });
  await advance(shop, worker, 9);
  await done(shop.api, "POST", id, "lines", itemOf(shop.plan, { store_variant_id: "variant-2", price: 5 }));
  await advance(shop, worker, 7);
  const [first, second, third] = await select<Stored>(
    "SELECT id, snapshot, content_attempt_id FROM billing_attempts WHERE subscription_id = ? ORDER BY created_at, id",
    id,
  );
  const holds = (attempt?: Stored) => "content" in JSON.parse(attempt?.snapshot ?? "{}");
  expect([first, second, third].map(holds)).toEqual([true, false, true]);
  expect([first, second, third].map((one) => one?.content_attempt_id)).toEqual([
    first?.id,
    first?.id,
    third?.id,
  ]);
  expect((await chargesOf(id)).map(({ amount }) => amount)).toEqual([1000, 1000, 1500]);
});

test("an attempt in progress charges and orders what it began with, whatever changes meanwhile", async () => {
  const shop = await openShop();
  const id = await linked(shop, worker);
  await shipNow(shop, worker, id);
  const { lines } = (await worker.call<Json>(shop.api, "GET", `/api/subscriptions/${id}`)).body.data;
  await done(shop.api, "PUT", id, `lines/${lines[0].id}`, { price: 99 });
  await worker.drain();
  expect((await attemptsOf(shop, id))[0]).toMatchObject({ status: "SUCCEEDED", amount: 10 });
  const [order] = await ordersOf(shop, id);
  expect(order.lines).toMatchObject([{ price: 10, line_total: 10 }]);
});
