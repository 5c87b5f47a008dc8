/** A subscription says what may be done to it and how it stands, to those who may read it. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import type { Discount } from "../../../src/domain/subscriptions/lines/amounts.ts";
import { pricedColumns } from "../../../src/domain/subscriptions/lines/lines.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { faults, listed, type Merchant, openMerchant, type SubscriptionRow } from "../../support/records.ts";
import { discountWith, lineWith, storeAndRead } from "../../support/stored-subscriptions.ts";
import { bodyFor, created, inDays, openSeller, path, placed, shown } from "../../support/subscriptions.ts";
import { bearer, token } from "../../support/tenant.ts";
import { useMerchant, useShop } from "../../support/use-account.ts";

type Body = Record<string, unknown>;
const now = "2026-01-01T00:00:00.000Z";

const merchant = useMerchant();

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
    ["PAUSED", null, ["can_cancel", "can_pause", "can_resume"]],
    ["CANCELLED", null, ["can_reactivate"]],
    ["EXPIRED", null, ["can_reactivate"]],
    ["PAYMENT_FAILED", null, ["can_cancel", "can_retry_payment"]],
  ] as const)("%s, dunning episode %s", async (status, dunning_episode_id, expected) => {
    const { single, item } = await storeAndRead(merchant, { status, dunning_episode_id });
    for (const one of [single, item])
      expect(all.filter((flag) => one[flag])).toEqual(
        all.filter((flag) => (expected as readonly string[]).includes(flag)),
      );
  });
});

describe("payment_reminder_status", () => {
  const statusOf = async (as: Merchant, values: Partial<SubscriptionRow>) => {
    const { single, item } = await storeAndRead(as, values);
    expect(item.payment_reminder_status).toBe(single.payment_reminder_status);
    return single.payment_reminder_status;
  };
  /** On the last of the three days before its billing, unless told. */
  const soon = (values: Partial<SubscriptionRow> = {}) => ({ next_billing_date: inDays(3), ...values });

  /** A reminder of this billing date that an endpoint has accepted. */
  const accepted = (date: string): Partial<SubscriptionRow> => ({
    last_payment_reminder_sent_at: "2026-01-01T00:00:00.000Z",
    last_payment_reminder_billing_date: date,
  });

  test.each<[string, string, () => Partial<SubscriptionRow>]>([
    ["three days before the billing", "DUE", soon],
    ["the day before", "DUE", () => soon({ next_billing_date: inDays(1) })],
    ["four days before", "NONE", () => soon({ next_billing_date: inDays(4) })],
    ["on its day", "NONE", () => soon({ next_billing_date: inDays(0) })],
    ["after it", "NONE", () => soon({ next_billing_date: inDays(-1) })],
    ["without a date", "NONE", () => soon({ next_billing_date: null })],
    ["after the reminder of this date was accepted", "SENT", () => soon(accepted(inDays(3)))],
    [
      "after it was recorded, and not accepted yet",
      "DUE",
      () => soon({ last_payment_reminder_billing_date: inDays(3) }),
    ],
    ["after the reminder of another date was accepted", "DUE", () => soon(accepted(inDays(-27)))],
    ["in dunning", "NONE", () => soon({ dunning_episode_id: newId() })],
    ["paused", "NONE", () => soon({ status: "PAUSED" })],
    [
      "paused after the reminder was accepted",
      "NONE",
      () => soon({ status: "PAUSED", ...accepted(inDays(3)) }),
    ],
    ["not paid", "NONE", () => soon({ status: "PAYMENT_FAILED" })],
  ])("%s: %s", async (_, expected, values) => {
    expect(await statusOf(merchant, values())).toBe(expected);
  });

  test("as many days before as the account says", async () => {
    const shop = await openMerchant();
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
      await openMerchant({ timezone: "Pacific/Kiritimati" }),
      await openMerchant({ timezone: "Pacific/Pago_Pago" }),
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
    const { single, item } = await storeAndRead(merchant, { billing_interval, billing_interval_count });
    for (const one of [single, item])
      expect(one).toMatchObject({ billing_interval, billing_interval_count, frequency_label });
  });

  test.each([
    ["JPY", 1000, 1000, 875],
    ["USD", 1000, 10, 8.75],
    ["KWD", 1000, 1, 0.875],
  ])("money in %s", async (currency_code, price, major, total) => {
    const shop = await openMerchant({ currency: currency_code });
    const { single, item } = await storeAndRead(shop, pricedColumns([lineWith({ price })], [discountWith()]));
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
    const { single, item } = await storeAndRead(
      merchant,
      pricedColumns([lineWith()], [discountWith(values)]),
    );
    expect(single.discounts).toEqual([expect.objectContaining(expected)]);
    expect(item.discounts).toEqual(single.discounts);
  });

  test.each([
    ["ACTIVE", true],
    ["EXHAUSTED", false],
    ["REMOVED", false],
  ] as const)("has_shipping_discount: one that is %s", async (status, expected) => {
    const { single } = await storeAndRead(
      merchant,
      pricedColumns(
        [lineWith({ plan_shipping: 500 })],
        [discountWith({ status, target_type: "SHIPPING_LINE" })],
      ),
    );
    expect(single.has_shipping_discount).toBe(expected);
    expect(single.discount_amount).toBe(expected ? 0.63 : 0);
  });
});

describe("delivery_slot_valid", () => {
  const shop = useShop();
  let place: { day: string; slot: string };
  let id: string;
  beforeAll(async () => {
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
  const shop = await openSeller();
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
    expect(faults(await api(merchant.admin, "GET", `${path}/${id}`))).toEqual([404, "NOT_FOUND"]);
  });

  test("another account's is 404; another customer's too", async () => {
    const { row, profile } = await storeAndRead(merchant);
    const stranger = await openMerchant();
    expect((await api(stranger.admin, "GET", `${path}/${row.id}`)).status).toBe(404);
    const { profile: neighbour } = await storeAndRead(merchant);
    const as = async (profile_id: string) =>
      bearer(await token(merchant.of, { actor_type: "customer", profile_id }));
    expect((await api(await as(profile.id), "GET", `${path}/${row.id}`)).status).toBe(200);
    expect((await api(await as(neighbour.id), "GET", `${path}/${row.id}`)).status).toBe(404);
  });
});

describe("payment-method", () => {
  test("the current one, and the profile's others that are not revoked, the default first", async () => {
    const shop = await openSeller();
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
      "UPDATE payment_methods SET status = 'REVOKED' WHERE store_payment_method_id = 'pm_b' AND account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
    await execute(
      "UPDATE payment_methods SET is_default = 1 WHERE store_payment_method_id = 'pm_a' AND account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
    const { current, alternatives } = (await api(shop.admin, "GET", `${path}/${id}/payment-method`)).body
      .data;
    expect(current.store_payment_method_id).toBe("pm_expired_card");
    expect(alternatives.map((one: Body) => one.store_payment_method_id)).toEqual(["pm_a", "pm_c"]);
    expect(
      await select(
        "SELECT COUNT(*) AS n FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        shop.of.account.id,
      ),
    ).toEqual([{ n: 4 }]);
  });

  test("none: null", async () => {
    const { row } = await storeAndRead(merchant);
    expect((await api(merchant.admin, "GET", `${path}/${row.id}/payment-method`)).body).toEqual({
      data: { current: null, alternatives: [] },
    });
  });
});
