/** A creation makes one subscription for each group of lines, numbered in turn, with every field of its body. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { listed, profileOf, put, subscriptionOf } from "../../support/records.ts";
import {
  create,
  created,
  entityFor,
  lineOf,
  openSeller,
  path,
  placed,
  planned,
  type Seller,
  shown,
} from "../../support/subscriptions.ts";
import { useShop } from "../../support/use-account.ts";

type Body = Record<string, unknown>;

const shop = useShop();

const item = {
  slot_id: "s1",
  store_product_id: "p",
  store_variant_id: "v",
  product_title: "Bowl",
  quantity: 2,
  price: 3.5,
};

describe("what is created", () => {
  test("201 with the ids, and a warning where there is no address", async () => {
    const answer = await create(shop);
    const [subscription_id] = answer.body.ids;
    const warning = { code: "address_missing", message: expect.any(String), subscription_id };
    expect([answer.status, answer.body]).toEqual([201, { ids: [expect.any(String)], warnings: [warning] }]);
  });

  test("every field of the body is kept", async () => {
    const { slot } = await placed(shop.admin, { day_of_week: 3 });
    const [id] = await created(shop, {
      store_payment_method_id: "pm_insufficient_funds",
      next_delivery_date: "2035-01-31",
      delivery_slot_id: slot,
      note: "Ring twice 🔔",
      migration_source_ref: "legacy-4711",
      custom_attributes: { source: "quiz", answers: [1, { constructor: null }] },
      lines: [
        lineOf(shop.planId, {
          variant_title: "1 kg",
          sku: "K-1",
          subscription_variant_id: "sv-1",
          price: 19.99,
          quantity: 3,
          selection_items: [item, { ...item, variant_title: "Blue" }],
        }),
      ],
    });
    expect(await shown(shop.admin, id!)).toMatchObject({
      profile_id: shop.profileId,
      next_delivery_date: "2035-01-31",
      delivery_slot_id: slot,
      note: "Ring twice 🔔",
      migration_source_ref: "legacy-4711",
      custom_attributes: { source: "quiz", answers: [1, { constructor: null }] },
      payment_method_brand: "visa",
      payment_method_last4: "9995",
      lines: [
        {
          id: expect.any(String),
          store_product_id: "product-1",
          store_variant_id: "variant-1",
          product_title: "Kibble",
          selling_plan_id: shop.planId,
          selling_plan_name: "Monthly",
          entity_id: null,
          variant_title: "1 kg",
          sku: "K-1",
          subscription_variant_id: "sv-1",
          price: 19.99,
          quantity: 3,
          is_one_time: false,
          line_total: 59.97,
          discount_amount: 0,
          selection_items: [
            { ...item, variant_title: null },
            { ...item, variant_title: "Blue" },
          ],
        },
      ],
      subtotal: 59.97,
      total: 59.97,
    });
  });

  test("nulls are as good as nothing", async () => {
    const [id] = await created(shop, {
      delivery_slot_id: null,
      delivery_address_id: null,
      note: null,
      lines: [
        lineOf(shop.planId, {
          variant_title: null,
          sku: null,
          subscription_variant_id: null,
          selection_items: null,
          entity_id: null,
        }),
      ],
    });
    const subscription = await shown(shop.admin, id!);
    expect(subscription).toMatchObject({
      delivery_slot_id: null,
      delivery_slot: null,
      delivery_day: null,
      note: null,
      delivery_address: null,
    });
    expect(subscription.lines[0]).toMatchObject({
      variant_title: null,
      sku: null,
      selection_items: null,
      entity_id: null,
    });
  });

  test("it is active, in its first cycle, with the plan's terms", async () => {
    const plan = await planned(shop.admin, {
      name: "Prepaid",
      billing_interval: "month",
      billing_interval_count: 3,
      delivery_interval: "Month",
      delivery_interval_count: 1,
      discount_type: "PERCENTAGE",
      discount_value: 12.5,
      shipping_amount: 4.99,
      min_cycles: 2,
      max_cycles: 8,
    });
    const [id] = await created(shop, { lines: [lineOf(plan, { price: 10.02, quantity: 2 })] });
    expect(await shown(shop.admin, id!)).toMatchObject({
      status: "ACTIVE",
      is_active: true,
      current_billing_cycle: 1,
      billing_interval: "MONTH",
      billing_interval_count: 3,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
      frequency_label: "Every 3 months",
      currency_code: "USD",
      subtotal: 20.04,
      discount_amount: 2.51,
      shipping_amount: 4.99,
      tax_amount: 0,
      total: 22.52,
      total_revenue: 0,
      discounts: [],
      last_order: null,
      store_contract_id: null,
    });
    expect(
      await select("SELECT min_cycles, max_cycles, activation FROM subscriptions WHERE id = ?", id!),
    ).toEqual([{ min_cycles: 2, max_cycles: 8, activation: 1 }]);
  });

  test.each([
    ["JPY", 1000, 100, 3, 2700],
    ["USD", 19.99, 0.5, 3, 58.47],
    ["KWD", 1.234, 0.001, 3, 3.699],
  ])(
    "money in %s: a plan's fixed discount is for each unit",
    async (currency, price, off, quantity, total) => {
      const seller = await openSeller({ currency });
      const plan = await planned(seller.admin, { discount_type: "FIXED_AMOUNT", discount_value: off });
      const [id] = await created(seller, { lines: [lineOf(plan, { price, quantity })] });
      expect(await shown(seller.admin, id!)).toMatchObject({ currency_code: currency, total });
    },
  );

  test("later changes of the plan do not reach the lines sold on it", async () => {
    const plan = await planned(shop.admin, {
      discount_type: "PERCENTAGE",
      discount_value: 10,
      shipping_amount: 5,
    });
    const [id] = await created(shop, { lines: [lineOf(plan)] });
    const before = await shown(shop.admin, id!);
    await api(shop.admin, "PUT", `${path}/selling-plans/${plan}`, {
      body: { name: "Other", discount_value: 50, shipping_amount: 0, billing_interval: "YEAR" },
    });
    expect(await shown(shop.admin, id!)).toEqual(before);
  });
});

describe("one subscription for each group of lines", () => {
  const groupsOf = async (seller: Seller, lines: Body[]) => {
    const ids = await created(seller, { lines });
    const all = await Promise.all(ids.map((id) => shown(seller.admin, id)));
    return all.map(({ lines: its }) =>
      its.map(({ product_title }: { product_title: string }) => product_title).join(""),
    );
  };

  test("by entity and the plans' intervals and cycle limits, in the order of their first lines", async () => {
    const seller = await openSeller();
    const [dog, cat] = [
      await entityFor(seller.admin, seller.profileId, "Rex"),
      await entityFor(seller.admin, seller.profileId, "Tom"),
    ];
    const same = await planned(seller.admin, {
      name: "Same intervals",
      discount_type: "PERCENTAGE",
      discount_value: 5,
    });
    const weekly = await planned(seller.admin, { billing_interval: "WEEK" });
    const prepaid = await planned(seller.admin, { billing_interval_count: 3, delivery_interval_count: 1 });
    const [atLeast, atMost] = [
      await planned(seller.admin, { min_cycles: 3 }),
      await planned(seller.admin, { max_cycles: 3 }),
    ];
    const named = (product_title: string, plan: string, entity_id?: string | null) =>
      lineOf(plan, { product_title, ...(entity_id === undefined ? {} : { entity_id }) });
    expect(
      await groupsOf(seller, [
        named("a", seller.planId, dog),
        named("b", seller.planId, cat),
        named("c", same, dog),
        named("d", weekly, dog),
        named("e", seller.planId),
        named("f", prepaid),
        named("g", seller.planId, null),
        named("h", atLeast),
        named("i", atMost),
        named("j", weekly, dog),
      ]),
    ).toEqual(["ac", "b", "dj", "eg", "f", "h", "i"]);
  });

  test("each has its own figures, number, entity and label; the rest they share", async () => {
    const seller = await openSeller();
    const dog = await entityFor(seller.admin, seller.profileId, "Rex");
    const ids = await created(seller, {
      note: "Both",
      lines: [lineOf(seller.planId, { price: 10, entity_id: dog }), lineOf(seller.planId, { price: 7 })],
    });
    const [first, second] = await Promise.all(ids.map((id) => shown(seller.admin, id)));
    expect(first).toMatchObject({
      number: "1001",
      total: 10,
      entity_label: "Rex",
      entities: [{ id: dog, name: "Rex" }],
      note: "Both",
    });
    expect(first.lines[0].entity_id).toBe(dog);
    expect(second).toMatchObject({
      number: "1002",
      total: 7,
      entity_label: null,
      entities: [],
      note: "Both",
    });
  });

  test("shipping is the highest of a group's plans", async () => {
    const seller = await openSeller();
    const plans = await Promise.all(
      [2, 4.5, 0].map((shipping_amount) => planned(seller.admin, { shipping_amount })),
    );
    const ids = await created(seller, { lines: plans.map((plan) => lineOf(plan)) });
    expect(ids).toHaveLength(1);
    expect(await shown(seller.admin, ids[0]!)).toMatchObject({ shipping_amount: 4.5, total: 64.5 });
  });
});

describe("numbers", () => {
  test("of each account, from 1001, all distinct and without a gap under 20 creations at once", async () => {
    const seller = await openSeller();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(seller, { lines: [lineOf(seller.planId)] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const { data } = await listed(seller.admin, path, { limit: 100 });
    expect(data.map(({ number }) => Number(number)).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => 1001 + n),
    );
    expect(
      await select(
        "SELECT COUNT(*) AS n FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        seller.of.account.id,
      ),
    ).toEqual([{ n: 1 }]);
  });

  test("a refused creation takes none", async () => {
    const seller = await openSeller();
    await create(seller, { next_delivery_date: "2020-01-01" });
    const [id] = await created(seller);
    expect((await shown(seller.admin, id!)).number).toBe("1001");
  });
});

describe("the payment method", () => {
  test("is kept once for a profile, and again for another", async () => {
    const seller = await openSeller();
    const other = profileOf(seller.of);
    await put("profiles", [other]);
    await created(seller);
    await created(seller);
    await created(seller, { profile_id: other.id });
    await created(seller, { store_payment_method_id: "pm_pending" });
    const kept = await select(
      "SELECT profile_id, store_payment_method_id FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY created_at, id",
      seller.of.account.id,
    );
    expect(kept).toEqual([
      { profile_id: seller.profileId, store_payment_method_id: "pm_success" },
      { profile_id: other.id, store_payment_method_id: "pm_success" },
      { profile_id: seller.profileId, store_payment_method_id: "pm_pending" },
    ]);
  });
});

test("numbers go on after rows made elsewhere", async () => {
  const seller = await openSeller();
  await put("subscriptions", [subscriptionOf(seller.of, seller.profileId, { number: 5000 })]);
  const [id] = await created(seller);
  expect((await shown(seller.admin, id!)).number).toBe("5001");
});
