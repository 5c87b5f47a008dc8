/** Each format of another system is read into the same fields, as the example files show. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readPart } from "../files/read-part.ts";
import type { ImportFormat } from "./formats.ts";
import { mapSubscription } from "./perennial.ts";
import { mapStripeObject } from "./stripe/subscription.ts";

async function readExample(name: string, format: ImportFormat) {
  const bytes = Uint8Array.from(readFileSync(`docs/migrating/${name}`));
  const type = name.endsWith(".csv") ? "text/csv" : "application/x-ndjson";
  const rows = [];
  for await (const row of readPart(bytes, type, { format, mapping: {}, defaults: {} })) rows.push(row);
  return rows;
}

describe("the example files", () => {
  const common = {
    email: "ada.lovelace@example.com",
    next_billing_date: "2030-01-10",
    address1: "1 Elm Street",
  };
  const files: [string, ImportFormat, object][] = [
    ["spreadsheet.csv", "csv", { ...common, subscription_ref: "sheet-1", price: "39.95" }],
    [
      "recharge-template.csv",
      "recharge",
      { ...common, billing_interval: "MONTH", price: "39.95", country: "United States" },
    ],
    [
      "recharge-subscriptions.jsonl",
      "recharge",
      { ...common, subscription_ref: "70000", store_variant_id: "9001", currency_code: "USD" },
    ],
    [
      "stripe-subscriptions.jsonl",
      "stripe",
      {
        ...common,
        next_billing_date: "2030-01-10T12:00:00.000Z",
        subscription_ref: "sub_1",
        price: "39.95",
        store_payment_method_id: "pm_1",
      },
    ],
    [
      "shopify-contracts.csv",
      "shopify",
      {
        ...common,
        next_billing_date: "2030-01-10T17:00:00Z",
        subscription_ref: "contract-1",
        shipping_amount: "4.90",
      },
    ],
    [
      "perennial-subscriptions.jsonl",
      "perennial",
      { email: common.email, subscription_ref: "prnl-1", price: "39.95" },
    ],
    ["orders.csv", "orders", { order_ref: "order-1", subscription_ref: "sheet-1", total: "44.85" }],
  ];

  test.each(files)("%s has 20 rows, each of which can be read", async (name, format, first) => {
    const rows = await readExample(name, format);
    expect(rows).toHaveLength(20);
    expect(rows[0]!.lines[0]!.fields).toMatchObject(first);
    expect(rows.flatMap(({ lines }) => lines.flatMap(({ faults }) => faults))).toEqual([]);
  });

  test("a row of Recharge's template has the same ref each time, in which nobody can read the customer", async () => {
    const refs = async () =>
      (await readExample("recharge-template.csv", "recharge")).map(
        ({ lines }) => lines[0]!.fields.subscription_ref,
      );
    const [first, second] = [await refs(), await refs()];
    expect(first).toEqual(second);
    expect(new Set(first).size).toBe(20);
    expect(first.join()).not.toContain("example.com");
  });
});

describe("a subscription of Stripe", () => {
  const item = {
    quantity: 2,
    price: {
      id: "price_1",
      product: "prod_1",
      currency: "jpy",
      unit_amount: 500,
      recurring: { interval: "week", interval_count: 2 },
    },
  };
  const of = (more: object) =>
    mapStripeObject({ id: "sub_1", status: "active", items: { data: [item] }, ...more })[0]!;

  const states: [object, object][] = [
    [{ status: "trialing" }, { status: "ACTIVE" }],
    [{ status: "past_due" }, { status: "PAST_DUE" }],
    [{ status: "unpaid" }, { status: "PAST_DUE" }],
    [
      { status: "canceled", ended_at: 1_700_000_000 },
      { status: "CANCELLED", cancelled_at: "2023-11-14T22:13:20.000Z" },
    ],
    [
      { cancel_at_period_end: true, canceled_at: 1_700_000_000 },
      { status: "CANCELLED", cancelled_at: "2023-11-14T22:13:20.000Z" },
    ],
    [
      { pause_collection: { behavior: "void", resumes_at: 1_900_000_000 } },
      { status: "PAUSED", pause_until: "2030-03-17T17:46:40.000Z" },
    ],
  ];
  test.each(states)("%o is %o", (more, fields) => {
    expect(of(more).fields).toMatchObject(fields);
  });

  test("that will end is cancelled, at no time that has not come", () => {
    const { fields } = of({ cancel_at_period_end: true, canceled_at: null, cancel_at: 4_000_000_000 });
    expect(fields).toMatchObject({ status: "CANCELLED" });
    expect(fields).not.toHaveProperty("cancelled_at");
  });

  test.each([
    ["2026-07-15T04:30Z", "2027-01-15T04:30Z", undefined],
    ["2026-10-31T12:00Z", "2026-11-30T12:00Z", "2026-10-31T12:00:00.000Z"],
    ["2026-10-28T20:00Z", "2026-11-28T20:00Z", "2026-10-28T20:00:00.000Z"],
    ["2026-11-01T03:00Z", "2027-03-01T03:00Z", "2026-11-01T03:00:00.000Z"],
    ["2027-10-31T12:00Z", "2026-11-30T12:00Z", undefined],
  ])("of the anchor %s, charged next at %s, counts from the anchor %s", (anchor, next, counted) => {
    const seconds = (instant: string) => Date.parse(instant) / 1000;
    const { fields } = of({ billing_cycle_anchor: seconds(anchor), current_period_end: seconds(next) });
    expect(fields.anchor_date).toBe(counted);
  });

  test("has amounts in the currency's own units", () => {
    expect(of({}).fields).toMatchObject({
      price: "500",
      quantity: "2",
      billing_interval: "WEEK",
      billing_interval_count: "2",
    });
  });

  test("names Stripe as the provider where the store takes over payment methods", () => {
    const customer = { id: "cus_1", invoice_settings: { default_payment_method: { id: "pm_2" } } };
    const fieldsOf = (more: object, takesRemoteMethods: boolean) => {
      const object = { id: "sub_1", status: "active", items: { data: [item] }, ...more };
      const { fields } = mapStripeObject(object, { takesRemoteMethods })[0]!;
      const named = Object.entries(fields).filter(([name]) =>
        /^(store_(customer|payment)|remote)_/.test(name),
      );
      return Object.fromEntries(named);
    };
    const remote = {
      remote_gateway: "STRIPE",
      remote_customer_id: "cus_1",
      remote_payment_method_id: "pm_1",
    };
    const byIds = { customer: "cus_1", default_payment_method: "pm_1" };
    expect(fieldsOf(byIds, false)).toEqual({ store_customer_id: "cus_1", store_payment_method_id: "pm_1" });
    expect(fieldsOf(byIds, true)).toEqual(remote);
    expect(fieldsOf({ customer }, true)).toEqual({ ...remote, remote_payment_method_id: "pm_2" });
    expect(fieldsOf({ customer: "cus_1" }, true)).toEqual({});
  });

  test("is at fault for prices that depend on usage, and items of different intervals", () => {
    const metered = { ...item, price: { ...item.price, unit_amount: null } };
    const monthly = {
      ...item,
      price: { ...item.price, recurring: { interval: "month", interval_count: 1 } },
    };
    const lines = mapStripeObject({ id: "sub_1", items: { data: [item, metered, monthly] } });
    expect(lines.map(({ faults }) => faults.map(({ path }) => path))).toEqual([
      [],
      ["items.price.unit_amount"],
      ["items.price.recurring"],
    ]);
    expect(mapStripeObject({ id: "sub_1", items: { data: [] } })[0]!.faults).toEqual([
      { path: "items", message: "has none" },
    ]);
  });
});

describe("the values that an export adds to a subscription", () => {
  const line = {
    id: "l-1",
    store_product_id: "p",
    quantity: 3,
    price: 9,
    line_total: 27,
    discount_amount: 0,
  };
  const subscription = { id: "s-1", shipping_amount: 5, discounts: [], lines: [line] };

  test("take the place of what its fields say, of the subscription and of each line", () => {
    const lines = [
      { id: "l-1", plan_discount_type: "PERCENTAGE", plan_discount_value: 10, price_changes: null },
    ];
    const import_values = { anchor_date: "2030-01-31", shipping_amount: null, discounts: null, lines };
    const [row] = mapSubscription({ ...subscription, import_values }).map(({ fields }) => fields);
    expect(row).toMatchObject({
      ...{ anchor_date: "2030-01-31", store_product_id: "p", quantity: "3", price: "9" },
      ...{ plan_discount_type: "PERCENTAGE", plan_discount_value: "10" },
    });
    for (const name of ["shipping_amount", "price_changes", "discounts"])
      expect(row).not.toHaveProperty(name);
  });

  test("are needed for discounts that cannot be told without them", () => {
    const discount = { is_active: true, target_type: "ORDER", value_type: "PERCENTAGE", value: 10 };
    const pathsOf = (discounts: object[]) =>
      mapSubscription({ ...subscription, discounts })[0]!.faults.map(({ path }) => path);
    expect(pathsOf([discount, discount])).toEqual(["discounts"]);
    expect(pathsOf([{ ...discount, target_type: "SHIPPING_LINE" }])).toEqual(["discounts"]);
  });

  test("stand beside members that are known: another one is a fault", () => {
    const { faults } = mapSubscription({ ...subscription, tax_amount: 0, ends_with: "2031" })[0]!;
    expect(faults.map(({ path }) => path)).toEqual(["ends_with"]);
  });

  test("say how many cycles are left of a limited discount, which the object alone does not", () => {
    const discount = { is_active: true, target_type: "ORDER", value_type: "PERCENTAGE", value: 10 };
    const faultsOf = (discounts: object[], more: object = {}) =>
      mapSubscription({ ...subscription, discounts, ...more }).map(({ faults }) =>
        faults.map(({ path }) => path),
      );
    const limited = { ...discount, recurring_cycle_limit: 6 };
    expect(faultsOf([limited])).toEqual([["discount_cycles_left"]]);
    expect(faultsOf([{ ...discount, recurring_cycle_limit: null }])).toEqual([[]]);
    expect(faultsOf([{ ...limited, is_active: false }])).toEqual([[]]);
    const import_values = { discount_cycles_left: 2 };
    expect(faultsOf([limited], { import_values })).toEqual([[]]);
    expect(
      mapSubscription({ ...subscription, discounts: [limited], import_values })[0]!.fields,
    ).toMatchObject({ discount_value: "10", discount_cycles_left: "2" });
  });

  test.each([[null], ["text"], [7], [[]], [{ lines: 7 }], [{ lines: [null, { id: "l-2" }], more: 1 }]])(
    "are passed over where they are none: %j",
    (import_values) => {
      expect(mapSubscription({ ...subscription, import_values })).toEqual(mapSubscription(subscription));
    },
  );
});
