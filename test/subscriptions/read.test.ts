import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { Discount, Line } from "../../src/subscriptions/amounts.ts";
import { pricedColumns } from "../../src/subscriptions/lines.ts";
import { api } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import {
  dayOf,
  entityOf,
  faults,
  listed,
  type Merchant,
  merchant,
  orderOf,
  profileOf,
  put,
  type SubscriptionRow,
  slotOf,
  subscriptionOf,
} from "../support/records.ts";
import {
  bodyFor,
  created,
  inDays,
  path,
  placed,
  type Shop,
  shopWith,
  shown,
} from "../support/subscriptions.ts";
import { bearer, token } from "../support/tenant.ts";

type Body = Record<string, unknown>;
const now = "2026-01-01T00:00:00.000Z";

/** The fields of a subscription: those of both representations. */
const inBoth = [
  "number",
  "id",
  "status",
  "is_active",
  "account_id",
  "profile_id",
  "currency_code",
  "subtotal",
  "discount_amount",
  "total",
  "billing_interval",
  "billing_interval_count",
  "delivery_slot_valid",
  "current_billing_cycle",
  "can_cancel",
  "can_pause",
  "can_resume",
  "can_reactivate",
  "can_retry_payment",
  "is_in_dunning",
  "frequency_label",
  "payment_reminder_status",
  "store_contract_id",
  "store_sync_error",
  "billing_blocked_reason",
  "next_billing_date",
  "next_delivery_date",
  "next_production_date",
  "cancelled_at",
  "paused_at",
  "cancellation_reason",
  "cancellation_reason_id",
  "pause_reason",
  "pause_reason_id",
  "payment_method_brand",
  "payment_method_last4",
  "delivery_slot_id",
  "delivery_instructions",
  "delivery_address",
  "store_origin_order_id",
  "migration_source_ref",
  "note",
  "custom_attributes",
  "payment_day_of_week",
  "last_payment_reminder_sent_at",
  "last_payment_reminder_billing_date",
  "discounts",
  "last_order",
  "entity_label",
  "current_dunning_episode",
  "profile",
  "delivery_day",
  "delivery_slot",
  "entities",
  "created_at",
  "updated_at",
];
const onlySingle = [
  "shipping_amount",
  "tax_amount",
  "lines",
  "delivery_interval",
  "delivery_interval_count",
  "has_shipping_discount",
  "total_revenue",
];
const discountFields = [
  "id",
  "status",
  "is_active",
  "discount_code",
  "title",
  "value",
  "store_discount_id",
  "currency_code",
  "target_type",
  "value_type",
  "recurring_cycle_limit",
  "applied_at",
  "exhausted_at",
  "removed_at",
  "is_shipping_discount",
  "discount_label",
  "created_at",
  "updated_at",
];
const keys = (value: unknown): string[] => Object.keys(value as Body).sort();

const line = (values: Partial<Line> = {}): Line => ({
  id: newId(),
  store_product_id: "p",
  store_variant_id: "v",
  subscription_variant_id: null,
  product_title: "Kibble",
  variant_title: null,
  sku: null,
  selling_plan_id: "plan",
  selling_plan_name: "Plan",
  entity_id: null,
  price: 1000,
  quantity: 1,
  selection_items: null,
  is_one_time: false,
  plan_shipping: 0,
  plan_discount: null,
  ...values,
});
const discount = (values: Partial<Discount> = {}): Discount => ({
  id: newId(),
  status: "ACTIVE",
  discount_code: null,
  title: "Thanks",
  reduction: { type: "PERCENTAGE", value: 1250 },
  store_discount_id: "sd",
  target_type: "ORDER",
  recurring_cycle_limit: null,
  cycles_used: 0,
  applied_at: now,
  exhausted_at: null,
  removed_at: null,
  created_at: now,
  updated_at: now,
  ...values,
});

/** A subscription in the database, of a customer of its own, and how to read it both ways. */
const kept = async (as: Merchant, values: Partial<SubscriptionRow> = {}) => {
  const profile = profileOf(as.of, { first_name: "Ada" });
  const row = subscriptionOf(as.of, profile.id, values);
  await put("profiles", [profile]);
  await put("subscriptions", [row]);
  return { profile, row, ...(await bothOf(as, row.id, profile.id)) };
};
// biome-ignore lint/suspicious/noExplicitAny: what the API answers
const bothOf = async (as: Merchant, id: string, profile_id: string): Promise<{ single: any; item: any }> => ({
  single: await shown(as.admin, id),
  item: (await listed(as.admin, path, { profile_id })).data[0],
});

let own: Merchant;
beforeAll(async () => {
  own = await merchant();
});

describe("the documented fields, exactly", () => {
  test("with all that a subscription can refer to", async () => {
    const profile = profileOf(own.of, { first_name: "Ada" });
    const [entity, day] = [
      entityOf(own.of, profile.id, { name: "Rex" }),
      { ...dayOf(own.of), packing_day_of_week: 3 },
    ];
    const slot = slotOf(own.of, day.id);
    const order = orderOf(own.of, { profile_id: profile.id, total: 4250 });
    const method = {
      id: newId(),
      account_id: own.of.account.id,
      profile_id: profile.id,
      store_payment_method_id: "pm",
      brand: "visa",
      last4: "4242",
      is_default: 1,
      status: "VALID",
      created_at: now,
      updated_at: now,
    };
    const episode = newId();
    const row = subscriptionOf(own.of, profile.id, {
      ...pricedColumns(
        [line({ price: 2125, quantity: 2, entity_id: entity.id })],
        [discount({ target_type: "SHIPPING_LINE" }), discount()],
      ),
      entity_id: entity.id,
      entity_label: "Rex, then",
      next_billing_date: "2035-02-01",
      next_delivery_date: "2035-02-01",
      next_production_date: "2035-01-31",
      delivery_slot_id: slot.id,
      payment_method_id: method.id,
      last_order_id: order.id,
      dunning_episode_id: episode,
      store_contract_id: 77,
      store_sync_error: null,
      billing_blocked_reason: null,
      store_origin_order_id: "gid://1",
      migration_source_ref: "old-1",
      note: "n",
      custom_attributes: '{"a":[1]}',
      delivery_instructions: "Ring",
      delivery_address: '{"address1":"1","city":"C","zip":"1","country":"X","country_code":"XX"}',
      last_payment_reminder_sent_at: now,
      last_payment_reminder_billing_date: "2035-02-01",
      pause_reason: "p",
      pause_reason_id: "pr",
      cancellation_reason: "c",
      cancellation_reason_id: "cr",
      cancelled_at: now,
      paused_at: now,
      total_revenue: 123_456,
    });
    await put("profiles", [profile]);
    await put("entities", [entity]);
    await put("delivery_days", [day]);
    await put("delivery_slots", [slot]);
    await put("orders", [order]);
    await put("payment_methods", [method]);
    await put("subscriptions", [row]);

    const { single, item } = await bothOf(own, row.id, profile.id);
    expect(keys(single)).toEqual([...inBoth, ...onlySingle].sort());
    expect(keys(item)).toEqual([...inBoth, "entity"].sort());
    for (const one of [...single.discounts, ...item.discounts])
      expect(keys(one)).toEqual([...discountFields].sort());

    const shownProfile = (await api(own.admin, "GET", `/api/profiles/${profile.id}`)).body.data;
    const shownEntity = (await api(own.admin, "GET", `${path}/entities/${entity.id}`)).body.data;
    const common = {
      id: row.id,
      number: String(row.number),
      account_id: own.of.account.id,
      profile_id: profile.id,
      entity_label: "Rex, then",
      entities: [shownEntity],
      profile: shownProfile,
      delivery_day: (await api(own.admin, "GET", `${path}/delivery-days/${day.id}`)).body.data,
      delivery_slot: (await api(own.admin, "GET", `${path}/delivery-slots/${slot.id}`)).body.data,
      delivery_slot_id: slot.id,
      delivery_slot_valid: true,
      payment_method_brand: "visa",
      payment_method_last4: "4242",
      payment_day_of_week: 4,
      payment_reminder_status: "SENT",
      last_payment_reminder_sent_at: now,
      last_payment_reminder_billing_date: "2035-02-01",
      current_dunning_episode: episode,
      is_in_dunning: true,
      store_contract_id: 77,
      store_sync_error: null,
      billing_blocked_reason: null,
      store_origin_order_id: "gid://1",
      migration_source_ref: "old-1",
      note: "n",
      custom_attributes: { a: [1] },
      delivery_instructions: "Ring",
      delivery_address: { address1: "1", city: "C", zip: "1", country: "X", country_code: "XX" },
      pause_reason: "p",
      pause_reason_id: "pr",
      paused_at: now,
      cancellation_reason: "c",
      cancellation_reason_id: "cr",
      cancelled_at: now,
      next_billing_date: "2035-02-01",
      next_delivery_date: "2035-02-01",
      next_production_date: "2035-01-31",
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
    expect(single).toMatchObject({
      ...common,
      last_order: order.id,
      total_revenue: 1234.56,
      has_shipping_discount: true,
    });
    expect(item).toMatchObject({ ...common, entity: shownEntity });
    const {
      profile: _p,
      subscriptions: _s,
      delivery_slot: _d,
      ...plainOrder
    } = (await api(own.admin, "GET", `${path}/orders/${order.id}`)).body.data;
    expect(item.last_order).toEqual(plainOrder);
  });

  test("with nothing to refer to: the same fields, null or empty", async () => {
    const { single, item } = await kept(own);
    expect(keys(single)).toEqual([...inBoth, ...onlySingle].sort());
    expect(keys(item)).toEqual([...inBoth].sort());
    for (const one of [single, item])
      expect(one).toMatchObject({
        last_order: null,
        entities: [],
        entity_label: null,
        delivery_day: null,
        delivery_slot: null,
        delivery_address: null,
        payment_method_brand: null,
        payment_method_last4: null,
        payment_day_of_week: null,
        last_payment_reminder_sent_at: null,
        last_payment_reminder_billing_date: null,
        custom_attributes: null,
        store_contract_id: null,
        store_sync_error: null,
        billing_blocked_reason: null,
        current_dunning_episode: null,
        discounts: [],
        delivery_slot_valid: true,
      });
  });

  test("a created one, whole", async () => {
    const shop = await shopWith();
    const [id] = await created(shop, {
      lines: (bodyFor(shop).lines as Body[]).map((one) => ({ ...one, price: 12.5 })),
    });
    const subscription = await shown(shop.admin, id!);
    const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(subscription).toEqual({
      id,
      number: "1001",
      status: "ACTIVE",
      is_active: true,
      account_id: shop.of.account.id,
      profile_id: shop.profileId,
      currency_code: "USD",
      subtotal: 12.5,
      discount_amount: 0,
      shipping_amount: 0,
      tax_amount: 0,
      total: 12.5,
      total_revenue: 0,
      billing_interval: "MONTH",
      billing_interval_count: 1,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
      delivery_slot_valid: true,
      current_billing_cycle: 1,
      can_cancel: true,
      can_pause: true,
      can_resume: false,
      can_reactivate: false,
      can_retry_payment: false,
      is_in_dunning: false,
      frequency_label: "Every month",
      has_shipping_discount: false,
      payment_reminder_status: "NONE",
      store_contract_id: null,
      store_sync_error: null,
      billing_blocked_reason: null,
      next_billing_date: "2035-01-31",
      next_delivery_date: "2035-01-31",
      next_production_date: null,
      cancelled_at: null,
      paused_at: null,
      cancellation_reason: null,
      cancellation_reason_id: null,
      pause_reason: null,
      pause_reason_id: null,
      payment_method_brand: "visa",
      payment_method_last4: "4242",
      delivery_slot_id: null,
      delivery_instructions: null,
      delivery_address: null,
      store_origin_order_id: null,
      migration_source_ref: null,
      note: null,
      custom_attributes: null,
      payment_day_of_week: 3,
      last_payment_reminder_sent_at: null,
      last_payment_reminder_billing_date: null,
      discounts: [],
      last_order: null,
      entity_label: null,
      current_dunning_episode: null,
      profile: (await api(shop.admin, "GET", `/api/profiles/${shop.profileId}`)).body.data,
      delivery_day: null,
      delivery_slot: null,
      entities: [],
      created_at: stamp,
      updated_at: stamp,
      lines: [
        {
          id: expect.any(String),
          store_product_id: "product-1",
          store_variant_id: "variant-1",
          product_title: "Kibble",
          variant_title: null,
          sku: null,
          subscription_variant_id: null,
          selling_plan_id: shop.planId,
          selling_plan_name: "Monthly",
          entity_id: null,
          price: 12.5,
          quantity: 1,
          selection_items: null,
          is_one_time: false,
          line_total: 12.5,
          discount_amount: 0,
        },
      ],
    });
  });
});

describe("flags say which operations apply", () => {
  const all = [
    "can_cancel",
    "can_pause",
    "can_resume",
    "can_reactivate",
    "can_retry_payment",
    "is_in_dunning",
    "is_active",
  ];
  test.each([
    ["ACTIVE", null, ["can_cancel", "can_pause", "is_active"]],
    ["ACTIVE", "e1", ["can_cancel", "can_pause", "can_retry_payment", "is_in_dunning", "is_active"]],
    ["PAUSED", null, ["can_cancel", "can_resume"]],
    ["CANCELLED", null, ["can_reactivate"]],
    ["EXPIRED", null, ["can_reactivate"]],
    ["PAYMENT_FAILED", null, ["can_cancel", "can_retry_payment"]],
  ] as const)("%s, dunning episode %s", async (status, dunning_episode_id, expected) => {
    const { single, item } = await kept(own, { status, dunning_episode_id });
    for (const one of [single, item])
      expect(all.filter((flag) => one[flag])).toEqual(
        all.filter((flag) => (expected as readonly string[]).includes(flag)),
      );
  });
});

describe("payment_reminder_status", () => {
  const statusOf = async (as: Merchant, values: Partial<SubscriptionRow>) => {
    const { single, item } = await kept(as, values);
    expect(item.payment_reminder_status).toBe(single.payment_reminder_status);
    return single.payment_reminder_status;
  };
  /** On the last of the three days before its billing, unless told. */
  const soon = (values: Partial<SubscriptionRow> = {}) => ({ next_billing_date: inDays(3), ...values });

  test.each<[string, string, () => Partial<SubscriptionRow>]>([
    ["three days before the billing", "DUE", soon],
    ["the day before", "DUE", () => soon({ next_billing_date: inDays(1) })],
    ["four days before", "NONE", () => soon({ next_billing_date: inDays(4) })],
    ["on its day", "NONE", () => soon({ next_billing_date: inDays(0) })],
    ["after it", "NONE", () => soon({ next_billing_date: inDays(-1) })],
    ["without a date", "NONE", () => soon({ next_billing_date: null })],
    ["once told of this date", "SENT", () => soon({ last_payment_reminder_billing_date: inDays(3) })],
    ["told of another date", "DUE", () => soon({ last_payment_reminder_billing_date: inDays(-27) })],
    ["in dunning", "NONE", () => soon({ dunning_episode_id: newId() })],
    ["paused", "NONE", () => soon({ status: "PAUSED" })],
    [
      "paused after it was told",
      "NONE",
      () => soon({ status: "PAUSED", last_payment_reminder_billing_date: inDays(3) }),
    ],
    ["not paid", "NONE", () => soon({ status: "PAYMENT_FAILED" })],
  ])("%s: %s", async (_, expected, values) => {
    expect(await statusOf(own, values())).toBe(expected);
  });

  test("as many days before as the account says", async () => {
    const shop = await merchant();
    const say = (payment_reminder_days_before: number | null) =>
      api(shop.of, "PUT", "/api/account", { body: { payment_reminder_days_before } });
    expect((await say(5)).status).toBe(200);
    expect(await statusOf(shop, { next_billing_date: inDays(5) })).toBe("DUE");
    expect(await statusOf(shop, { next_billing_date: inDays(6) })).toBe("NONE");
    await say(null);
    expect(await statusOf(shop, { next_billing_date: inDays(1) })).toBe("NONE");
  });

  test("days are the account's: it is tomorrow in Kiritimati first", async () => {
    const [first, last] = [
      await merchant({ timezone: "Pacific/Kiritimati" }),
      await merchant({ timezone: "Pacific/Pago_Pago" }),
    ];
    const next_billing_date = inDays(14 / 24 + 3);
    expect(await statusOf(first, { next_billing_date })).toBe("DUE");
    expect(await statusOf(last, { next_billing_date })).toBe("NONE");
  });
});

describe("labels, money and discounts", () => {
  test.each([
    ["DAY", 1, "Every day"],
    ["WEEK", 1, "Every week"],
    ["WEEK", 2, "Every 2 weeks"],
    ["MONTH", 24, "Every 24 months"],
    ["YEAR", 1, "Every year"],
  ] as const)("%s x %i: %s", async (billing_interval, billing_interval_count, frequency_label) => {
    const { single, item } = await kept(own, { billing_interval, billing_interval_count });
    for (const one of [single, item])
      expect(one).toMatchObject({ billing_interval, billing_interval_count, frequency_label });
  });

  test.each([
    ["JPY", 1000, 1000, 875],
    ["USD", 1000, 10, 8.75],
    ["KWD", 1000, 1, 0.875],
  ])("money in %s", async (currency_code, price, major, total) => {
    const shop = await merchant({ currency: currency_code });
    const { single, item } = await kept(shop, pricedColumns([line({ price })], [discount()]));
    for (const one of [single, item]) expect(one).toMatchObject({ currency_code, subtotal: major, total });
    expect(single.lines[0]).toMatchObject({ price: major, line_total: major, discount_amount: 0 });
  });

  test.each([
    [
      {},
      {
        value: 12.5,
        value_type: "PERCENTAGE",
        currency_code: null,
        discount_label: "12.5% off",
        is_active: true,
        is_shipping_discount: false,
      },
    ],
    [
      {
        reduction: { type: "FIXED_AMOUNT", value: 1250 },
        target_type: "LINE_ITEM",
        discount_code: "X",
        recurring_cycle_limit: 3,
      },
      {
        value: 12.5,
        value_type: "FIXED_AMOUNT",
        currency_code: "USD",
        discount_label: "12.5 USD off",
        target_type: "LINE_ITEM",
        discount_code: "X",
        recurring_cycle_limit: 3,
      },
    ],
    [{ target_type: "SHIPPING_LINE" }, { is_shipping_discount: true, target_type: "SHIPPING_LINE" }],
    [
      { status: "EXHAUSTED", exhausted_at: now },
      { status: "EXHAUSTED", is_active: false, exhausted_at: now, removed_at: null },
    ],
    [
      { status: "REMOVED", removed_at: now },
      { status: "REMOVED", is_active: false, removed_at: now },
    ],
  ] as [Partial<Discount>, Body][])("a discount: %o", async (values, expected) => {
    const { single, item } = await kept(own, pricedColumns([line()], [discount(values)]));
    expect(single.discounts).toEqual([expect.objectContaining(expected)]);
    expect(item.discounts).toEqual(single.discounts);
  });

  test.each([
    ["ACTIVE", true],
    ["EXHAUSTED", false],
    ["REMOVED", false],
  ] as const)("has_shipping_discount: one that is %s", async (status, expected) => {
    const { single } = await kept(
      own,
      pricedColumns([line({ plan_shipping: 500 })], [discount({ status, target_type: "SHIPPING_LINE" })]),
    );
    expect(single.has_shipping_discount).toBe(expected);
    expect(single.discount_amount).toBe(expected ? 0.63 : 0);
  });
});

describe("delivery_slot_valid", () => {
  let shop: Shop;
  let place: { day: string; slot: string };
  let id: string;
  beforeAll(async () => {
    shop = await shopWith();
    place = await placed(shop.admin, { day_of_week: 3 });
    [id] = (await created(shop, { delivery_slot_id: place.slot })) as [string];
  });
  const valid = async () => [
    (await shown(shop.admin, id)).delivery_slot_valid,
    (await listed(shop.admin, path)).data[0]!.delivery_slot_valid,
  ];
  const put_ = (what: "days" | "slots", body: Body) =>
    api(shop.admin, "PUT", `${path}/delivery-${what}/${what === "days" ? place.day : place.slot}`, { body });

  test("while the slot is served and the date is on its day", async () => {
    expect(await valid()).toEqual([true, true]);
    await put_("slots", { is_active: false });
    expect(await valid()).toEqual([false, false]);
    await put_("slots", { is_active: true });
    await put_("days", { is_active: false });
    expect(await valid()).toEqual([false, false]);
    await put_("days", { is_active: true, day_of_week: 4 });
    expect(await valid()).toEqual([false, false]);
    await put_("days", { day_of_week: 3 });
    expect(await valid()).toEqual([true, true]);
  });

  test("not once the slot, or its day, is deleted; the slot is still shown", async () => {
    await api(shop.admin, "DELETE", `${path}/delivery-days/${place.day}`);
    expect(await valid()).toEqual([false, false]);
    expect(await shown(shop.admin, id)).toMatchObject({
      delivery_slot_id: place.slot,
      delivery_slot: { id: place.slot },
      delivery_day: { id: place.day },
    });
  });
});

test("what it refers to is shown as it is now, but the entity's label as it was; also what was deleted", async () => {
  const shop = await shopWith();
  const entity = (
    await api(shop.of, "POST", `${path}/entities`, {
      body: { profile_id: shop.profileId, entity_type: "dog", name: "Rex" },
    })
  ).body.data;
  const [id] = await created(shop, {
    lines: (bodyFor(shop).lines as Body[]).map((one) => ({ ...one, entity_id: entity.id })),
  });
  await api(shop.of, "PUT", `${path}/entities/${entity.id}`, { body: { name: "Max" } });
  await api(shop.of, "DELETE", `${path}/entities/${entity.id}`);
  expect(await shown(shop.admin, id!)).toMatchObject({
    entity_label: "Rex",
    entities: [{ id: entity.id, name: "Max" }],
  });
});

describe("who may read it", () => {
  test.each(["nope", newId(), "%00", "x".repeat(400)])("an unknown id is 404: %s", async (id) => {
    expect(faults(await api(own.admin, "GET", `${path}/${id}`))).toEqual([404, "NOT_FOUND"]);
  });

  test("another account's is 404; another customer's too", async () => {
    const { row, profile } = await kept(own);
    const stranger = await merchant();
    expect((await api(stranger.admin, "GET", `${path}/${row.id}`)).status).toBe(404);
    const { profile: neighbour } = await kept(own);
    const as = async (profile_id: string) =>
      bearer(await token(own.of, { actor_type: "customer", profile_id }));
    expect((await api(await as(profile.id), "GET", `${path}/${row.id}`)).status).toBe(200);
    expect((await api(await as(neighbour.id), "GET", `${path}/${row.id}`)).status).toBe(404);
  });
});

describe("payment-method", () => {
  test("the current one, and the profile's others that are not revoked, the default first", async () => {
    const shop = await shopWith();
    const [id] = await created(shop, { store_payment_method_id: "pm_expired_card" });
    const methods = (await api(shop.admin, "GET", `${path}/${id}/payment-method`)).body;
    expect(methods).toEqual({
      data: {
        current: {
          id: expect.any(String),
          store_payment_method_id: "pm_expired_card",
          brand: "visa",
          last4: "0069",
          exp_month: 1,
          exp_year: 2020,
          is_default: false,
          status: "EXPIRED",
        },
        alternatives: [],
      },
    });
    await created(shop, { store_payment_method_id: "pm_a" });
    await created(shop, { store_payment_method_id: "pm_b" });
    await created(shop, { store_payment_method_id: "pm_c" });
    await execute(
      "UPDATE payment_methods SET status = 'REVOKED' WHERE store_payment_method_id = 'pm_b' AND account_id = ?",
      shop.of.account.id,
    );
    await execute(
      "UPDATE payment_methods SET is_default = 1 WHERE store_payment_method_id = 'pm_a' AND account_id = ?",
      shop.of.account.id,
    );
    const { current, alternatives } = (await api(shop.admin, "GET", `${path}/${id}/payment-method`)).body
      .data;
    expect(current.store_payment_method_id).toBe("pm_expired_card");
    expect(alternatives.map((one: Body) => one.store_payment_method_id)).toEqual(["pm_a", "pm_c"]);
    expect(
      await select("SELECT COUNT(*) AS n FROM payment_methods WHERE account_id = ?", shop.of.account.id),
    ).toEqual([{ n: 4 }]);
  });

  test("none: null", async () => {
    const { row } = await kept(own);
    expect((await api(own.admin, "GET", `${path}/${row.id}/payment-method`)).body).toEqual({
      data: { current: null, alternatives: [] },
    });
  });
});
