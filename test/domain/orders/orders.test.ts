/** An order shows the documented fields, to those alone who may see it. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { ordersPath } from "../../support/named-orders.ts";
import {
  dayOf,
  entityOf,
  faults,
  linkOf,
  listed,
  openMerchant,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
} from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

describe("an order as it is shown", () => {
  const merchant = useMerchant();
  const get = (id: string) => api(merchant.admin, "GET", `${ordersPath}/${id}`);

  test("the documented fields, with the objects it refers to", async () => {
    const profile = profileOf(merchant.of, {
      email: "Ada@customers.test",
      first_name: "Ada",
      last_name: "L",
      city: "London",
      country_code: "GB",
      title: "Dr",
      ip: "192.0.2.1",
    });
    const day = dayOf(merchant.of);
    const slot = slotOf(merchant.of, day.id);
    const entity = entityOf(merchant.of, profile.id);
    const subscription = subscriptionOf(merchant.of, profile.id, {
      entity_id: entity.id,
      entity_label: "Biscuit",
      status: "PAUSED",
      billing_interval: "WEEK",
      billing_interval_count: 2,
    });
    const order = orderOf(merchant.of, {
      status: "PARTIALLY_REFUNDED",
      fulfillment_status: "PARTIALLY_FULFILLED",
      return_status: "RETURNED",
      order_type: "UPSELL",
      is_checkout_order: 1,
      has_subscription: 1,
      store_order_id: "gid://shopify/Order/1",
      store_order_number: "#1001",
      external_order_id: "e1",
      external_order_number: "E-1",
      external_source: "erp",
      profile_id: profile.id,
      delivery_slot_id: slot.id,
      subtotal: 2550,
      discount_amount: 5,
      total: 2545,
      refunded_amount: 100,
      production_date: "2026-01-02",
      billing_date: "2026-01-01",
      delivery_date: "2026-01-03",
      order_created_at: "2025-12-31T23:59:59.999Z",
      tracking_number: "1Z",
      tracking_company: "UPS",
      tracking_url: "https://t.test/1Z",
      billing_attempt_id: newId(),
    });
    await put("profiles", [profile]);
    await put("delivery_days", [day]);
    await put("delivery_slots", [slot]);
    await put("entities", [entity]);
    await put("subscriptions", [subscription]);
    await put("orders", [order]);
    await put("order_subscriptions", [linkOf(merchant.of, order.id, subscription.id)]);

    const { seq, revision, search_text, delivery_slot_id, billing_attempt_id, content_order_id, ...shown } = {
      seq: 0,
      ...order,
    };
    const { body } = await get(order.id);
    const theProfile = (await api(merchant.admin, "GET", `/api/profiles/${profile.id}`)).body.data;
    expect(body).toEqual({
      data: {
        ...shown,
        is_checkout_order: true,
        dispute: null,
        is_prepaid: false,
        has_subscription: undefined,
        subtotal: 25.5,
        discount_amount: 0.05,
        total: 25.45,
        refunded_amount: 1,
        profile: theProfile,
        subscriptions: [
          {
            id: subscription.id,
            number: String(subscription.number),
            status: "PAUSED",
            frequency_label: "Every 2 weeks",
            entity_id: entity.id,
            entity_label: "Biscuit",
          },
        ],
        delivery_slot: {
          id: slot.id,
          delivery_day_id: day.id,
          label: "Morning",
          start_time: "09:00",
          end_time: "12:00",
          is_all_day: false,
          position: 2,
          is_active: true,
          cutoff_days: null,
          cutoff_time: null,
          max_deliveries_per_day: null,
          created_at: slot.created_at,
          updated_at: slot.updated_at,
        },
      },
    });
    expect(theProfile).toMatchObject({ full_name: "Ada L", full_address: "London", country_code: "GB" });
    expect((await listed(merchant.admin, ordersPath, { search: "#1001" })).data).toEqual([body.data]);
  });

  test("with nothing to refer to: nulls, no profile, no slot, no subscriptions", async () => {
    const order = orderOf(merchant.of);
    await put("orders", [order]);
    const { data } = (await get(order.id)).body;
    expect(data).toMatchObject({
      profile_id: null,
      store_order_number: null,
      delivery_date: null,
      subscriptions: [],
      is_checkout_order: false,
    });
    expect([data.profile, data.delivery_slot]).toEqual([undefined, undefined]);
  });

  test("of a deleted profile: still shown, for history", async () => {
    const profile = profileOf(merchant.of, { first_name: "Gone" });
    await put("profiles", [profile]);
    const order = orderOf(merchant.of, { profile_id: profile.id });
    await put("orders", [order]);
    await execute("UPDATE profiles SET deleted_at = created_at WHERE id = ?", profile.id);
    expect((await get(order.id)).body.data.profile).toMatchObject({ id: profile.id, full_name: "Gone" });
  });

  test("of several subscriptions: all are named", async () => {
    const profile = profileOf(merchant.of);
    const subscriptions = [1, 2, 3].map(() => subscriptionOf(merchant.of, profile.id));
    const order = orderOf(merchant.of, { has_subscription: 1 });
    await put("profiles", [profile]);
    await put("subscriptions", subscriptions);
    await put("orders", [order]);
    await put(
      "order_subscriptions",
      subscriptions.map(({ id }) => linkOf(merchant.of, order.id, id)),
    );
    const ids = (await get(order.id)).body.data.subscriptions.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(subscriptions.map(({ id }) => id).sort());
  });

  test.each([
    ["JPY", 1, 1],
    ["JPY", 123_456, 123_456],
    ["USD", 1, 0.01],
    ["USD", 1999, 19.99],
    ["USD", 900_719_925_474_099, 9_007_199_254_740.99],
    ["KWD", 1, 0.001],
    ["KWD", 12_345, 12.345],
    ["EUR", 0, 0],
    ["CLF", 12_345, 1.2345],
  ])("money: JSON numbers in major units, %s %s is %s", async (currency_code, minor, major) => {
    const order = orderOf(merchant.of, {
      currency_code,
      subtotal: minor,
      discount_amount: minor,
      total: minor,
    });
    await put("orders", [order]);
    const answer = await get(order.id);
    expect(answer.body.data).toMatchObject({
      currency_code,
      subtotal: major,
      discount_amount: major,
      total: major,
    });
    expect(answer.text).toContain(`"total":${major}`);
  });

  test.each(["nope", newId(), newId().toUpperCase(), "%00", "x".repeat(400), "..%2f.."])(
    "an unknown id is 404: %s",
    async (id) => {
      expect(faults(await get(id))).toEqual([404, "NOT_FOUND"]);
    },
  );

  test("another account's is 404", async () => {
    const other = await openMerchant();
    const order = orderOf(other.of);
    await put("orders", [order]);
    expect((await get(order.id)).status).toBe(404);
    expect((await api(other.admin, "GET", `${ordersPath}/${order.id}`)).status).toBe(200);
  });

  test.each(["POST", "PUT", "DELETE"])(
    "orders are made by billing and the store: %s is 405",
    async (method) => {
      const { status, headers } = await api(merchant.admin, method, ordersPath);
      expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    },
  );
});
