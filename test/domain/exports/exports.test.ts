/** An export has the chosen records as the API answers them, as JSON lines and as CSV. */
import { beforeAll, describe, expect, test } from "vitest";
import { api, deployment, nobody } from "../../support/client.ts";
import { profileOf, put } from "../../support/records.ts";
import {
  addSlot,
  done,
  inDays,
  itemOf,
  type Json,
  nextDay,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { linked, shipNow, useWorker } from "../../support/worker.ts";
import { exported, fetchPart, readCsv, readLines, recordsOf, rowsOf, textOf } from "./exporting.ts";

const worker = useWorker();

let shop: Shop;
let id: string;
beforeAll(async () => {
  shop = await openShop();
  id = await linked(shop, worker, { next_delivery_date: inDays(1) });
  await shipNow(shop, worker, id, {});
  await worker.drain();
  const other = await subscribe(shop, { note: "=1+1" });
  await done(shop.api, "POST", other, "pause", { reason: "On holiday" });
});

/** All records of a list, oldest first. */
async function listOf(path: string, query = {}): Promise<Json[]> {
  return (await api(shop.admin, "GET", path, { query: { limit: 100, ...query } })).body.data.toReversed();
}

describe("an export as JSON lines has the records as the API answers them", () => {
  test("profiles", async () => {
    await profile(shop.of, { first_name: "+Ada", country_code: "DE", country: "Germany" });
    expect(await recordsOf(shop.admin, "profiles")).toEqual(await listOf("/api/profiles"));
  });

  test("subscriptions", async () => {
    const ids = (await listOf("/api/subscriptions")).map((item) => item.id);
    const whole = await Promise.all(ids.map((one) => read(shop, one)));
    const records = await recordsOf(shop.api, "subscriptions");
    expect(records.map(({ import_values, ...record }) => record)).toEqual(whole);
    expect(records[0].import_values).toMatchObject({
      store_payment_method_id: "pm_success",
      prepaid_owed: 0,
    });
  });

  test("orders", async () => {
    const orders = await recordsOf(shop.admin, "orders");
    expect(orders).toEqual(await listOf("/api/subscriptions/orders"));
    expect(orders).toHaveLength(1);
  });

  test("billing attempts", async () => {
    const attempts = await recordsOf(shop.api, "billing_attempts");
    expect(attempts).toEqual(await listOf("/api/billing-attempts"));
    expect(attempts).toHaveLength(1);
  });

  test("events, up to the sequence that the export names; the stream goes on from there", async () => {
    const {
      as_of_sequence,
      parts,
      id: entry,
    } = await exported(shop.api, { resource: "events", format: "jsonl" });
    await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 1 });
    const copied = readLines((await fetchPart(parts[0].url)).text);
    expect(copied.at(-1).sequence).toBe(as_of_sequence);
    const since = (await api(shop.api, "GET", "/api/events", { query: { after: as_of_sequence } })).body.data;
    expect(since.map((event: Json) => event.type)).toEqual([
      "account.exported",
      "subscription.frequency_changed",
    ]);
    expect(since[0]).toMatchObject({
      id: entry,
      subject: { type: "account", id: shop.of.account.id },
      actor_type: "api",
      metadata: { resource: "events", format: "jsonl", as_of_sequence },
    });
    const all = (await api(shop.api, "GET", "/api/events", { query: { limit: 100 } })).body.data;
    expect([...copied, ...since]).toEqual(all);
  });
});

describe("an export as CSV", () => {
  test("has the fields of the record, and JSON where a field is no single value", async () => {
    const [order] = await listOf("/api/subscriptions/orders");
    const { profile: _profile, delivery_slot: _slot, ...own } = order;
    const [row, ...more] = await rowsOf(shop.admin, "orders");
    expect(more).toEqual([]);
    expect(Object.keys(row!).toSorted()).toEqual(Object.keys(own).toSorted());
    for (const [name, value] of Object.entries(own))
      expect(row![name], name).toBe(
        value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value),
      );
    const attempts = await rowsOf(shop.api, "billing_attempts");
    expect(attempts[0]).toMatchObject({ subscription_id: id, status: "SUCCEEDED", amount: "10" });
    const events = await rowsOf(shop.api, "events");
    expect(events.map(({ type }) => type)).toContain("order.placed");
  });

  test("puts an apostrophe before what a spreadsheet takes for a formula", async () => {
    await put("profiles", [profileOf(shop.of, { first_name: "=SUM(1)", last_name: '\'tis, or "not"\r\n' })]);
    const text = await textOf(shop.admin, { resource: "profiles", format: "csv" });
    expect(text).toContain(",'=SUM(1),");
    expect(readCsv(text).at(-1)).toMatchObject({ first_name: "=SUM(1)", last_name: '\'tis, or "not"\r\n' });
  });

  test("has a line for each product of a subscription, with its price and what its plan takes off", async () => {
    const slot = await addSlot(shop, { day_of_week: 4 });
    const plan = await api(shop.of, "POST", "/api/subscriptions/selling-plans", {
      body: {
        ...{ id: "tenth-off", name: "A tenth off", billing_interval: "MONTH", billing_interval_count: 1 },
        ...{ discount_type: "PERCENTAGE", discount_value: 10, shipping_amount: 4.95, min_cycles: 2 },
      },
    });
    const made = await api(shop.of, "POST", "/api/subscriptions/entities", {
      body: { profile_id: shop.profileId, entity_type: "dog", name: "Rex" },
    });
    const entity_id = made.body.data.id;
    const date = nextDay(4);
    const several = await subscribe(shop, {
      ...{ next_delivery_date: date, delivery_slot_id: slot, note: "@home", custom_attributes: { a: 1 } },
      lines: [
        itemOf(plan.body.data.id, { price: 3.33, quantity: 3, entity_id, sku: "K-1" }),
        itemOf(plan.body.data.id, { price: 10, quantity: 2, entity_id, store_variant_id: "variant-2" }),
      ],
    });
    await done(shop.api, "POST", several, "discounts", {
      ...{
        title: "Welcome",
        value: 5,
        value_type: "FIXED_AMOUNT",
        target_type: "ORDER",
        recurring_cycle_limit: 3,
      },
    });
    await done(shop.api, "POST", several, "lines", {
      ...itemOf(plan.body.data.id, { store_variant_id: "extra", is_one_time: true }),
    });
    const rows = (await rowsOf(shop.api, "subscriptions")).filter(
      ({ subscription_ref }) => subscription_ref === several,
    );
    const { total, next_billing_date, profile: customer, created_at } = await read(shop, several);
    const cells = ["store_variant_id", "quantity", "price", "plan_discount_value", "is_one_time"];
    expect(rows.map((row) => cells.map((name) => row[name]))).toEqual([
      ["variant-1", "3", "3.33", "10", "false"],
      ["variant-2", "2", "10", "10", "false"],
      ["extra", "1", "10", "10", "true"],
    ]);
    expect(rows[0]).toEqual(
      expect.objectContaining({
        ...{
          email: customer.email,
          status: "ACTIVE",
          billing_interval: "MONTH",
          billing_interval_count: "1",
        },
        ...{
          next_billing_date,
          next_delivery_date: date,
          anchor_date: date,
          cycles_billed: "0",
          min_cycles: "2",
        },
        ...{
          max_cycles: "",
          prepaid_owed: "0",
          shipping_amount: "4.95",
          delivery_slot_id: slot,
          note: "@home",
        },
        ...{ entity_ref: entity_id, entity_type: "dog", entity_name: "Rex", custom_attributes: '{"a":1}' },
        ...{ plan_discount_type: "PERCENTAGE", plan_shipping_amount: "4.95", price_changes: "", created_at },
        ...{ selling_plan_id: "tenth-off", sku: "K-1", store_payment_method_id: "pm_success" },
      }),
    );
    expect(JSON.parse(rows[0]!.discounts!)).toMatchObject([
      {
        ...{ title: "Welcome", status: "ACTIVE", value_type: "FIXED_AMOUNT", value: 5, target_type: "ORDER" },
        ...{ recurring_cycle_limit: 3, cycles_used: 0 },
      },
    ]);
    expect(rows[0]!.expected_total).toBe(String(total));
  });
});

describe("a part", () => {
  test("is an attachment that no cache keeps and no address leaks from", async () => {
    const { parts, id: entry, expires_at } = await exported(shop.api, { resource: "events", format: "csv" });
    expect(parts[0].url).toMatch(/^https:\/\/perennial\.test\/exports\/[\w-]+\.[0-9a-f]{64}$/);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 59 * 60_000);
    const { headers, status } = await fetchPart(parts[0].url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="events-${entry}-1.csv"`,
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const head = await fetchPart(parts[0].url, "HEAD");
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("is the same range again: what is made later is not in it, what was changed is as it is now", async () => {
    const of = await openShop();
    const one = await subscribe(of);
    const { parts } = await exported(of.api, { resource: "subscriptions", format: "jsonl" });
    const first = await fetchPart(parts[0].url);
    expect((await fetchPart(parts[0].url)).text).toBe(first.text);
    await subscribe(of);
    expect((await fetchPart(parts[0].url)).text).toBe(first.text);
    await done(of.api, "POST", one, "pause");
    const later = readLines((await fetchPart(parts[0].url)).text);
    expect(later.map((each) => [each.id, each.status])).toEqual([[one, "PAUSED"]]);
  });

  test("shows that it was cut", async () => {
    const text = await textOf(shop.api, { resource: "events", format: "jsonl" });
    const lines = text.split("\n");
    expect(() => readLines(lines.slice(0, -2).join("\n"))).toThrow("cut off");
    expect(() => readLines([...lines.slice(1)].join("\n"))).toThrow();
  });

  test("is one without rows where the account has none", async () => {
    const of = await openShop();
    for (const resource of ["subscriptions", "orders", "billing_attempts"]) {
      const { parts } = await exported(of.admin, { resource, format: "jsonl" });
      expect(parts).toEqual([{ n: 1, url: expect.any(String), rows_at_most: 0 }]);
      expect(readLines((await fetchPart(parts[0].url)).text)).toEqual([]);
      expect(await rowsOf(of.admin, resource)).toEqual([]);
    }
  });

  test("of many pages has every row once, in the order of ids", async () => {
    const of = await openShop();
    await put(
      "profiles",
      Array.from({ length: 450 }, () => profileOf(of.of)),
    );
    const { parts } = await exported(of.admin, { resource: "profiles", format: "jsonl" });
    expect(parts[0].rows_at_most).toBe(451);
    const ids = readLines((await fetchPart(parts[0].url)).text).map((each) => each.id);
    expect(ids).toHaveLength(451);
    expect(ids).toEqual([...new Set(ids)].toSorted());
  });

  test("has nothing of another account", async () => {
    const [one, other] = [await openShop(), await openShop()];
    const mine = await subscribe(one);
    await subscribe(other);
    expect((await recordsOf(one.api, "subscriptions")).map((each) => each.id)).toEqual([mine]);
    const profiles = await recordsOf(one.admin, "profiles");
    expect(profiles.map((each) => each.id)).toEqual([one.profileId]);
    const events = await recordsOf(one.api, "events");
    expect(events.every((event) => [null, mine].includes(event.subscription_id))).toBe(true);
  });

  test("has the deployment's public address, whatever host was called", async () => {
    const call = deployment({ PUBLIC_URL: "https://shops.example.com" });
    const answer = await call(shop.api, "POST", "/api/exports", {
      body: { resource: "events", format: "csv" },
      headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example" },
    });
    expect(answer.body.data.parts[0].url).toMatch(/^https:\/\/shops\.example\.com\/exports\//);
  });
});

describe("what is exported is chosen", () => {
  test("by fields, in their order, each once", async () => {
    const fields = ["status", "id", "status"];
    const rows = await recordsOf(shop.api, "subscriptions", { fields });
    for (const row of rows) expect(Object.keys(row)).toEqual(["status", "id"]);
    const text = await textOf(shop.api, { resource: "events", format: "csv", fields: ["type", "sequence"] });
    expect(text.split("\r\n")[0]).toBe("\ufefftype,sequence");
  });

  test("by the filters of the resource's list", async () => {
    const of = await openShop();
    const [one, two] = [await subscribe(of), await subscribe(of)];
    await done(of.api, "POST", two, "pause");
    const idsBy = async (filter: object) =>
      (await recordsOf(of.api, "subscriptions", { filter, fields: ["id"] })).map((each) => each.id);
    expect(await idsBy({ status: "ACTIVE" })).toEqual([one]);
    expect(await idsBy({ status: "ACTIVE,PAUSED" })).toEqual([one, two]);
    expect(await idsBy({ failed_payment: true })).toEqual([]);
    expect(await idsBy({ failed_payment: false, created_after: "2020-01-01" })).toEqual([one, two]);
    expect(await idsBy({ created_before: "2020-01-01" })).toEqual([]);
    expect(await idsBy({ billing_blocked: true })).toEqual([]);
    expect(await idsBy({ billing_blocked: false, updated_after: "2020-01-01" })).toEqual([one, two]);
    expect(await idsBy({ next_delivery_after: inDays(30) })).toEqual([]);
    const typesBy = async (types: string) =>
      (await recordsOf(of.api, "events", { filter: { types } })).map((each) => each.type);
    expect(await typesBy("subscription.paused")).toEqual(["subscription.paused"]);
    expect(await typesBy("integration.*")).toEqual([]);
    const orders = await recordsOf(shop.admin, "orders", {
      filter: {
        status: "PAID",
        has_subscription: true,
        is_checkout_order: false,
        billing_date_from: "2020-01-01",
      },
    });
    expect(orders).toHaveLength(1);
    expect(await recordsOf(shop.admin, "orders", { filter: { has_subscription: false } })).toEqual([]);
    expect(await recordsOf(shop.admin, "orders", { filter: { is_checkout_order: true } })).toEqual([]);
    const trigger = async (name: string) =>
      (await recordsOf(shop.api, "billing_attempts", { filter: { trigger: name, from: "2020-01-01" } }))
        .length;
    expect([await trigger("SHIP_NOW"), await trigger("RECURRING")]).toEqual([1, 0]);
    await put("profiles", [profileOf(shop.of, { email_status: "suppressed" })]);
    const suppressed = await recordsOf(shop.admin, "profiles", { filter: { email_status: "suppressed" } });
    expect(suppressed).toHaveLength(1);
  });

  test.each<[object, string, string]>([
    [
      { resource: "subscriptions", format: "csv", fields: ["is_active"] },
      "fields.0",
      "is not a field of csv",
    ],
    [{ resource: "orders", format: "csv", fields: ["id", "profile"] }, "fields.1", "is not a field of csv"],
    [
      { resource: "subscriptions", format: "jsonl", fields: ["stats"] },
      "fields.0",
      "such as number, did you mean status?",
    ],
    [{ resource: "events", format: "jsonl", filter: { tipes: "x" } }, "filter.tipes", "did you mean types?"],
    [
      { resource: "subscriptions", format: "jsonl", filter: { search: "ada" } },
      "filter.search",
      "unknown field",
    ],
    [{ resource: "entities", format: "jsonl" }, "resource", "must be one of subscriptions, profiles"],
    [{ resource: "events" }, "format", "is required"],
    [{ format: "csv" }, "resource", "is required"],
    [{ resource: "events", format: "csv", fields: [] }, "fields", "must have at least 1 item"],
  ])("a fault is named: %j", async (body, at, message) => {
    const answer = await api(shop.admin, "POST", "/api/exports", { body });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.details[0].path).toBe(at);
    expect(answer.body.details[0].message).toContain(message);
  });
});

test("nobody without an address reads a part", async () => {
  for (const path of ["/exports/", "/exports/abc", "/exports/e30.00", "/exports"]) {
    const answer = await api(nobody, "GET", path);
    expect([answer.status, answer.body.errorCode], path).toEqual([404, "NOT_FOUND"]);
  }
});
