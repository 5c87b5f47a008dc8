/** Random subscriptions come back from an export equal in every field and in their next deliveries. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { seeded } from "../../support/records.ts";
import {
  done,
  force,
  inDays,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { shipNow, useWorker } from "../../support/worker.ts";
import {
  begin,
  csv,
  jsonLines,
  must,
  outcomesOf,
  putPart,
  release,
  rowsOf,
  start,
} from "../imports/imports.ts";
import { textOf } from "./exporting.ts";

const worker = useWorker();

const plans = [
  { id: "weekly", billing_interval: "WEEK", billing_interval_count: 1 },
  { id: "monthly", billing_interval: "MONTH", billing_interval_count: 1, min_cycles: 3, max_cycles: 9 },
  {
    ...{ id: "less", billing_interval: "MONTH", billing_interval_count: 1, shipping_amount: 4.95 },
    ...{ discount_type: "PERCENTAGE", discount_value: 12.5 },
  },
  {
    ...{ id: "prepaid", billing_interval: "MONTH", billing_interval_count: 3, shipping_amount: 2 },
    ...{
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
      discount_type: "FIXED_AMOUNT",
      discount_value: 1,
    },
  },
];

async function openWithPlans(): Promise<Shop> {
  const shop = await openShop();
  for (const plan of plans)
    must(
      await api(shop.of, "POST", "/api/subscriptions/selling-plans", { body: { name: plan.id, ...plan } }),
    );
  return shop;
}

const box = [
  {
    ...{ slot_id: "1", store_product_id: "p", store_variant_id: "v", product_title: 'Beef, "fine"' },
    ...{ variant_title: null, quantity: 2, price: 6.65 },
  },
];
const address = {
  ...{
    first_name: "Ada",
    last_name: "=Lovelace",
    company: "Acme GmbH; 3rd floor",
    address1: "12 Elm Street",
  },
  ...{ address2: "Apartment 4", city: "Brooklyn", zip: "01120", province: "New York", province_code: "NY" },
  ...{ country: "United States", country_code: "US", phone: "+1 555" },
};

const aLine = fc.record({
  price: fc.integer({ min: 0, max: 9999 }).map((cents) => cents / 100),
  quantity: fc.integer({ min: 1, max: 5 }),
  selection_items: fc.constantFrom(null, box),
  sku: fc.constantFrom(null, "-K1"),
  subscription_variant_id: fc.constantFrom(null, "box-1"),
});
const aDiscount = fc.record({
  title: fc.constantFrom("Welcome", "'sorry', \"we\" are"),
  value: fc.integer({ min: 0, max: 40 }),
  value_type: fc.constantFrom("PERCENTAGE", "FIXED_AMOUNT"),
  target_type: fc.constantFrom("ORDER", "SHIPPING_LINE", "LINE_ITEM"),
  recurring_cycle_limit: fc.constantFrom(null, 1, 4),
});
const aState = fc.constantFrom<[verb: string, body: object] | null>(
  ...[null, null, null],
  ["pause", { reason: "On holiday" }],
  ["pause", { pause_until: inDays(75) }],
  ["cancel", { reason: "Moved abroad" }],
);
/** The life of a subscription of a plan before it is moved. */
const aLife = fc.record({
  lines: fc.array(aLine, { minLength: 1, maxLength: 3 }),
  discounts: fc.array(aDiscount, { maxLength: 3 }),
  next_delivery_date: fc.constantFrom(inDays(20), inDays(33), "2031-01-31", "2032-02-29"),
  isAddressed: fc.boolean(),
  promised: fc.option(fc.integer({ min: 2, max: 5 })),
  extra: fc.option(aLine),
  isShipped: fc.boolean(),
  isFor: fc.boolean(),
  movedAlone: fc.option(fc.integer({ min: 1, max: 6 })),
  isBound: fc.boolean(),
  state: aState,
});
type Life = typeof aLife extends fc.Arbitrary<infer Value> ? Value : never;

async function live(shop: Shop, plan: string, life: Life): Promise<string> {
  const { discounts, isAddressed, promised, extra, isShipped, isFor, movedAlone, isBound, state } = life;
  const { id: profile_id } = await profile(shop.of, { first_name: 'José "Pepe"', last_name: "Ñandú;\nSon" });
  const entity = { profile_id, entity_type: "dog", name: "Rex" };
  const entity_id = isFor
    ? must(await api(shop.of, "POST", "/api/subscriptions/entities", { body: entity })).data.id
    : null;
  const lines = life.lines.map((line, nth) =>
    itemOf(plan, { ...line, entity_id, store_variant_id: `v-${nth}` }),
  );
  const { next_delivery_date } = life;
  const id = await subscribe(shop, { profile_id, next_delivery_date, lines, note: "=1+1\r\n2" });
  if (isAddressed) await done(shop.api, "PUT", id, "delivery-address", address);
  for (const discount of discounts) await done(shop.api, "POST", id, "discounts", discount);
  if (isShipped) await shipNow(shop, worker, id);
  await worker.drain();
  if (extra) await done(shop.api, "POST", id, "lines", itemOf(plan, { ...extra, is_one_time: true }));
  if (promised) {
    const input = { store_variant_id: "v-0", price: 119.95, from_cycle: promised };
    const body = { action: "change_price", input, ids: [id], notice_days: 0 };
    must(await worker.call(shop.api, "POST", "/api/bulk", { body }));
    await worker.drain();
  }
  if (movedAlone) {
    const day = addDays((await read(shop, id)).next_delivery_date, movedAlone);
    await done(shop.api, "PUT", id, "schedule", { next_delivery_date: day, scope: "this" });
  }
  if (state) await done(shop.api, "POST", id, ...state);
  if (isBound) await force(id, { no_charge_before: inDays(15) });
  return id;
}

/** Every field of a subscription and its next twelve deliveries, but ids, and what its orders and its change say. */
async function shown(shop: Shop, id: string): Promise<Json> {
  const { data } = must(await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 12 } }));
  const isOther = (key: string) =>
    /^(id|number|.*_id|updated_at|total_revenue|last_order|profile|entities)$/.test(key);
  const isKept = (key: string) =>
    /^store_(product|variant)_id|^(selling_plan|subscription_variant|slot)_id$/.test(key);
  const without = (value: unknown): unknown =>
    typeof value !== "object" || value === null
      ? value
      : Array.isArray(value)
        ? value.map(without)
        : Object.fromEntries(
            Object.entries(value)
              .filter(([key]) => isKept(key) || !(isOther(key) || key === "migration_source_ref"))
              .map(([key, inner]) => [key, without(inner)]),
          );
  return without({ ...(await read(shop, id)), upcoming: data });
}

const charge_from = inDays(1);

async function moveIn(into: Shop, text: string, type: string): Promise<Json[]> {
  const job = await begin(into, { format: "perennial", charge_from });
  must(await putPart(into, job, text, { type }));
  const { summary } = await start(into, worker, job, true);
  expect(
    new Set(Object.values(await outcomesOf(into, job)).map((outcome) => JSON.stringify(outcome))),
  ).toEqual(new Set(['"OK"']));
  expect(summary.differing).toBe(0);
  await release(into, worker, job);
  return rowsOf(into, job);
}

let from: Shop;
beforeAll(async () => {
  from = await openWithPlans();
  const lives = fc.sample(aLife, seeded(28));
  for (const [nth, life] of lives.entries()) await live(from, plans[nth % plans.length]!.id, life);
}, 120_000);

test.each([
  ["csv", csv],
  ["jsonl", jsonLines],
])(
  "random subscriptions come back equal in every field, with their next twelve deliveries: %s",
  async (format, type) => {
    const into = await openWithPlans();
    const rows = await moveIn(into, await textOf(from.api, { resource: "subscriptions", format }), type);
    expect(rows).toHaveLength(28);
    for (const { key, record_id } of rows) {
      const original = await shown(from, key);
      const { no_charge_before } = original;
      expect(await shown(into, record_id), key).toEqual({
        ...original,
        no_charge_before: no_charge_before ?? charge_from,
      });
    }
  },
  120_000,
);
