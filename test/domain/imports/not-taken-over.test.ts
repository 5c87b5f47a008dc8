/** A subscription of another system is not moved in where something that decides on its charges would be lost. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { addPlan, inDays, type Json, on, openShop, read, type Shop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import {
  begin,
  csv,
  fileOf,
  jsonLines,
  must,
  outcomesOf,
  putPart,
  release,
  rowsOf,
  start,
} from "./imports.ts";

const worker = useWorker();

async function moveIn(shop: Shop, objects: object[], more: object): Promise<Record<string, string>> {
  const id = await begin(shop, more);
  must(
    await putPart(shop, id, objects.map((one) => `${JSON.stringify(one)}\n`).join(""), { type: jsonLines }),
  );
  await start(shop, worker, id, true);
  await release(shop, worker, id);
  return Object.fromEntries((await rowsOf(shop, id)).map(({ key, record_id }) => [key, record_id ?? id]));
}

async function upcomingOf(shop: Shop, id: string): Promise<[string, boolean][]> {
  const { data } = must(await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 6 } }));
  return data.map((one: Json) => [one.delivery_date, one.is_billed]);
}

const seconds = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1000;

/** A monthly subscription of Stripe, next charged on this date. */
function stripeObject(id: string, more: object, next = "2031-01-10") {
  const recurring = { interval: "month", interval_count: 1 };
  const price = { id: "p", currency: "usd", unit_amount: 4000, recurring };
  return {
    ...{ id, status: "active", currency: "usd", default_payment_method: "pm_success" },
    ...{ customer: { id: `cus_${id}`, email: `${id}@example.com` }, ...more },
    items: { data: [{ current_period_end: seconds(next), price }] },
  };
}

test("a subscription of Stripe with a member that decides and is not taken over is not moved in, and says which", async () => {
  const shop = await openShop();
  await addPlan(shop, { name: "Monthly", billing_interval: "MONTH" });
  const coupon = { duration: "forever", percent_off: 25 };
  const ids = await moveIn(
    shop,
    [
      stripeObject("plain", {}),
      stripeObject("invoiced", { collection_method: "send_invoice" }),
      stripeObject("unknown", { discounts: ["di_1"] }),
      stripeObject("less", { discounts: [{ source: { coupon } }] }),
      stripeObject("said", { discounts: ["di_1"], discount_type: "PERCENTAGE", discount_value: 50 }),
      stripeObject("leaving", { cancel_at: seconds("2031-01-10") }),
    ],
    { format: "stripe" },
  );
  expect(await outcomesOf(shop, ids.unknown!)).toEqual({
    ...{ plain: "OK", less: "OK", said: "OK", leaving: "OK" },
    invoiced: ["FAILED", expect.stringMatching(/^collection_method decides what is charged/)],
    unknown: ["FAILED", expect.stringMatching(/^discounts are ids without their coupons/)],
  });
  const totals = ["plain", "less", "said"].map(async (ref) => (await read(shop, ids[ref]!)).total);
  expect(await Promise.all(totals)).toEqual([40, 30, 20]);
  expect(await read(shop, ids.leaving!)).toMatchObject({ status: "CANCELLED", next_billing_date: null });
});

test("a day of the month that was asked for at Stripe is kept, though its anchor lies in a shorter month", async () => {
  const shop = await openShop();
  await addPlan(shop, { name: "Monthly", billing_interval: "MONTH" });
  const asked = { billing_cycle_anchor_config: { day_of_month: 31 } };
  const ids = await moveIn(
    shop,
    [
      stripeObject("kept", { ...asked, billing_cycle_anchor: seconds("2029-02-28") }, "2031-02-28"),
      stripeObject("other", { ...asked, billing_cycle_anchor: seconds("2029-02-27") }, "2031-02-27"),
    ],
    { format: "stripe" },
  );
  expect((await upcomingOf(shop, ids.kept!)).slice(0, 3)).toEqual([
    ["2031-02-28", true],
    ["2031-03-31", true],
    ["2031-04-30", true],
  ]);
  expect(await outcomesOf(shop, ids.other!)).toMatchObject({
    other: ["FAILED", expect.stringMatching(/^billing_cycle_anchor_config.day_of_month is neither/)],
  });
});

test("what is paid for at Recharge is delivered before the next charge", async () => {
  const shop = await openShop();
  const halfYearly = { billing_interval: "MONTH", billing_interval_count: 6 };
  const monthly = { delivery_interval: "MONTH", delivery_interval_count: 1 };
  await addPlan(shop, { name: "Half a year", ...halfYearly, ...monthly });
  const object = (id: string, more: object) => ({
    ...{ id, status: "active", type: "subscription", is_prepaid: true, price: "120.00", quantity: 1 },
    ...{ order_interval_unit: "month", charge_interval_frequency: 6, order_interval_frequency: 1 },
    external_variant_id: { ecommerce: "9001" },
    customer: { email: `${id}@example.com` },
    address: { company: "Acme", address1: "1 Elm", city: "Brooklyn", zip: "11201", country_code: "US" },
    ...more,
  });
  const ids = await moveIn(
    shop,
    [
      object("middle", { next_charge_scheduled_at: "2031-05-15" }),
      object("end", { next_charge_scheduled_at: "2031-03-31", order_day_of_month: 31 }),
    ],
    { format: "recharge", charge_from: "2031-02-10" },
  );
  expect(await upcomingOf(shop, ids.middle!)).toEqual([
    ["2031-02-15", false],
    ["2031-03-15", false],
    ["2031-04-15", false],
    ["2031-05-15", true],
    ["2031-06-15", false],
    ["2031-07-15", false],
  ]);
  expect((await upcomingOf(shop, ids.end!)).slice(0, 3)).toEqual([
    ["2031-02-28", false],
    ["2031-03-31", true],
    ["2031-04-30", false],
  ]);
  expect((await read(shop, ids.middle!)).delivery_address).toMatchObject({ company: "Acme" });
});

test("a field that is mapped goes before what its format says, and beside any format's own columns", async () => {
  const shop = await openShop();
  const row = {
    ...{
      handle: "c-1",
      upcoming_billing_date: `${inDays(10)}T12:00:00Z`,
      customer_id: "1",
      status: "ACTIVE",
    },
    ...{ currency_code: "USD", cadence_interval: "WEEK", cadence_interval_count: 1, line_variant_id: "v-1" },
    ...{
      line_quantity: 1,
      line_current_price: 10,
      email: "ada@example.com",
      delivery_method_type: "SHIPPING",
    },
    ...{ expected_total: 11, "Price there": 11 },
  };
  const id = await begin(shop, { format: "shopify", mapping: { price: "Price there" } });
  must(
    await putPart(shop, id, fileOf([row, { ...row, handle: "c-2", delivery_method_type: "PICK_UP" }]), {
      type: csv,
    }),
  );
  const { summary } = await start(shop, worker, id, false);
  const [first] = await rowsOf(shop, id);
  expect([summary.differing, first.summary]).toMatchObject([0, { total_here: 11, expected_total: 11 }]);
  expect(await outcomesOf(shop, id)).toEqual({
    "c-1": "PENDING",
    "c-2": ["FAILED", expect.stringMatching(/^delivery_method_type decides/)],
  });
});
