/** The snapshot of a charge holds all that is charged and ordered, and its key says what the attempt is for. */
import { expect, test } from "vitest";
import { calendarIn } from "../../../test/support/slots.ts";
import type { SlotWithDay } from "../delivery/queries.ts";
import type { PaymentMethod } from "../payment-methods/tables.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { plannedDelivery, snapshotCharge, snapshotOf, withoutUsual } from "./snapshot.ts";
import { deriveStoreKey } from "./store-key.ts";

const today = "2026-11-20";
/** A slot on Fridays, packed on Wednesdays. */
const fridays = {
  id: "slot",
  day: { day_of_week: 5, packing_day_of_week: 3, billing_day_of_week: 1, courier_lead_time_days: 1 },
} as SlotWithDay;

function planned(next_delivery_date: string | null, next_production_date: string | null = null) {
  return {
    next_delivery_date,
    next_production_date,
    delivery_slot_id: null,
  };
}

test.each<[string, ReturnType<typeof planned>, SlotWithDay | undefined, string, string | null]>([
  ["as planned", planned("2026-11-25"), undefined, "2026-11-25", null],
  ["as planned for today", planned(today), undefined, today, null],
  [
    "with the production that was planned",
    planned("2026-11-27", "2026-11-24"),
    fridays,
    "2026-11-27",
    "2026-11-24",
  ],
  ["today, where its day has passed", planned("2026-11-19"), undefined, today, null],
  [
    "on the slot's earliest, where its day has passed",
    planned("2026-11-13", "2026-11-11"),
    fridays,
    "2026-11-27",
    "2026-11-25",
  ],
  ["at the earliest, where nothing is planned", planned(null), undefined, today, null],
])("a delivery is made %s", (_, row, slot, delivery_date, production_date) => {
  expect(plannedDelivery(row, calendarIn(slot, today))).toEqual({
    delivery_date,
    production_date,
    delivery_slot_id: null,
    isOffSchedule: false,
  });
});

const row = {
  store_contract_id: 7,
  lines: '[{"id":"line"}]',
  discounts: '[{"id":"discount"}]',
  subtotal: 1000,
  discount_amount: 100,
  shipping_amount: 300,
  tax_amount: 20,
  total: 1220,
  deliveries_per_billing: 3,
} as Subscription & { store_contract_id: number };
const method = { id: "method", store_payment_method_id: "pm_success" } as PaymentMethod;
const delivery = { delivery_date: today, production_date: null, delivery_slot_id: null, isOffSchedule: true };

test("all that is charged and ordered is frozen, and read again as it was", () => {
  const snapshot = snapshotCharge(row, method, delivery, today);
  expect(snapshot).toEqual({
    ...delivery,
    billing_date: today,
    deliveries: 3,
    payment_method_id: "method",
    store_payment_method_id: "pm_success",
    store_contract_id: 7,
    lines: [{ id: "line" }],
    discounts: [{ id: "discount" }],
    subtotal: 1000,
    discount_amount: 100,
    shipping_amount: 300,
    tax_amount: 20,
  });
  expect(snapshotOf({ snapshot: JSON.stringify(snapshot) })).toEqual(snapshot);
});

test("what most charges have is not stored, and read all the same", () => {
  const usual = { ...delivery, isOffSchedule: false };
  const snapshot = snapshotCharge({ ...row, deliveries_per_billing: 1 }, undefined, usual, today);
  const { delivery_date, billing_date, store_contract_id, ...more } = withoutUsual(snapshot);
  expect({ delivery_date, billing_date, store_contract_id }).toEqual({
    delivery_date: today,
    billing_date: today,
    store_contract_id: 7,
  });
  const goods = ["lines", "discounts", "subtotal", "discount_amount", "shipping_amount", "tax_amount"];
  expect(Object.keys(more).toSorted()).toEqual(goods.toSorted());
  expect(snapshotOf({ snapshot: JSON.stringify(withoutUsual(snapshot)) })).toEqual(snapshot);
});

test("without a payment method there is none in it", () => {
  expect(snapshotCharge(row, undefined, delivery, today)).toMatchObject({
    payment_method_id: null,
    store_payment_method_id: null,
  });
});

test("a key is made of what the attempt is at, each part of it, and of nothing else", async () => {
  const attempt = { account_id: "a", subscription_id: "s", activation: 1, cycle: 1, attempt_number: 1 };
  const key = await deriveStoreKey(attempt);
  expect(key).toMatch(/^[0-9a-f]{40}$/);
  expect(
    await deriveStoreKey({ ...attempt, id: "other", amount: 5, status: "FAILED" } as typeof attempt),
  ).toBe(key);
  const others = [
    { account_id: "b" },
    { subscription_id: "t" },
    { activation: 2 },
    { cycle: 2 },
    { attempt_number: 2 },
    { activation: 11, cycle: 1 },
    { activation: 1, cycle: 11 },
  ];
  const keys = await Promise.all(others.map((part) => deriveStoreKey({ ...attempt, ...part })));
  expect(new Set([key, ...keys]).size).toBe(others.length + 1);
});
