/** A subscription of Stripe is taken over with all that decides on its charges, or is refused for what is not. */
import { describe, expect, test } from "vitest";
import { mapStripeObject } from "./subscription.ts";

const seconds = (date: string) => Date.parse(`${date}T17:00:00Z`) / 1000;
const price = {
  ...{ id: "price_1", object: "price", currency: "usd", product: "prod_1", unit_amount: 4000 },
  recurring: { interval: "month", interval_count: 1, usage_type: "licensed" },
};
const item = { id: "si_1", quantity: 1, current_period_end: seconds("2030-01-10"), price };

/** A subscription as the pinned version of the API answers it, whose next charge is on 10 January 2030. */
function subscription(more: object = {}, ofItem: object = {}, ofPrice: object = {}) {
  return {
    ...{ id: "sub_1", object: "subscription", status: "active", currency: "usd", livemode: true },
    ...{ billing_cycle_anchor: seconds("2026-01-10"), cancel_at: null, cancel_at_period_end: false },
    ...{ collection_method: "charge_automatically", automatic_tax: { enabled: false, liability: null } },
    ...{ discounts: [], schedule: null, trial_end: null, default_payment_method: "pm_1" },
    items: {
      ...{ object: "list", has_more: false, url: "/v1/subscription_items" },
      data: [{ ...item, ...ofItem, price: { ...price, ...ofPrice } }],
    },
    ...more,
  };
}

function pathsOf(object: Record<string, unknown>, added = {}): string[] {
  return mapStripeObject(object, { added })[0]!.faults.map(({ path }) => path);
}

function fieldsOf(object: Record<string, unknown>) {
  const [line] = mapStripeObject(object) as [ReturnType<typeof mapStripeObject>[number]];
  expect(line.faults).toEqual([]);
  return line.fields;
}

const coupon = { id: "c", duration: "forever", percent_off: 25, amount_off: null };

describe("what decides on a charge and is not taken over is a fault of its subscription", () => {
  const exclusive = { id: "txr", inclusive: false, percentage: 20 };
  const faulty: [path: string, object: Record<string, unknown>][] = [
    ["collection_method", subscription({ collection_method: "send_invoice" })],
    ["items.has_more", subscription({ items: { has_more: true, data: [item] } })],
    ["cancel_at", subscription({ cancel_at: seconds("2030-03-10") })],
    ["trial_end", subscription({ trial_end: seconds("2030-02-01") })],
    ["schedule", subscription({ schedule: "sub_sched_1" })],
    [
      "billing_schedules",
      subscription({ billing_schedules: [{ key: "a", bill_until: { type: "timestamp" } }] }),
    ],
    ["pending_update", subscription({ pending_update: { expires_at: 1_900_000_000 } })],
    ["application_fee_percent", subscription({ application_fee_percent: 10 })],
    ["transfer_data", subscription({ transfer_data: { destination: "acct_1" } })],
    ["managed_payments.enabled", subscription({ managed_payments: { enabled: true } })],
    ["customer.balance", subscription({ customer: { id: "cus_1", balance: -500 } })],
    ["customer.invoice_credit_balance", subscription({ customer: { invoice_credit_balance: { usd: 100 } } })],
    ["automatic_tax.enabled", subscription({ automatic_tax: { enabled: true } })],
    ["default_tax_rates", subscription({ default_tax_rates: [exclusive] })],
    ["items.tax_rates", subscription({}, { tax_rates: [exclusive] })],
    [
      "items.price.tax_behavior",
      subscription({ automatic_tax: undefined }, {}, { tax_behavior: "exclusive" }),
    ],
    ["items.price.billing_scheme", subscription({}, {}, { billing_scheme: "tiered" })],
    [
      "items.price.recurring.usage_type",
      subscription({}, {}, { recurring: { ...price.recurring, usage_type: "metered" } }),
    ],
    [
      "items.price.transform_quantity",
      subscription({}, {}, { transform_quantity: { divide_by: 10, round: "up" } }),
    ],
    ["items.price.unit_amount", subscription({}, {}, { unit_amount: null, unit_amount_decimal: "1234.5" })],
    ["items.price.currency", subscription({ currency: "eur" })],
    [
      "items.current_period_end",
      subscription({ items: { data: [item, { ...item, current_period_end: seconds("2030-02-10") }] } }),
    ],
    [
      "billing_cycle_anchor_config.day_of_month",
      subscription({ billing_cycle_anchor_config: { day_of_month: 31 } }),
    ],
    [
      "billing_cycle_anchor_config.day_of_month",
      subscription({
        billing_cycle_anchor: seconds("2026-02-27"),
        billing_cycle_anchor_config: { day_of_month: 31 },
      }),
    ],
    ["loyalty_points", subscription({ loyalty_points: { used: 7 } })],
    ["items.price.surge", subscription({}, {}, { surge: "noon" })],
  ];

  test.each(faulty)("%s", (path, object) => {
    expect(pathsOf(object)).toEqual([path]);
  });

  test("and nothing else is: members that are null, false, 0 or empty, and taxes that prices include", () => {
    const later = { wallet: null, boost: false, extra: 0, tags: [], terms: { fee: null, marks: [] } };
    expect(pathsOf(subscription({ ...later, description: "Kibble", latest_invoice: { total: 1 } }))).toEqual(
      [],
    );
    const inclusive = { default_tax_rates: [{ inclusive: true, percentage: 20 }] };
    expect(pathsOf(subscription(inclusive, {}, { tax_behavior: "exclusive" }))).toEqual([]);
    expect(
      pathsOf(subscription({ automatic_tax: { enabled: true } }, {}, { tax_behavior: "inclusive" })),
    ).toEqual([]);
    expect(pathsOf(subscription({ billing_cycle_anchor_config: { day_of_month: 10 } }))).toEqual([]);
  });

  test("until the field that says it here is added", () => {
    const taxed = subscription({ automatic_tax: { enabled: true } });
    expect(pathsOf(taxed, { price: "48" })).toEqual([]);
    expect(pathsOf(subscription({ cancel_at: seconds("2030-03-10") }), { max_cycles: "3" })).toEqual([]);
    expect(pathsOf(subscription({ discounts: ["di_1"] }), { discount_type: "PERCENTAGE" })).toEqual([]);
  });
});

describe("a discount", () => {
  const quarterOff = { discount_type: "PERCENTAGE", discount_value: "25" };
  const forever: [string, object, object?][] = [
    ["with its coupon", { discounts: [{ id: "di_1", coupon }] }],
    ["with its coupon as newer versions have it", { discounts: [{ source: { type: "coupon", coupon } }] }],
    ["of an older version", { discount: { id: "di_1", coupon } }],
    ["of a version that names it twice", { discount: { id: "di_1", coupon }, discounts: ["di_1"] }],
    ["of the only item", {}, { discounts: [{ coupon }] }],
    ["of the customer, where the subscription has none", { customer: { discount: { coupon } } }],
  ];
  test.each(forever)("%s is taken over", (_, more, ofItem) => {
    const fields = fieldsOf(subscription(more, ofItem));
    expect(fields).toMatchObject(quarterOff);
    expect(fields).not.toHaveProperty("discount_cycles_left");
  });

  test("of the subscription goes before the customer's", () => {
    const fields = fieldsOf(
      subscription({
        discounts: [{ coupon: { ...coupon, percent_off: 10 } }],
        customer: { discount: { coupon } },
      }),
    );
    expect(fields).toMatchObject({ discount_value: "10" });
  });

  test("takes an amount off in Stripe's own decimals", () => {
    const of = (currency: string, amount_off: number) => {
      const each = { ...coupon, percent_off: null, amount_off, currency };
      return fieldsOf(subscription({ currency, discounts: [{ coupon: each }] }, {}, { currency }));
    };
    expect(of("usd", 150)).toMatchObject({
      discount_type: "FIXED_AMOUNT",
      discount_value: "1.5",
      price: "40",
    });
    expect(of("isk", 500)).toMatchObject({ discount_value: "5", price: "40" });
    expect(of("mga", 500)).toMatchObject({ discount_value: "500", price: "4000" });
    expect(of("kwd", 500)).toMatchObject({ discount_value: "0.5", price: "4" });
  });

  test.each([
    ["2030-04-10", "3"],
    ["2030-01-11", "1"],
    ["2030-01-10", undefined],
  ])("that ends on %s has %s charges left", (end, left) => {
    const repeating = { ...coupon, duration: "repeating", duration_in_months: 6 };
    const fields = fieldsOf(subscription({ discounts: [{ coupon: repeating, end: seconds(end) }] }));
    expect([fields.discount_cycles_left, fields.discount_value]).toEqual([left, left && "25"]);
  });

  test("counts charges at the ends of months from their anchor", () => {
    const ends = { billing_cycle_anchor: seconds("2029-12-31"), current_period_end: seconds("2030-02-28") };
    const repeating = { ...coupon, duration: "repeating" };
    const discounts = [{ coupon: repeating, end: seconds("2030-03-30") }];
    expect(fieldsOf(subscription({ ...ends, discounts }))).toMatchObject({ discount_cycles_left: "1" });
    const inFebruary = {
      ...{ ...ends, billing_cycle_anchor: seconds("2029-02-28"), discounts },
      billing_cycle_anchor_config: { day_of_month: 31 },
    };
    expect(fieldsOf(subscription(inFebruary))).toMatchObject({ discount_cycles_left: "1" });
  });

  const faulty: [string, string, object, object?][] = [
    ["whose coupon was not asked for", "discounts", { discounts: ["di_1"] }],
    ["whose coupon is an id", "discounts", { discounts: [{ source: { coupon: "c" } }] }],
    ["beside another one", "discounts", { discounts: [{ coupon }, { coupon }] }],
    ["beside that of the item", "items.discounts", { discounts: [{ coupon }] }, { discounts: [{ coupon }] }],
    [
      "for one charge, which may have had it",
      "discounts",
      { discounts: [{ coupon: { ...coupon, duration: "once" } }] },
    ],
    [
      "for some products",
      "discounts.coupon.applies_to",
      { discounts: [{ coupon: { ...coupon, applies_to: { products: ["prod_1"] } } }] },
    ],
    [
      "of another currency",
      "discounts",
      { discounts: [{ coupon: { duration: "forever", amount_off: 100, currency: "eur" } }] },
    ],
    [
      "of one item among two",
      "items.discounts",
      { items: { data: [item, { ...item, discounts: [{ coupon }] }] } },
    ],
  ];
  test.each(faulty)("%s is a fault", (_, path, more, ofItem) => {
    expect(pathsOf(subscription(more, ofItem))).toEqual([path]);
  });
});

describe("an end that is set", () => {
  test("before another charge is a cancellation, as at the end of the period", () => {
    const [ends, canceled_at] = [seconds("2030-01-10"), seconds("2029-12-20")];
    for (const more of [{ cancel_at: ends }, { cancel_at_period_end: true, cancel_at: ends }])
      expect(fieldsOf(subscription({ ...more, canceled_at }))).toMatchObject({
        status: "CANCELLED",
        cancelled_at: "2029-12-20T17:00:00.000Z",
      });
  });
});

test("the payment method is that of the subscription, a source of it, and then the customer's", () => {
  const customer = {
    id: "cus_1",
    default_source: "card_4",
    invoice_settings: { default_payment_method: "pm_3" },
  };
  const of = (more: object) =>
    fieldsOf(subscription({ default_payment_method: null, ...more })).store_payment_method_id;
  expect(of({ default_payment_method: "pm_1", default_source: "card_2", customer })).toBe("pm_1");
  expect(of({ default_source: "card_2", customer })).toBe("card_2");
  expect(of({ default_source: { id: "card_2" } })).toBe("card_2");
  expect(of({ customer })).toBe("pm_3");
  expect(of({ customer: { ...customer, invoice_settings: null } })).toBe("card_4");
  expect(of({})).toBeUndefined();
});

test("a price in several currencies counts in the subscription's", () => {
  const options = { currency_options: { eur: { unit_amount: 3700 } } };
  expect(fieldsOf(subscription({ currency: "eur" }, {}, options))).toMatchObject({
    price: "37",
    currency_code: "EUR",
  });
});
