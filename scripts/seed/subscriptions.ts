import type { Value } from "../../src/base/db/port.ts";
import { demoId, demoReasonLabels } from "../../src/base/demo.ts";
import { readProvinces } from "../../src/base/lib/places/provinces.ts";
import { addDays, dayOfWeek } from "../../src/base/lib/time/calendar.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { serializeAddress } from "../../src/domain/subscriptions/address/address.ts";
import {
  calculateDates,
  type DeliveryRhythm,
  deliveriesPerBilling,
} from "../../src/domain/subscriptions/dates/index.ts";
import type { Discount, Line } from "../../src/domain/subscriptions/lines/amounts.ts";
import { pricedColumns, termsOf } from "../../src/domain/subscriptions/lines/lines.ts";
import { linkedSearchText } from "../../src/domain/subscriptions/list/search.ts";
import { demoAccountSeq } from "./account.ts";
import { demoDays, demoSlotDay } from "./delivery.ts";
import { draw, pick } from "./draw.ts";
import { demoPlans } from "./plans.ts";
import type { Person } from "./profiles.ts";

type Row = Record<string, Value>;

export function statusOf(n: number) {
  return statuses[n % statuses.length] ?? "ACTIVE";
}

export function planOf(n: number) {
  return n % 15 === 0
    ? demoPlans.prepaid
    : pick(n, 21, [demoPlans.weekly, demoPlans.fortnightly, demoPlans.monthly, demoPlans.monthly]);
}

/** Roughly how many weeks lie between two deliveries, for the orders of the past. */
export function weeksOf(n: number): number {
  const { delivery_interval, delivery_interval_count } = planOf(n);
  return delivery_interval === "WEEK" ? delivery_interval_count : 4 * delivery_interval_count;
}

export function subscriptionRow(n: number, around: Around, now: Date): Row {
  const { owner, entity, created_at } = around;
  const status = statusOf(n);
  const plan = planOf(n);
  const entityId = entity?.id ?? null;
  const slot = n % 3 === 0 ? 1 + draw(n, 72, 4) : undefined;
  const rhythm = slot === undefined ? undefined : demoDays[demoSlotDay(slot)];
  const dates = nextDates(n, dateIn(now.toISOString(), timezone), rhythm);
  const isOver = status === "CANCELLED" || status === "EXPIRED";
  const lines = linesOf(n, entityId);
  const discounts = n % 2 === 0 ? [discountOf(n, created_at)] : [];
  const contract = 1_000_000 + n;
  const ended = new Date(Math.min(now.getTime(), Date.parse(created_at) + 300 * dayMs)).toISOString();
  const { address1, city, postal_code, country, country_code, region, first_name, last_name } = owner;
  return {
    id: demoId("subscription", n),
    account_seq,
    revision: 1,
    number: around.number,
    profile_id: owner.id,
    entity_id: entityId,
    entity_label: entity?.name ?? null,
    status,
    currency_code: "USD",
    billing_interval: plan.billing_interval,
    billing_interval_count: plan.billing_interval_count,
    delivery_interval: plan.delivery_interval,
    delivery_interval_count: plan.delivery_interval_count,
    anchor_date: dates.delivery,
    next_index: 0,
    next_billed_index: 0,
    deliveries_per_billing: deliveriesPerBilling(plan),
    schedule_revision: 0,
    activation: 1,
    current_billing_cycle: 2 + draw(n, 73, 10),
    next_billing_date: isOver ? null : dates.billing,
    next_delivery_date: isOver ? null : dates.delivery,
    next_production_date: isOver ? null : dates.production,
    min_cycles: plan.min_cycles,
    max_cycles: plan.max_cycles,
    ...pricedColumns(lines, discounts),
    total_revenue: around.revenue,
    payment_method_id: demoId("payment_method", Number.parseInt(owner.id.slice(-12), 16)),
    delivery_slot_id: slot === undefined ? null : demoId("delivery_slot", slot),
    delivery_address: serializeAddress(provinces, {
      address1,
      city,
      zip: postal_code,
      country,
      country_code,
      province: region,
      first_name,
      last_name,
    }),
    delivery_instructions: n % 5 === 0 ? "Leave it with the neighbour" : null,
    note: n % 7 === 0 ? "Prefers mornings" : null,
    store_contract_id: contract,
    last_order_id: around.lastOrder === undefined ? null : demoId("order", around.lastOrder),
    paused_at: null,
    pause_reason: null,
    pause_reason_id: null,
    cancelled_at: null,
    cancellation_reason: null,
    cancellation_reason_id: null,
    ...endedOf(n, status, ended),
    search_text: linkedSearchText(around.number, contract),
    created_at,
    updated_at: created_at,
  };
}

/** The sandbox store knows the contract too. */
export function contractRow(n: number, { created_at }: Row): Row {
  return {
    contract_id: 1_000_000 + n,
    account_seq,
    subscription_id: demoId("subscription", n),
    created_at: created_at ?? null,
  };
}

const account_seq = demoAccountSeq;
const timezone = "America/New_York";
const provinces = await readProvinces();

const statuses = [
  "ACTIVE",
  "ACTIVE",
  "PAUSED",
  "CANCELLED",
  "ACTIVE",
  "EXPIRED",
  "ACTIVE",
  "PAYMENT_FAILED",
  "ACTIVE",
  "ACTIVE",
] as const;

/** The products of the demo store, by their number less one. */
export const recipes = [
  "Beef and carrot",
  "Chicken and rice",
  "Salmon and peas",
  "Turkey and squash",
  "Lamb and mint",
];

/** The lines of a subscription, and of each order that it has made. */
export function linesOf(n: number, entityId: string | null): Line[] {
  return [lineOf(n, 0, entityId, n % 8 === 0), ...(n % 2 === 1 ? [lineOf(n, 1, entityId, false)] : [])];
}

function lineOf(n: number, nth: number, entityId: string | null, isBundle: boolean): Line {
  const recipe = draw(n, 50 + nth, recipes.length);
  const plan = { ...planOf(n), account_seq, created_at: "", updated_at: "" };
  return {
    id: demoId("subscription_line", nth * 1_000_000_000 + n),
    store_product_id: `product-${recipe + 1}`,
    store_variant_id: `variant-${recipe + 1}-large`,
    subscription_variant_id: null,
    product_title: isBundle ? "Tasting box" : `${recipes[recipe]}, 1.5 kg`,
    variant_title: "Large",
    sku: `FOOD-${recipe + 1}-L`,
    entity_id: entityId,
    price: 1995 + recipe * 500,
    quantity: 1 + draw(n, 60 + nth, 3),
    selection_items: isBundle
      ? recipes.slice(0, 3).map((title, index) => ({
          slot_id: `slot-${index + 1}`,
          store_product_id: `product-${index + 1}`,
          store_variant_id: `variant-${index + 1}-small`,
          product_title: title,
          variant_title: "Small",
          quantity: 2,
          price: 665,
        }))
      : null,
    is_one_time: false,
    ...termsOf(plan),
  };
}

function discountOf(n: number, at: string): Discount {
  return {
    id: demoId("subscription_discount", n),
    status: "ACTIVE",
    discount_code: n % 4 === 0 ? "WELCOME10" : null,
    title: "Welcome",
    reduction: { type: "PERCENTAGE", value: 1000 },
    store_discount_id: `discount-${n}`,
    target_type: n % 6 === 0 ? "SHIPPING_LINE" : "ORDER",
    recurring_cycle_limit: 6,
    cycles_used: 1,
    applied_at: at,
    exhausted_at: null,
    removed_at: null,
    created_at: at,
    updated_at: at,
  };
}

/** The next delivery: some days ahead, on the slot's day if there is a slot, and billed tomorrow at the earliest. */
function nextDates(n: number, today: string, rhythm: DeliveryRhythm | undefined) {
  const earliest = addDays(today, 9 + draw(n, 70, weeksOf(n) * 7));
  const delivery = rhythm ? addDays(earliest, (rhythm.day_of_week - dayOfWeek(earliest) + 7) % 7) : earliest;
  return calculateDates(delivery, rhythm, addDays(today, 1));
}

function endedOf(n: number, status: string, at: string): Row {
  const label = (kind: "pause" | "cancellation") => demoReasonLabels[kind][draw(n, 71, 4)] ?? null;
  if (status === "PAUSED")
    return {
      paused_at: at,
      pause_reason: label("pause"),
      pause_reason_id: demoId("pause_reason", 1 + draw(n, 71, 4)),
    };
  if (status !== "CANCELLED") return {};
  const cancellation_reason_id = demoId("cancellation_reason", 1 + draw(n, 71, 4));
  return { cancelled_at: at, cancellation_reason: label("cancellation"), cancellation_reason_id };
}

/** The facts about a subscription that other parts of the seed have decided. */
type Around = {
  number: number;
  owner: Person;
  entity: { id: string; name: string } | undefined;
  created_at: string;
  lastOrder: number | undefined;
  revenue: number;
};
