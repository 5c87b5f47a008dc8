/** A subscription of Recharge is taken over with all that decides on its charges, or is refused for what is not. */
import { describe, expect, test } from "vitest";
import { mapRechargeObject, mapRechargeRow } from "./subscription.ts";

const chargeFrom = "2030-01-05";

function subscription(more: object = {}, ofAddress: object = {}) {
  return {
    ...{ id: 1, address_id: 5, customer_id: 9, status: "active", type: "subscription", is_prepaid: false },
    ...{ order_interval_unit: "month", charge_interval_frequency: 1, order_interval_frequency: 1 },
    ...{ order_day_of_month: null, order_day_of_week: null, next_charge_scheduled_at: "2030-02-15" },
    ...{ max_retries_reached: false, price: "39.95", quantity: 1, analytics_data: { utm_params: [] } },
    ...{ external_variant_id: { ecommerce: "9001" }, customer: { email: "ada@example.com" } },
    address: { company: "Acme", address1: "1 Elm Street", city: "Brooklyn", ...ofAddress },
    ...more,
  };
}

function pathsOf(object: Record<string, unknown>, added = {}): string[] {
  return mapRechargeObject(object, { charge_from: chargeFrom, added })[0]!.faults.map(({ path }) => path);
}

function fieldsOf(object: Record<string, unknown>) {
  const [line] = mapRechargeObject(object, { charge_from: chargeFrom }) as ReturnType<
    typeof mapRechargeObject
  >;
  expect(line!.faults).toEqual([]);
  return line!.fields;
}

describe("what decides on a charge and is not taken over is a fault of its subscription", () => {
  const faulty: [path: string, object: Record<string, unknown>][] = [
    ["type", subscription({ type: "onetime" })],
    ["charge_delay", subscription({ charge_delay: 3 })],
    ["cutoff_day_of_month_before_and_after", subscription({ cutoff_day_of_month_before_and_after: 5 })],
    ["address.discounts", subscription({}, { discounts: [{ id: 7 }] })],
    ["address.shipping_lines_override", subscription({}, { shipping_lines_override: [{ price: "5.00" }] })],
    [
      "include.customer.apply_credit_to_next_recurring_charge",
      subscription({
        customer: undefined,
        include: { customer: { apply_credit_to_next_recurring_charge: true } },
      }),
    ],
    ["include.bundle_selections", subscription({ include: { bundle_selections: [{ id: 1 }] } })],
    ["is_prepaid", subscription({ is_prepaid: true })],
    [
      "is_prepaid",
      subscription({
        is_prepaid: true,
        charge_interval_frequency: 6,
        status: "cancelled",
        cancelled_at: "2029-12-01T10:00:00",
        next_charge_scheduled_at: null,
      }),
    ],
    ["order_day_of_month", subscription({ order_day_of_month: 20 })],
    ["order_day_of_week", subscription({ order_interval_unit: "week", order_day_of_week: 0 })],
    ["rewards", subscription({ rewards: 12 })],
  ];

  test.each(faulty)("%s", (path, object) => {
    expect(pathsOf(object)).toEqual([path]);
  });

  test("until the field that says it here is added", () => {
    const [shipped, off] = [{ shipping_lines_override: [{ price: "5.00" }] }, { discounts: [{ id: 7 }] }];
    expect(pathsOf(subscription({}, shipped), { shipping_amount: "5" })).toEqual([]);
    expect(pathsOf(subscription({}, off), { discount_type: "PERCENTAGE" })).toEqual([]);
  });

  test("and nothing else is", () => {
    const friday = { order_interval_unit: "week", order_day_of_week: 4 };
    expect(pathsOf(subscription(friday))).toEqual([]);
    const longGone = {
      is_prepaid: true,
      charge_interval_frequency: 6,
      status: "cancelled",
      cancelled_at: "2029-06-01",
    };
    expect(pathsOf(subscription({ ...longGone, next_charge_scheduled_at: null }))).toEqual([]);
  });
});

test("one that Recharge has given up charging is past due, and an address has its company", () => {
  expect(fieldsOf(subscription({ max_retries_reached: true }))).toMatchObject({
    status: "PAST_DUE",
    company: "Acme",
  });
  expect(fieldsOf(subscription({ max_retries_reached: 1, status: "cancelled" }))).toMatchObject({
    status: "CANCELLED",
  });
});

describe("prepaid deliveries that are made from charge_from on are owed", () => {
  const prepaid = { is_prepaid: true, charge_interval_frequency: 6, order_interval_frequency: 1 };
  test.each([
    ["2030-05-15", "4", "2030-01-15"],
    ["2030-02-04", undefined, undefined],
    ["2030-02-05", "1", "2030-01-05"],
    ["2030-07-01", "5", "2030-02-01"],
    ["2030-05-31", "4", "2030-01-31"],
  ])("with the next charge on %s: %s, counted from %s", (next_charge_scheduled_at, owed, anchor) => {
    const { prepaid_owed, anchor_date } = fieldsOf(subscription({ ...prepaid, next_charge_scheduled_at }));
    expect([prepaid_owed, anchor_date]).toEqual([owed, anchor]);
  });

  test("in weeks and days, too, also where the flag is not there", () => {
    const weeks = { order_interval_unit: "week", charge_interval_frequency: 4, is_prepaid: undefined };
    expect(fieldsOf(subscription(weeks))).toMatchObject({ prepaid_owed: "3" });
    expect(fieldsOf(subscription(weeks))).not.toHaveProperty("anchor_date");
  });

  test("as the template says it", async () => {
    const row = {
      ...{ shipping_email: "ada@example.com", charge_interval_unit_type: "Months", is_prepaid: "TRUE" },
      ...{
        charge_interval_frequency: "6",
        shipping_interval_unit_type: "month",
        next_charge_date: "2030-05-15",
      },
      shipping_interval_frequency: "1",
    };
    const [line] = await mapRechargeRow(row, { charge_from: chargeFrom });
    expect(line).toMatchObject({ faults: [], fields: { prepaid_owed: "4", anchor_date: "2030-01-15" } });
    const [alone] = await mapRechargeRow(
      { ...row, shipping_interval_frequency: "6" },
      { charge_from: chargeFrom },
    );
    expect(alone!.faults.map(({ path }) => path)).toEqual(["is_prepaid"]);
  });
});

test("a set day of the month is the anchor's, where a short month has charged on its last day", () => {
  const last = { order_day_of_month: 31, next_charge_scheduled_at: "2030-02-28T00:00:00" };
  expect(fieldsOf(subscription(last))).toMatchObject({
    next_billing_date: "2030-02-28",
    ...{ anchor_date: "2030-02-28", anchor_day: "31" },
  });
  expect(fieldsOf(subscription({ order_day_of_month: 15 }))).not.toHaveProperty("anchor_date");
});
