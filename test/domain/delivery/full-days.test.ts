/** A full day takes no further time of it, and the next free day that is named can be chosen. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { addSlot, type Json, nextDay, on, openShop, read, subscribe } from "../../support/shops.ts";

/** Thursdays from the week after next on. */
const [first, second, third] = [nextDay(4, 14), nextDay(4, 21), nextDay(4, 28)];

const one = { max_deliveries_per_day: 1 };

test("who moves to another time of the same day takes a place there, and is refused where it is full", async () => {
  const shop = await openShop();
  const [morning, evening] = [
    await addSlot(shop, { day_of_week: 4 }, one),
    await addSlot(shop, { day_of_week: 4 }, one),
  ];
  const on1st = { next_delivery_date: first };
  const id = await subscribe(shop, { ...on1st, delivery_slot_id: morning });
  await subscribe(shop, { ...on1st, delivery_slot_id: evening });
  const body = { delivery_slot_id: evening };
  const answer = await api<Json>(shop.api, "PUT", on(id, "schedule"), { body });
  expect([answer.status, answer.body.errorCode]).toEqual([409, "INVALID_STATE"]);
  expect(answer.body.error).toContain(`full on ${first}, the next free day is ${second}`);
  expect(await read(shop, id)).toMatchObject({ delivery_slot_id: morning, next_delivery_date: first });
});

test("the next free day that a refusal names is no closed one, which nobody could choose", async () => {
  const shop = await openShop();
  const slot = await addSlot(shop, { day_of_week: 4 }, one);
  const closed = { from: second, to: second, rule: "later", label: "Holiday" };
  expect((await api(shop.api, "POST", "/api/subscriptions/closed-days", { body: closed })).status).toBe(201);
  await subscribe(shop, { next_delivery_date: first, delivery_slot_id: slot });
  const id = await subscribe(shop, { next_delivery_date: nextDay(4, 35), delivery_slot_id: slot });
  const move = (next_delivery_date: string) =>
    api<Json>(shop.api, "PUT", on(id, "schedule"), { body: { next_delivery_date } });
  expect((await move(first)).body.error).toContain(`full on ${first}, the next free day is ${third}`);
  expect((await move(third)).status).toBe(200);
});
