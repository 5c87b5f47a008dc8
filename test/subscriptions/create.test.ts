import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { tick } from "../../src/jobs/tick.ts";
import { newId } from "../../src/lib/ids.ts";
import { api, deployment } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import { faults, listed, profileOf, put, subscriptionOf } from "../support/records.ts";
import { interrupted } from "../support/slow-database.ts";
import { rowsOf } from "../support/snapshot.ts";
import {
  bodyFor,
  create,
  created,
  deliver,
  entityFor,
  inDays,
  lineOf,
  path,
  placed,
  planned,
  rememberingQueue,
  type Shop,
  shopWith,
  shown,
} from "../support/subscriptions.ts";
import { customer, tenant } from "../support/tenant.ts";

type Body = Record<string, unknown>;

let shop: Shop;
beforeAll(async () => {
  shop = await shopWith();
});

const item = {
  slot_id: "s1",
  store_product_id: "p",
  store_variant_id: "v",
  product_title: "Bowl",
  quantity: 2,
  price: 3.5,
};

describe("what is created", () => {
  test("201 with the ids, and no more", async () => {
    const answer = await create(shop);
    expect([answer.status, answer.body]).toEqual([201, { ids: [expect.any(String)] }]);
  });

  test("every field of the body is kept", async () => {
    const { slot } = await placed(shop.admin, { day_of_week: 3 });
    const [id] = await created(shop, {
      store_payment_method_id: "pm_insufficient_funds",
      next_delivery_date: "2035-01-31",
      delivery_slot_id: slot,
      note: "Ring twice 🔔",
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
      const own = await shopWith({ currency });
      const plan = await planned(own.admin, { discount_type: "FIXED_AMOUNT", discount_value: off });
      const [id] = await created(own, { lines: [lineOf(plan, { price, quantity })] });
      expect(await shown(own.admin, id!)).toMatchObject({ currency_code: currency, total });
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

describe("dates", () => {
  test.each([
    [
      "no slot",
      {},
      "2035-01-31",
      { next_billing_date: "2035-01-31", next_production_date: null, payment_day_of_week: 3 },
    ],
    [
      "a slot alone",
      { day_of_week: 3 },
      "2035-01-31",
      { next_billing_date: "2035-01-31", next_production_date: null, payment_day_of_week: 3 },
    ],
    [
      "a packing day",
      { day_of_week: 3, packing_day_of_week: 2, courier_lead_time_days: 1 },
      "2035-01-31",
      { next_billing_date: "2035-01-30", next_production_date: "2035-01-30", payment_day_of_week: 2 },
    ],
    [
      "packing and billing day",
      { day_of_week: 3, packing_day_of_week: 2, billing_day_of_week: 5, courier_lead_time_days: 2 },
      "2035-01-31",
      { next_billing_date: "2035-01-19", next_production_date: "2035-01-23", payment_day_of_week: 5 },
    ],
    [
      "a billing day alone",
      { day_of_week: 3, billing_day_of_week: 7 },
      "2035-01-31",
      { next_billing_date: "2035-01-28", next_production_date: null, payment_day_of_week: 7 },
    ],
  ] as [string, Body, string, Body][])("%s", async (_, day, next_delivery_date, expected) => {
    const slot = "day_of_week" in day ? { delivery_slot_id: (await placed(shop.admin, day)).slot } : {};
    const [id] = await created(shop, { next_delivery_date, ...slot });
    expect(await shown(shop.admin, id!)).toMatchObject({
      next_delivery_date,
      delivery_slot_valid: true,
      ...expected,
    });
  });

  test("no computed date lies before today", async () => {
    const soon = inDays(1);
    const weekday = new Date(`${soon}T00:00:00Z`).getUTCDay() || 7;
    const { slot } = await placed(shop.admin, {
      day_of_week: weekday,
      packing_day_of_week: weekday,
      courier_lead_time_days: 5,
    });
    const [id] = await created(shop, { next_delivery_date: soon, delivery_slot_id: slot });
    const { next_production_date, next_billing_date } = await shown(shop.admin, id!);
    expect([inDays(-1), inDays(0)]).toContain(next_production_date);
    expect(next_billing_date).toBe(next_production_date);
  });

  test.each(["Pacific/Kiritimati", "America/New_York", "Pacific/Pago_Pago"])(
    "today in %s may be, yesterday not",
    async (timezone) => {
      const own = await shopWith({ timezone });
      const today = new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format();
      const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
      expect((await create(own, { next_delivery_date: today })).status).toBe(201);
      expect(faults(await create(own, { next_delivery_date: yesterday }))).toEqual([
        400,
        "VALIDATION_FAILED",
        "next_delivery_date",
      ]);
    },
  );

  test("a date-time's date is the account's", async () => {
    const own = await shopWith({ timezone: "America/New_York" });
    const [id] = await created(own, { next_delivery_date: "2035-02-01T04:59:59Z" });
    expect((await shown(own.admin, id!)).next_delivery_date).toBe("2035-01-31");
  });
});

describe("where it goes", () => {
  const lives = {
    address1: "1 Main St",
    city: "London",
    postal_code: "N1",
    country: "United Kingdom",
    country_code: "GB",
  };

  test("without an address of its own: the profile's", async () => {
    const own = await shopWith(
      {},
      {
        ...lives,
        address2: "Flat 2",
        region: "England",
        first_name: "Ada",
        last_name: "L",
        phone_number: "+44",
      },
    );
    const [id] = await created(own);
    expect((await shown(own.admin, id!)).delivery_address).toEqual({
      address1: "1 Main St",
      address2: "Flat 2",
      city: "London",
      zip: "N1",
      country: "United Kingdom",
      country_code: "GB",
      province: "England",
      first_name: "Ada",
      last_name: "L",
      phone: "+44",
    });
  });

  test("a profile that cannot be delivered to: null", async () => {
    const own = await shopWith({}, { ...lives, postal_code: null });
    const [id] = await created(own);
    expect((await shown(own.admin, id!)).delivery_address).toBeNull();
  });

  test("an address of the profile, as it is then", async () => {
    const own = await shopWith({}, lives);
    const body = {
      address1: "2 Side St",
      city: "Paris",
      zip: "75001",
      country: "France",
      country_code: "FR",
      company: "Acme",
      province_code: null,
    };
    const at = `/api/profiles/${own.profileId}/addresses`;
    const address = (await api(own.admin, "POST", at, { body })).body.data;
    const [id] = await created(own, { delivery_address_id: address.id });
    const { province_code, ...said } = body;
    expect((await shown(own.admin, id!)).delivery_address).toEqual(said);
    await api(own.admin, "PUT", `${at}/${address.id}`, { body: { city: "Lyon" } });
    expect((await shown(own.admin, id!)).delivery_address.city).toBe("Paris");
  });
});

describe("one subscription for each group of lines", () => {
  const groupsOf = async (own: Shop, lines: Body[]) => {
    const ids = await created(own, { lines });
    const all = await Promise.all(ids.map((id) => shown(own.admin, id)));
    return all.map(({ lines: its }) =>
      its.map(({ product_title }: { product_title: string }) => product_title).join(""),
    );
  };

  test("by entity and the plans' intervals and cycle limits, in the order of their first lines", async () => {
    const own = await shopWith();
    const [dog, cat] = [
      await entityFor(own.admin, own.profileId, "Rex"),
      await entityFor(own.admin, own.profileId, "Tom"),
    ];
    const same = await planned(own.admin, {
      name: "Same intervals",
      discount_type: "PERCENTAGE",
      discount_value: 5,
    });
    const weekly = await planned(own.admin, { billing_interval: "WEEK" });
    const prepaid = await planned(own.admin, { billing_interval_count: 3, delivery_interval_count: 1 });
    const [atLeast, atMost] = [
      await planned(own.admin, { min_cycles: 3 }),
      await planned(own.admin, { max_cycles: 3 }),
    ];
    const named = (product_title: string, plan: string, entity_id?: string | null) =>
      lineOf(plan, { product_title, ...(entity_id === undefined ? {} : { entity_id }) });
    expect(
      await groupsOf(own, [
        named("a", own.planId, dog),
        named("b", own.planId, cat),
        named("c", same, dog),
        named("d", weekly, dog),
        named("e", own.planId),
        named("f", prepaid),
        named("g", own.planId, null),
        named("h", atLeast),
        named("i", atMost),
        named("j", weekly, dog),
      ]),
    ).toEqual(["ac", "b", "dj", "eg", "f", "h", "i"]);
  });

  test("each has its own figures, number, entity and label; the rest they share", async () => {
    const own = await shopWith();
    const dog = await entityFor(own.admin, own.profileId, "Rex");
    const ids = await created(own, {
      note: "Both",
      lines: [lineOf(own.planId, { price: 10, entity_id: dog }), lineOf(own.planId, { price: 7 })],
    });
    const [first, second] = await Promise.all(ids.map((id) => shown(own.admin, id)));
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
    const own = await shopWith();
    const plans = await Promise.all(
      [2, 4.5, 0].map((shipping_amount) => planned(own.admin, { shipping_amount })),
    );
    const ids = await created(own, { lines: plans.map((plan) => lineOf(plan)) });
    expect(ids).toHaveLength(1);
    expect(await shown(own.admin, ids[0]!)).toMatchObject({ shipping_amount: 4.5, total: 64.5 });
  });
});

describe("numbers", () => {
  test("of each account, from 1001, all distinct and without a gap under 20 creations at once", async () => {
    const own = await shopWith();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(own, { lines: [lineOf(own.planId)] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const { data } = await listed(own.admin, path, { limit: 100 });
    expect(data.map(({ number }) => Number(number)).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => 1001 + n),
    );
    expect(
      await select("SELECT COUNT(*) AS n FROM payment_methods WHERE account_id = ?", own.of.account.id),
    ).toEqual([{ n: 1 }]);
  });

  test("a refused creation takes none", async () => {
    const own = await shopWith();
    await create(own, { next_delivery_date: "2020-01-01" });
    const [id] = await created(own);
    expect((await shown(own.admin, id!)).number).toBe("1001");
  });
});

describe("the payment method", () => {
  test("is kept once for a profile, and again for another", async () => {
    const own = await shopWith();
    const other = profileOf(own.of);
    await put("profiles", [other]);
    await created(own);
    await created(own);
    await created(own, { profile_id: other.id });
    await created(own, { store_payment_method_id: "pm_pending" });
    const kept = await select(
      "SELECT profile_id, store_payment_method_id FROM payment_methods WHERE account_id = ? ORDER BY created_at, id",
      own.of.account.id,
    );
    expect(kept).toEqual([
      { profile_id: own.profileId, store_payment_method_id: "pm_success" },
      { profile_id: other.id, store_payment_method_id: "pm_success" },
      { profile_id: own.profileId, store_payment_method_id: "pm_pending" },
    ]);
  });
});

describe("what is refused", () => {
  const known: Record<string, string> = {};
  beforeAll(async () => {
    const foreign = await shopWith();
    const sibling = profileOf(shop.of);
    await put("profiles", [sibling]);
    const gone = profileOf(shop.of, { deleted_at: "2026-01-02T00:00:00.000Z" });
    await put("profiles", [gone]);
    const address = { address1: "1", city: "C", zip: "1", country: "C", country_code: "CC" };
    const addressOf = async (own: Shop, profileId: string) =>
      (await api(own.admin, "POST", `/api/profiles/${profileId}/addresses`, { body: address })).body.data.id;
    const { slot, day } = await placed(shop.admin, { day_of_week: 1 });
    const idle = await placed(shop.admin, { day_of_week: 1 }, { is_active: false });
    const idleDay = await placed(shop.admin, { day_of_week: 1, is_active: false });
    const removed = await placed(shop.admin, { day_of_week: 1 });
    await api(shop.admin, "DELETE", `${path}/delivery-slots/${removed.slot}`);
    const dead = await entityFor(shop.admin, shop.profileId);
    await api(shop.admin, "DELETE", `${path}/entities/${dead}`);
    Object.assign(known, {
      foreignProfile: foreign.profileId,
      goneProfile: gone.id,
      foreignPlan: foreign.planId,
      idlePlan: await planned(shop.admin, { is_active: false }),
      foreignSlot: (await placed(foreign.admin, { day_of_week: 1 })).slot,
      slot,
      day,
      idleSlot: idle.slot,
      slotOnIdleDay: idleDay.slot,
      removedSlot: removed.slot,
      foreignAddress: await addressOf(foreign, foreign.profileId),
      siblingAddress: await addressOf(shop, sibling.id),
      foreignEntity: await entityFor(foreign.admin, foreign.profileId),
      siblingEntity: await entityFor(shop.admin, sibling.id),
      deadEntity: dead,
    });
  });
  const filled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, it) =>
      typeof it === "string" && it.startsWith("$")
        ? it === "$plan"
          ? shop.planId
          : (known[it.slice(1)] ?? newId())
        : it,
    );
  const one = (values: Body): Body => ({ lines: [lineOf("$plan"), lineOf("$plan", values)] });

  test.each([
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "$none" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "nope" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "$foreignProfile" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "$goneProfile" }],
    ["UNKNOWN_SELLING_PLAN", "lines.1.selling_plan_id", one({ selling_plan_id: "$none" })],
    ["UNKNOWN_SELLING_PLAN", "lines.1.selling_plan_id", one({ selling_plan_id: "$foreignPlan" })],
    ["UNKNOWN_SELLING_PLAN", "lines.1.selling_plan_id", one({ selling_plan_id: "$idlePlan" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$none" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$foreignEntity" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$siblingEntity" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$deadEntity" })],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$none" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$day" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$foreignSlot" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$idleSlot" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$slotOnIdleDay" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$removedSlot" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "$none" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "$foreignAddress" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "$siblingAddress" }],
    ["VALIDATION_FAILED", "profile_id", { profile_id: 7 }],
    ["VALIDATION_FAILED", "store_payment_method_id", { store_payment_method_id: "" }],
    ["VALIDATION_FAILED", "store_payment_method_id", { store_payment_method_id: "x".repeat(256) }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "" }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "2035-02-30" }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "31.01.2035" }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "2020-01-01" }],
    [
      "VALIDATION_FAILED",
      "next_delivery_date",
      { next_delivery_date: "2035-01-31", delivery_slot_id: "$slot" },
    ],
    ["VALIDATION_FAILED", "lines", { lines: [] }],
    ["VALIDATION_FAILED", "lines", { lines: {} }],
    ["VALIDATION_FAILED", "lines", { lines: Array(251).fill(lineOf("$plan")) }],
    ["VALIDATION_FAILED", "note", { note: "x".repeat(10_001) }],
    ["VALIDATION_FAILED", "colour", { colour: "blue" }],
    ["VALIDATION_FAILED", "lines.1.colour", one({ colour: "blue" })],
    ["VALIDATION_FAILED", "lines.1.is_one_time", one({ is_one_time: true })],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.colour",
      one({ selection_items: [{ ...item, colour: "blue" }] }),
    ],
    ["VALIDATION_FAILED", "lines.1.product_title", one({ product_title: "" })],
    ["VALIDATION_FAILED", "lines.1.store_product_id", one({ store_product_id: null })],
    ["VALIDATION_FAILED", "lines.1.store_variant_id", one({ store_variant_id: "" })],
    ["VALIDATION_FAILED", "lines.1.selling_plan_id", one({ selling_plan_id: "" })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: -0.01 })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: 1.001 })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: "1" })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: 1e15 })],
    ["VALIDATION_FAILED", "lines.1.quantity", one({ quantity: 0 })],
    ["VALIDATION_FAILED", "lines.1.quantity", one({ quantity: 1.5 })],
    ["VALIDATION_FAILED", "lines.1.quantity", one({ quantity: -1 })],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.quantity",
      one({ selection_items: [{ ...item, quantity: 0 }] }),
    ],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.price",
      one({ selection_items: [{ ...item, price: -1 }] }),
    ],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.price",
      one({ selection_items: [{ ...item, price: 1.001 }] }),
    ],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.slot_id",
      one({ selection_items: [{ ...item, slot_id: undefined }] }),
    ],
  ] as [string, string, Body][])("%s at %s", async (code, at, values) => {
    expect(faults(await create(shop, filled(values) as Body))).toEqual([400, code, at]);
  });

  test.each(["profile_id", "store_payment_method_id", "next_delivery_date", "lines"])(
    "without %s",
    async (name) => {
      const { [name]: _, ...body } = bodyFor(shop);
      expect(faults(await api(shop.admin, "POST", path, { body }))).toEqual([400, "VALIDATION_FAILED", name]);
    },
  );

  test.each([
    ["JPY", 1.5],
    ["KWD", 1.2345],
  ])("a price with more decimals than %s has", async (currency, price) => {
    const own = await shopWith({ currency });
    expect(faults(await create(own, { lines: [lineOf(own.planId, { price })] }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "lines.0.price",
    ]);
  });

  test("all faults are told at once", async () => {
    const values = { note: 1, lines: [lineOf(shop.planId, { price: -1, quantity: 0 })] };
    expect(faults(await create(shop, values))).toEqual([
      400,
      "VALIDATION_FAILED",
      "lines.0.price",
      "lines.0.quantity",
      "note",
    ]);
  });

  test("sums too large to be kept exactly are the body's fault", async () => {
    for (const count of [1, 20]) {
      const { status } = await create(shop, {
        lines: Array(count).fill(lineOf(shop.planId, { price: 9_999_999_999, quantity: 1_000_000 })),
      });
      expect(status, `${count} lines`).toBe(400);
    }
  });

  test("a date whose schedule leaves the calendar's four-digit years", async () => {
    const { status, body } = await create(shop, { next_delivery_date: "9999-12-31" });
    if (status === 400) return;
    const { data } = (await api(shop.admin, "GET", `${path}/${body.ids[0]}/upcoming`)).body;
    for (const { delivery_date, billing_date } of data) {
      expect(delivery_date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(billing_date).toBe(delivery_date);
    }
  });

  test("a customer may not create", async () => {
    const own = await tenant();
    expect(faults(await api(await customer(own), "POST", path, { body: bodyFor(shop) }))).toEqual([
      403,
      "FORBIDDEN",
    ]);
  });

  test("a refusal writes nothing", async () => {
    const before = await rowsOf(shop.of.account.id);
    await create(shop, { store_payment_method_id: "pm_new", next_delivery_date: "2020-01-01" });
    await create(shop, one({ selling_plan_id: newId() }));
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });
});

describe("all or none", () => {
  test("where the last entry cannot be written, nothing is", async () => {
    const own = await shopWith();
    const dog = await entityFor(own.admin, own.profileId);
    const lines = [lineOf(own.planId), lineOf(own.planId, { entity_id: dog })];
    const before = await rowsOf(own.of.account.id);
    await execute(`CREATE TRIGGER one_too_many BEFORE INSERT ON activity_logs
      WHEN NEW.account_id = '${own.of.account.id}' AND EXISTS (SELECT 1 FROM activity_logs WHERE account_id = NEW.account_id AND action = NEW.action)
      BEGIN SELECT RAISE(ABORT, 'no'); END`);
    const { sent, queue } = rememberingQueue();
    const { status } = await deployment({ JOBS: queue })(own.admin, "POST", path, {
      body: bodyFor(own, { lines }),
    });
    await execute("DROP TRIGGER one_too_many");
    expect([status, sent]).toEqual([500, []]);
    expect(await rowsOf(own.of.account.id)).toBe(before);
    expect(await created(own, { lines })).toHaveLength(2);
  });

  test("one subscription_created for each, by who asked", async () => {
    const own = await shopWith();
    const dog = await entityFor(own.admin, own.profileId);
    const ids = await created(own, { lines: [lineOf(own.planId), lineOf(own.planId, { entity_id: dog })] });
    const today = new Date().toISOString().slice(0, 10);
    const feed = await listed(own.admin, "/api/activity-logs", {
      start_date: inDays(-1),
      end_date: today,
      action: "subscription_created",
    });
    expect(feed.data).toHaveLength(2);
    expect(new Set(feed.data.map(({ loggable_id }) => loggable_id))).toEqual(new Set(ids));
    for (const entry of feed.data)
      expect(entry).toMatchObject({
        loggable_type: "subscription",
        subscription_id: entry.loggable_id,
        profile_id: own.profileId,
        order_id: null,
        actor_type: "admin",
        actor_name: "Ada Admin",
      });
    expect(new Set(feed.data.map(({ subscription_number }) => subscription_number))).toEqual(
      new Set(["1001", "1002"]),
    );
  });
});

describe("the contract at the store", () => {
  const jobOf = (own: Shop, id: string) => ({
    type: "sync_contract",
    account_id: own.of.account.id,
    subscription_id: id,
  });

  test("is made by a job for each, of ids only, and linked once however often it comes", async () => {
    const own = await shopWith();
    const dog = await entityFor(own.admin, own.profileId);
    const { sent, queue } = rememberingQueue();
    const lines = [lineOf(own.planId), lineOf(own.planId, { entity_id: dog })];
    const { body } = await deployment({ JOBS: queue })(own.admin, "POST", path, {
      body: bodyFor(own, { lines }),
    });
    expect(sent).toEqual(body.ids.map((id: string) => jobOf(own, id)));
    expect((await deliver(sent)).explicitAcks.toSorted()).toEqual(["m0", "m1"]);
    const linked = await Promise.all(body.ids.map((id: string) => shown(own.admin, id)));
    const contracts = linked.map(({ store_contract_id }) => store_contract_id);
    expect(contracts.every(Number.isSafeInteger) && new Set(contracts).size === 2, contracts.join()).toBe(
      true,
    );
    const before = await rowsOf(own.of.account.id);
    expect((await deliver([...sent, ...sent])).explicitAcks).toHaveLength(4);
    expect(await rowsOf(own.of.account.id)).toBe(before);
    const entries = await select(
      "SELECT actor_type, COUNT(*) AS n FROM activity_logs WHERE account_id = ? AND action = 'store_contract_linked' GROUP BY 1",
      own.of.account.id,
    );
    expect(entries).toEqual([{ actor_type: "system", n: 2 }]);
    const found = await listed(own.admin, path, { store_contract_id: contracts[0] });
    expect(found.data.map(({ id }) => id)).toEqual([body.ids[0]]);
  });

  test("jobs of an unknown account or subscription, and what is no job, are let go", async () => {
    const own = await shopWith();
    const [id] = await created(own);
    const bodies = [
      jobOf(own, id!),
      { ...jobOf(own, id!), account_id: newId() },
      "nonsense",
      { type: "sync_contract" },
      jobOf(own, newId()),
    ];
    const { explicitAcks, retryMessages } = await deliver(bodies);
    expect(explicitAcks).toEqual(["m0", "m1", "m2", "m3", "m4"]);
    expect(retryMessages).toEqual([]);
    expect((await shown(own.admin, id!)).store_contract_id).toEqual(expect.any(Number));
  });

  test("a message that was lost is sent again by the sweep, once it is a minute old", async () => {
    const own = await shopWith();
    const [id] = await created(own);
    const sweep = async (ms: number) => {
      const { sent, queue } = rememberingQueue();
      await tick({ ...env, JOBS: queue }, new Date(Date.now() + ms));
      return sent.filter((body) => (body as { subscription_id: string }).subscription_id === id);
    };
    expect(await sweep(0)).toEqual([]);
    const found = await sweep(120_000);
    expect(found).toEqual([jobOf(own, id!)]);
    await deliver(found);
    expect((await shown(own.admin, id!)).store_contract_id).toEqual(expect.any(Number));
    expect(await sweep(120_000)).toEqual([]);
  });

  test("a queue that is out of order loses no creation", async () => {
    const own = await shopWith();
    const queue = { sendBatch: () => Promise.reject(new Error("out of order")) } as unknown as Queue;
    const { status, body } = await deployment({ JOBS: queue })(own.admin, "POST", path, {
      body: bodyFor(own),
    });
    expect([status, body.ids.length]).toEqual([201, 1]);
  });
});

describe("?dry_run=true", () => {
  test("200 with what would be, and nothing written or sent", async () => {
    const own = await shopWith();
    await created(own);
    const dog = await entityFor(own.admin, own.profileId, "Rex");
    const values = {
      store_payment_method_id: "pm_expired_card",
      note: "Dry",
      lines: [lineOf(own.planId), lineOf(own.planId, { entity_id: dog })],
    };
    const before = await rowsOf(own.of.account.id);
    const { sent, queue } = rememberingQueue();
    const dry = await deployment({ JOBS: queue })(own.admin, "POST", path, {
      body: bodyFor(own, values),
      query: { dry_run: true },
    });
    expect([dry.status, dry.body.ids, sent]).toEqual([200, [], []]);
    expect(await rowsOf(own.of.account.id)).toBe(before);
    const ids = await created(own, values);
    const real = await Promise.all(ids.map((id) => shown(own.admin, id)));
    const settlement = (one: Body) => ({
      ...one,
      id: "",
      created_at: "",
      updated_at: "",
      lines: (one.lines as Body[]).map((line) => ({ ...line, id: "" })),
    });
    expect(dry.body.data.map(settlement)).toEqual(real.map(settlement));
    expect(real.map(({ number }) => number)).toEqual(["1002", "1003"]);
  });

  test("refuses what the real one refuses", async () => {
    for (const values of [{ profile_id: newId() }, { next_delivery_date: "2020-01-01" }, { lines: [] }])
      expect(
        faults(await create(shop, values, { body: bodyFor(shop, values), query: { dry_run: "1" } })),
      ).toEqual(faults(await create(shop, values)));
  });

  test.each(["false", "0"])("%s is a real one", async (dry_run) => {
    expect((await create(shop, {}, { query: { dry_run }, body: bodyFor(shop) })).status).toBe(201);
  });

  test("anything else is 400", async () => {
    expect(faults(await create(shop, {}, { query: { dry_run: "yes" }, body: bodyFor(shop) }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "dry_run",
    ]);
  });
});

test("Idempotency-Key: one creation, its answer replayed, also at once", async () => {
  const own = await shopWith();
  const options = { body: bodyFor(own), headers: { "Idempotency-Key": "once" } };
  const answers = await Promise.all([1, 2, 3].map(() => create(own, {}, options)));
  const later = await create(own, {}, options);
  const done = [...answers, later].filter(({ status }) => status === 201);
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 409])).size).toBe(0);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  expect(later.headers.get("Idempotency-Replayed")).toBe("true");
  expect((await listed(own.admin, path)).meta.total).toBe(1);
});

test("a deleted profile is refused, and one with a living subscription cannot be deleted", async () => {
  const own = await shopWith();
  const [id] = await created(own);
  const remove = () => api(own.admin, "DELETE", `/api/profiles/${own.profileId}`);
  expect(faults(await remove())).toEqual([409, "PROFILE_IN_USE"]);
  await execute("UPDATE subscriptions SET status = 'CANCELLED' WHERE id = ?", id!);
  expect((await remove()).status).toBe(204);
  expect(faults(await create(own))).toEqual([400, "UNKNOWN_PROFILE", "profile_id"]);
});

test("numbers go on after rows made elsewhere", async () => {
  const own = await shopWith();
  await put("subscriptions", [subscriptionOf(own.of, own.profileId, { number: 5000 })]);
  const [id] = await created(own);
  expect((await shown(own.admin, id!)).number).toBe("5001");
});

describe("a creation that others overtake between its reading and its writing", () => {
  const overtaken = async (own: Shop, values: Body, meanwhile: () => Promise<unknown>) => {
    const DB = interrupted(/^insert into "(payment_methods|subscriptions)"/, { before: once(meanwhile) });
    return deployment({ DB })(own.admin, "POST", path, { body: bodyFor(own, values) });
  };
  const once = (act: () => Promise<unknown>) => {
    let done = false;
    return async () => {
      if (!done) {
        done = true;
        await act();
      }
    };
  };

  test("by another with the same new payment method: both are made, the method is kept once", async () => {
    const own = await shopWith();
    const values = { store_payment_method_id: "pm_raced" };
    const answer = await overtaken(own, values, () => created(own, values));
    expect(answer.status, answer.text).toBe(201);
    const { data } = await listed(own.admin, path);
    expect(data.map(({ number }) => number).sort()).toEqual(["1001", "1002"]);
    const kept = await select("SELECT id FROM payment_methods WHERE account_id = ?", own.of.account.id);
    expect(kept).toHaveLength(1);
  });

  test("by the deletion of its profile: refused", async () => {
    const own = await shopWith();
    const answer = await overtaken(own, {}, () => api(own.admin, "DELETE", `/api/profiles/${own.profileId}`));
    expect(faults(answer)).toEqual([400, "UNKNOWN_PROFILE", "profile_id"]);
  });

  test("by the deletion of its plan: refused, as the plan's deletion would have been", async () => {
    const own = await shopWith();
    const remove = () => api(own.admin, "DELETE", `${path}/selling-plans/${own.planId}`);
    const answer = await overtaken(own, {}, remove);
    expect(faults(answer)).toEqual([400, "UNKNOWN_SELLING_PLAN", "lines.0.selling_plan_id"]);
  });
});
