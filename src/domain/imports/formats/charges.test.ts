/** A subscription of another system is charged next when that system would have charged it. */
import { describe, expect, test } from "vitest";
import { mapSubscription } from "./perennial.ts";
import { mapRechargeObject, mapRechargeRow } from "./recharge/subscription.ts";
import { mapShopifyRow } from "./shopify.ts";
import { mapStripeObject } from "./stripe/subscription.ts";

/** The fields of the only line, which say what is charged, how much, and when. */
function fieldsOf(lines: { fields: object }[]): object {
  expect(lines).toHaveLength(1);
  return lines[0]!.fields;
}

describe("a subscription of Stripe", () => {
  const price = {
    id: "price_1",
    currency: "jpy",
    unit_amount: 500,
    recurring: { interval: "month", interval_count: 1 },
  };
  const day = Date.UTC(2030, 0, 31) / 1000;
  const of = (more: object, ofItem: object = {}) =>
    fieldsOf(
      mapStripeObject({ id: "sub_1", status: "active", items: { data: [{ price, ...ofItem }] }, ...more }),
    );

  test("is charged next when its period ends, or that of its items", () => {
    const charged = { next_billing_date: "2030-01-31T00:00:00.000Z" };
    expect(of({ current_period_end: day })).toMatchObject(charged);
    expect(of({}, { current_period_end: day })).toMatchObject(charged);
  });

  test("counts its days from an anchor that has come, and from none that has not", () => {
    expect(of({ current_period_end: day, billing_cycle_anchor: day - 86_400 * 31 })).toMatchObject({
      anchor_date: "2029-12-31T00:00:00.000Z",
    });
    expect(of({ current_period_end: day, billing_cycle_anchor: day + 86_400 })).not.toHaveProperty(
      "anchor_date",
    );
  });

  test("is paid with its own method, and with its customer's where it has none", () => {
    const customer = { id: "cus_1", invoice_settings: { default_payment_method: "pm_customer" } };
    expect(of({ customer, default_payment_method: "pm_own" })).toMatchObject({
      store_payment_method_id: "pm_own",
    });
    expect(of({ customer, default_payment_method: { id: "pm_own" } })).toMatchObject({
      store_payment_method_id: "pm_own",
    });
    expect(of({ customer })).toMatchObject({ store_payment_method_id: "pm_customer" });
  });
});

describe("a subscription of Recharge", () => {
  const prepaid = {
    billing_interval: "MONTH",
    billing_interval_count: "3",
    delivery_interval: "MONTH",
    delivery_interval_count: "1",
  };
  const row = {
    shipping_email: "ada@example.com",
    charge_interval_unit_type: "month",
    charge_interval_frequency: "3",
  };

  test("delivers as often as it is said to between two charges", async () => {
    const ofTemplate = async (more: Record<string, string>) =>
      fieldsOf(await mapRechargeRow({ ...row, ...more }));
    for (const name of ["shipping", "order"])
      expect(
        await ofTemplate({
          [`${name}_interval_unit_type`]: "month",
          [`${name}_interval_frequency`]: "1",
        }),
      ).toMatchObject(prepaid);
    expect(await ofTemplate({})).toMatchObject({ ...prepaid, delivery_interval_count: "3" });
    expect(
      fieldsOf(
        mapRechargeObject({
          id: 1,
          order_interval_unit: "month",
          charge_interval_frequency: 3,
          order_interval_frequency: 1,
        }),
      ),
    ).toMatchObject(prepaid);
  });

  test("that has ended is charged no more, and one that ends by charges after as many", async () => {
    for (const status of ["expired", "inactive", "cancelled"]) {
      const lines = await mapRechargeRow({ ...row, status });
      expect(fieldsOf(lines)).toMatchObject({ status: "CANCELLED" });
    }
    expect(fieldsOf(mapRechargeObject({ id: 1, status: "expired" }))).toMatchObject({ status: "CANCELLED" });
    expect(fieldsOf(await mapRechargeRow({ ...row, number_charges_until_expiration: "2" }))).toMatchObject({
      max_cycles: "2",
    });
    expect(fieldsOf(mapRechargeObject({ id: 1, expire_after_specific_number_of_charges: 2 }))).toMatchObject({
      max_cycles: "2",
    });
  });
});

test("a contract of Shopify whose payment has failed is past due, and one that has expired is over", () => {
  const statusOf = (status: string) => fieldsOf(mapShopifyRow({ handle: "c-1", status }));
  expect(statusOf("FAILED")).toMatchObject({ status: "PAST_DUE" });
  expect(statusOf("expired")).toMatchObject({ status: "CANCELLED" });
  expect(statusOf("PAUSED")).toMatchObject({ status: "PAUSED" });
});

describe("a subscription as the API answers it", () => {
  const line = {
    id: "l-1",
    store_product_id: "p-1",
    price: 10,
    quantity: 2,
    line_total: 20,
    discount_amount: 2,
    is_one_time: false,
  };
  const of = (more: object) =>
    fieldsOf(mapSubscription({ id: "s-1", status: "ACTIVE", lines: [line], ...more }));
  const tenPercent = {
    is_active: true,
    value_type: "PERCENTAGE",
    value: 10,
    target_type: "ORDER",
    recurring_cycle_limit: null,
  };
  const given = { discount_type: "PERCENTAGE", discount_value: "10" };

  test("is past due while a payment is owed", () => {
    expect(of({ status: "PAYMENT_FAILED" })).toMatchObject({ status: "PAST_DUE" });
    expect(of({ is_in_dunning: true })).toMatchObject({ status: "PAST_DUE" });
    expect(of({ status: "EXPIRED" })).toMatchObject({ status: "EXPIRED" });
  });

  test("is charged the price that its plan's discount leaves", () => {
    expect(of({})).toMatchObject({ price: "9", quantity: "2" });
  });

  test("has its only discount, if it counts and is on whole orders", () => {
    expect(of({ discounts: [tenPercent] })).toMatchObject(given);
    expect(of({ discounts: [{ ...tenPercent, is_active: false }, tenPercent] })).toMatchObject(given);
    for (const discounts of [
      [{ ...tenPercent, is_active: false }],
      [{ ...tenPercent, target_type: "SHIPPING_LINE" }],
      [tenPercent, { ...tenPercent, value: 5 }],
    ])
      expect(of({ discounts })).not.toHaveProperty("discount_type");
  });
});
