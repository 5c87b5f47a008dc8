/** Whoever packs finds each order that is paid for and not sent, on its day or among all, and prints a slip of it. */
import { beforeAll, expect, test } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import type { CalendarDate } from "../../../src/base/lib/time/dates.ts";
import { execute } from "../../support/database.ts";
import { dayOf, orderOf, put, slotOf, usageOf } from "../../support/records.ts";
import { openShop, type Shop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
const date = "2031-03-03" as CalendarDate;
let shop: Shop;
let visitor: Awaited<ReturnType<typeof signedIn>>["visitor"];
beforeAll(async () => {
  shop = await openShop();
  ({ visitor } = await signedIn(worker, shop, "WAREHOUSE"));
});

const line = {
  ...{ subscription_line_id: "l", store_product_id: "p", store_variant_id: "v", selling_plan_id: "s" },
  ...{ subscription_variant_id: null, entity_id: null, selling_plan_name: "Weekly", is_one_time: false },
  ...{ product_title: "Green tea", variant_title: "Large", sku: "TEA-L", quantity: 3 },
  ...{ price: 450, line_total: 1350, discount_amount: 0 },
};
const boxed = { slot_id: "1", store_product_id: "p", store_variant_id: "w", quantity: 2 };
const content = {
  lines: JSON.stringify([
    { ...line, selection_items: null },
    {
      ...{ ...line, product_title: "Box", variant_title: null, quantity: 1 },
      selection_items: [{ ...boxed, product_title: "Biscuits", variant_title: "Small" }],
    },
  ]),
  delivery_address: JSON.stringify({
    ...{ first_name: "Ada", last_name: "Kim", address1: "Weg 1", zip: "10115", city: "Berlin" },
    ...{ country: "Germany", country_code: "DE" },
  }),
  delivery_instructions: "Ring twice",
};

async function addOrders(...all: object[]): Promise<string[]> {
  const rows = all.map((values) => orderOf(shop.of, { profile_id: shop.profileId, ...values }));
  await put("orders", rows);
  return rows.map(({ id }) => id);
}

test("a list to pack has town and slot in the place of payment and total", async () => {
  const day = dayOf(shop.of);
  const slot = slotOf(shop.of, day.id);
  await put("delivery_days", [day]);
  await put("delivery_slots", [slot]);
  await addOrders({ ...content, production_date: date, delivery_slot_id: slot.id });
  const { text } = await visitor.get(`/orders?day=${date}`);
  for (const part of ["Town", "Berlin", "Slot", "Morning, 09:00–12:00"]) expect(text).toContain(part);
  for (const part of ['scope="col">Payment', "$10.00"]) expect(text).not.toContain(part);
  const { text: slips } = await visitor.get(`/orders/slips?list=pack&day=${date}`);
  for (const part of [
    "Weg 1",
    "10115 Berlin",
    "Ring twice",
    "Morning, 09:00–12:00",
    "3 ×",
    "Green tea, Large",
  ])
    expect(slips).toContain(part);
  for (const part of ["TEA-L", "2 × Biscuits, Small"]) expect(slips).toContain(part);
});

test("an order without a day of packing is packed on the day of its delivery, and one without any is among all that wait", async () => {
  const [delivered, bare, done] = await addOrders(
    { delivery_date: "2031-04-04" as CalendarDate },
    {},
    { fulfillment_status: "FULFILLED" },
  );
  const { text } = await visitor.get("/orders?day=2031-04-04");
  const section = text.slice(text.indexOf("To pack, without a packing day"), text.indexOf("To deliver"));
  expect(section).toContain(`/orders/${delivered}"`);
  expect((await visitor.get("/orders?list=undated&day=2031-04-04")).text).toContain(`/orders/${delivered}"`);
  expect((await visitor.get("/orders/slips?list=undated&day=2031-04-04")).text).toContain(
    `/orders/${delivered}"`,
  );
  const { text: all } = await visitor.get("/orders?list=waiting");
  expect([
    all.includes(`/orders/${delivered}"`),
    all.includes(`/orders/${bare}"`),
    all.includes("no day"),
  ]).toEqual([true, true, true]);
  expect(all).not.toContain(`/orders/${done}"`);
});

test("slips go on from page to page, those of which something was sent are apart, and each page takes two trips and 40 KB", async () => {
  const on = { ...content, production_date: "2031-05-05" as CalendarDate };
  const ids = await addOrders(...Array.from({ length: 21 }, () => on));
  const [begun] = await addOrders({ ...on, fulfillment_status: "PARTIALLY_FULFILLED" });
  const first = await usageOf(() => visitor.get("/orders/slips?list=pack&day=2031-05-05"));
  expect([first.db_round_trips, first.answer.text.length < 40 * 1024]).toEqual([2, true]);
  const { text } = first.answer;
  const [, next = ""] = /href="([^"]*)">Next</.exec(text) ?? [];
  const second = await visitor.get(next.replaceAll("&amp;", "&"));
  const shown = text + second.text;
  expect(ids.filter((id) => !shown.includes(`/orders/${id}"`))).toEqual([]);
  expect(shown).not.toContain(`/orders/${begun}"`);
  expect((await visitor.get("/orders/slips?list=pack&day=2031-05-05&begun")).text).toContain(
    `/orders/${begun}"`,
  );
});

test("the slip of an order that Shopify keeps says so", async () => {
  await addOrders({ production_date: "2031-06-06" as CalendarDate, store_order_id: "7001" });
  await execute("UPDATE accounts SET store = 'shopify' WHERE id = ?", shop.of.account.id);
  forgetAccount(shop.of.account.id);
  const { text } = await visitor.get("/orders/slips?list=pack&day=2031-06-06");
  expect(text).toContain("and knows what is in it: print its slip there");
});
