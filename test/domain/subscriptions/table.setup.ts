import { inDays, itemOf, type Json, type State } from "../../support/shops.ts";

export const stateOrder: State[] = ["ACTIVE", "DUNNING", "PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"];

export function flagsIn(body: Json): string[] {
  return flagNames.filter((name) => body[name]);
}

const changes = "ok ok ok ok 409 409";

/** The table of states, one column for each of `stateOrder`: the new status, `same` (200 without a change or an entry), `ok` (200, the status stays) or 409. */
export const table: [string, string, string][] = [
  ["POST pause", "PAUSED PAUSED ok 409 409 409", "subscription_paused"],
  ["POST resume", "same same ACTIVE 409 409 409", "subscription_resumed"],
  ["POST cancel", "CANCELLED CANCELLED CANCELLED CANCELLED same 409", "subscription_cancelled"],
  ["POST reactivate", "same same 409 409 ACTIVE ACTIVE", "subscription_reactivated"],
  ["POST skip", "ok ok 409 409 409 409", "subscription_skipped"],
  ["POST skip-deliveries", "ok ok 409 409 409 409", "subscription_skipped"],
  ["PUT frequency", changes, "frequency_changed"],
  ["PUT delivery-instructions", changes, "delivery_instructions_updated"],
  ["PUT schedule", changes, "delivery_rescheduled"],
  ["PUT delivery-address", changes, "delivery_address_changed"],
  ["PUT payment-method", changes, "payment_method_changed"],
  ["POST lines", changes, "lines_changed"],
  ["PUT lines/{line}", changes, "lines_changed"],
  ["DELETE lines/{line}", changes, "lines_changed"],
  ["POST discounts", changes, "discount_applied"],
];

/** The operations of the table in each state. */
export const cells = table.flatMap(([operation, row, action]) =>
  row.split(/\s+/).map((outcome, index) => ({ operation, action, state: stateOrder[index]!, outcome })),
);

export const bodies: Record<string, (plan: string) => unknown> = {
  "POST pause": () => ({ reason: "Away" }),
  "POST skip": () => ({ skip_weeks: 1 }),
  "POST skip-deliveries": () => ({ count: 1 }),
  "PUT frequency": () => ({ interval: "DAY", interval_count: 10 }),
  "PUT delivery-instructions": () => ({ delivery_instructions: "Ring twice" }),
  "PUT schedule": () => ({ next_delivery_date: inDays(20) }),
  "PUT delivery-address": () => ({ address1: "2", city: "C", zip: "Z", country: "UK", country_code: "GB" }),
  "PUT payment-method": () => ({ store_payment_method_id: "pm_pending" }),
  "POST lines": (plan) => itemOf(plan),
  "PUT lines/{line}": () => ({ quantity: 3 }),
  "POST discounts": () => ({ title: "T", value: 1, value_type: "FIXED_AMOUNT", target_type: "ORDER" }),
};

export const transitionFlags: Record<string, string> = {
  "POST pause": "can_pause",
  "POST resume": "can_resume",
  "POST cancel": "can_cancel",
  "POST reactivate": "can_reactivate",
};

const flagNames = ["can_pause", "can_resume", "can_cancel", "can_reactivate", "can_retry_payment"];

/** The flags of each state, by the table. */
export const expectedFlags: Record<State, string[]> = {
  ACTIVE: ["can_pause", "can_cancel"],
  DUNNING: ["can_pause", "can_cancel", "can_retry_payment"],
  PAUSED: ["can_pause", "can_resume", "can_cancel"],
  PAYMENT_FAILED: ["can_cancel", "can_retry_payment"],
  CANCELLED: ["can_reactivate"],
  EXPIRED: ["can_reactivate"],
};
