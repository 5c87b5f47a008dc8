/** A subscription shows exactly the documented fields, with all or nothing to refer to. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { pricedColumns } from "../../../src/domain/subscriptions/lines/lines.ts";
import { api } from "../../support/client.ts";
import { dayOf, entityOf, orderOf, profileOf, put, slotOf, subscriptionOf } from "../../support/records.ts";
import { discountWith, lineWith, readBoth, storeAndRead } from "../../support/stored-subscriptions.ts";
import { discountFields, inBoth, onlySingle } from "../../support/subscription-fields.ts";
import { bodyFor, created, openSeller, path, shown } from "../../support/subscriptions.ts";
import { useMerchant } from "../../support/use-account.ts";

type Body = Record<string, unknown>;
const now = "2026-01-01T00:00:00.000Z";

function keys(value: unknown): string[] {
  return Object.keys(value as Body).sort();
}

const merchant = useMerchant();

describe("the documented fields, exactly", () => {
  test("with all that a subscription can refer to", async () => {
    const profile = profileOf(merchant.of, { first_name: "Ada" });
    const [entity, day] = [
      entityOf(merchant.of, profile.id, { name: "Rex" }),
      { ...dayOf(merchant.of), packing_day_of_week: 3 },
    ];
    const slot = slotOf(merchant.of, day.id);
    const order = orderOf(merchant.of, { profile_id: profile.id, total: 4250 });
    const method = {
      id: newId(),
      account_id: merchant.of.account.id,
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
    const row = subscriptionOf(merchant.of, profile.id, {
      ...pricedColumns(
        [lineWith({ price: 2125, quantity: 2, entity_id: entity.id })],
        [discountWith({ target_type: "SHIPPING_LINE" }), discountWith()],
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
      cancelled_at: now,
      paused_at: now,
      pause_until: "2035-01-15",
      total_revenue: 123_456,
    });
    await put("profiles", [profile]);
    await put("entities", [entity]);
    await put("delivery_days", [day]);
    await put("delivery_slots", [slot]);
    await put("orders", [order]);
    await put("payment_methods", [method]);
    await put("subscriptions", [row]);

    const { single, item } = await readBoth(merchant, row.id, profile.id);
    expect(keys(single)).toEqual([...inBoth, ...onlySingle].sort());
    expect(keys(item)).toEqual([...inBoth, "entity"].sort());
    for (const one of [...single.discounts, ...item.discounts])
      expect(keys(one)).toEqual([...discountFields].sort());

    const shownProfile = (await api(merchant.admin, "GET", `/api/profiles/${profile.id}`)).body.data;
    const shownEntity = (await api(merchant.admin, "GET", `${path}/entities/${entity.id}`)).body.data;
    const common = {
      id: row.id,
      number: String(row.number),
      account_id: merchant.of.account.id,
      profile_id: profile.id,
      entity_label: "Rex, then",
      entities: [shownEntity],
      profile: shownProfile,
      delivery_day: (await api(merchant.admin, "GET", `${path}/delivery-days/${day.id}`)).body.data,
      delivery_slot: (await api(merchant.admin, "GET", `${path}/delivery-slots/${slot.id}`)).body.data,
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
      pause_until: "2035-01-15",
      cancellation_reason: "c",
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
    // Without the records around it and what is packed, which an order shows only by itself.
    const {
      profile: _p,
      subscriptions: _s,
      delivery_slot: _d,
      lines: _l,
      delivery_address: _a,
      delivery_instructions: _i,
      dispute: _dispute,
      is_prepaid: _prepaid,
      prepaid_delivery: _nth,
      prepaid_deliveries: _of,
      ...plainOrder
    } = (await api(merchant.admin, "GET", `${path}/orders/${order.id}`)).body.data;
    expect(item.last_order).toEqual(plainOrder);
  });

  test("with nothing to refer to: the same fields, null or empty", async () => {
    const { single, item } = await storeAndRead(merchant);
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
    const shop = await openSeller();
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
      min_cycles_remaining: 0,
      can_cancel_from: null,
      next_delivery_cutoff_at: null,
      can_change_next_delivery: true,
      payment_reminder_status: "NONE",
      store_contract_id: null,
      store_sync_error: null,
      billing_blocked_reason: null,
      no_charge_before: null,
      ends_on: null,
      ends_after_cycle: null,
      next_billing_date: "2035-01-31",
      next_delivery_date: "2035-01-31",
      next_production_date: null,
      cancelled_at: null,
      paused_at: null,
      pause_until: null,
      restart_billing_date: null,
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
