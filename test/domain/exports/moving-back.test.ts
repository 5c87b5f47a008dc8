/** An export of subscriptions can be moved into an empty account, and doubles nothing in its own. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  done,
  inDays,
  itemOf,
  type Json,
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
  jobOf,
  jsonLines,
  must,
  outcomesOf,
  putPart,
  release,
  rowsOf as rowsOfJob,
  start,
} from "../imports/imports.ts";
import { exported, fetchPart, readCsv } from "./exporting.ts";

const worker = useWorker();

/** Plans have the ids of the store, which moves with the merchant. */
async function openWithPlans(): Promise<Shop> {
  const shop = await openShop();
  const plans = [
    { id: "weekly", billing_interval: "WEEK", billing_interval_count: 1, min_cycles: 2, max_cycles: 9 },
    {
      ...{ id: "prepaid", billing_interval: "MONTH", billing_interval_count: 3 },
      ...{ delivery_interval: "MONTH", delivery_interval_count: 1 },
    },
    ...[
      { id: "monthly-less", billing_interval: "MONTH", billing_interval_count: 1, shipping_amount: 4.95 },
    ].map((plan) => ({
      ...{ ...plan, discount_type: "PERCENTAGE", discount_value: 10 },
    })),
  ];
  for (const plan of plans)
    must(
      await api(shop.of, "POST", "/api/subscriptions/selling-plans", { body: { name: plan.id, ...plan } }),
    );
  return shop;
}

const address = {
  ...{ first_name: "Ada", last_name: "Lovelace", address1: "12 Elm Street", address2: "Apartment 4" },
  ...{ city: "Brooklyn", zip: "11201", province: "New York", country: "United States", country_code: "US" },
};

/** Subscriptions of every kind that an import knows. */
async function fill(shop: Shop): Promise<void> {
  const other = await profile(shop.of, {
    first_name: "=Bo",
    last_name: "O'Neil",
    phone_number: "+1 555 0000002",
  });
  await subscribe(shop, { note: '@home, "inside"\r\nplease', lines: [itemOf("weekly", { sku: "-K1" })] });
  const paused = await subscribe(shop, { profile_id: other.id, lines: [itemOf("weekly", { quantity: 3 })] });
  await done(shop.api, "POST", paused, "pause", { pause_until: inDays(40) });
  const ended = await subscribe(shop, { lines: [itemOf("weekly")] });
  await done(shop.api, "POST", ended, "cancel", { reason: "Moved" });
  const made = await api(shop.of, "POST", "/api/subscriptions/entities", {
    body: { profile_id: other.id, entity_type: "dog", name: "Rex" },
  });
  const entity_id = must(made).data.id;
  const several = await subscribe(shop, {
    ...{ profile_id: other.id, next_delivery_date: inDays(12), custom_attributes: { quiz: "b" } },
    lines: [
      itemOf("monthly-less", { entity_id, price: 3.33, quantity: 3 }),
      itemOf("monthly-less", { entity_id, price: 10, quantity: 2, store_variant_id: "variant-2" }),
    ],
  });
  await done(shop.api, "PUT", several, "delivery-address", address);
  await done(shop.api, "POST", several, "discounts", {
    ...{
      title: "Welcome",
      value: 5,
      value_type: "PERCENTAGE",
      max_amount: 1.2,
      target_type: "ORDER",
      recurring_cycle_limit: 3,
    },
  });
  await shipNow(shop, worker, several);
  const last = await subscribe(shop, {
    next_delivery_date: "2034-01-31",
    lines: [itemOf("monthly-less", { price: 8.99, quantity: 3 })],
  });
  await done(shop.api, "POST", last, "skip-deliveries", { count: 1 });
  const prepaid = await subscribe(shop, { lines: [itemOf("prepaid")] });
  await shipNow(shop, worker, prepaid);
  await worker.drain();
}

async function textOf(shop: Shop, format: string): Promise<string> {
  const { parts } = await exported(shop.api, { resource: "subscriptions", format });
  return (await fetchPart(parts[0].url)).text;
}

/** Moves an export in; the job as it ends. */
async function moveIn(shop: Shop, text: string, format: string): Promise<Json> {
  const id = await begin(shop, { format: "perennial", charge_from: inDays(1) });
  must(await putPart(shop, id, text, { type: format === "csv" ? csv : jsonLines }));
  await start(shop, worker, id, true);
  return jobOf(shop, id);
}

/** The lines of CSV without what differs in each account: its own ids, and the day before which nothing is charged. */
function withoutIds(text: string) {
  return readCsv(text).map(
    ({ subscription_ref: _ref, entity_ref: _entity, no_charge_before: _day, ...row }) => row,
  );
}

describe("an export of subscriptions", () => {
  let from: Shop;
  beforeAll(async () => {
    from = await openWithPlans();
    await fill(from);
  });

  test.each(["csv", "jsonl"])(
    "moved into an empty account is the same again, but ids: %s",
    async (format) => {
      const into = await openWithPlans();
      const text = await textOf(from, "csv");
      const job = await moveIn(into, await textOf(from, format), format);
      expect(await outcomesOf(into, job.id)).toEqual(
        Object.fromEntries(readCsv(text).map(({ subscription_ref }) => [subscription_ref, "OK"])),
      );
      expect(job).toMatchObject({ status: "DONE", total: 6, done: 6, failed: 0, summary: { differing: 0 } });
      await release(into, worker, job.id);
      expect(withoutIds(await textOf(into, "csv"))).toEqual(withoutIds(text));
      for (const { key, record_id } of await rowsOfJob(into, job.id)) {
        const [was, is] = [await read(from, key), await read(into, record_id)];
        expect(is.migration_source_ref).toBe(key);
        for (const field of [
          "status",
          "total",
          "next_billing_date",
          "next_delivery_date",
          "delivery_address",
          "entity_label",
        ])
          expect([key, field, is[field]]).toEqual([key, field, was[field]]);
      }
    },
  );

  test.each(["csv", "jsonl"])("moved into its own account doubles nothing: %s", async (format) => {
    const before = await textOf(from, "jsonl");
    const job = await moveIn(from, await textOf(from, format), format);
    expect([job.status, job.done]).toEqual(["DONE", 0]);
    expect(await textOf(from, "jsonl")).toBe(before);
  });

  test("that was changed on the way is refused", async () => {
    const into = await openWithPlans();
    const text = (await textOf(from, "csv")).replace("Moved", "Moves");
    const id = await begin(into, { format: "perennial", charge_from: inDays(1) });
    const answer = await putPart(into, id, text);
    expect([answer.status, answer.body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
  });
});
