import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { DesiredContract } from "../../stores/port/contracts.ts";
import { desiredContract } from "../contracts/desired-contract.ts";
import type { PaymentMethod } from "../payment-methods/tables.ts";
import { type Calendar, deliveryFrom } from "../subscriptions/dates/index.ts";
import type { Discount, Line } from "../subscriptions/lines/amounts.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { discountsOf, linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { BillingAttempt } from "./tables.ts";

/** When and where an order is delivered. After a delivery off the schedule the next cycle counts from it. */
export type PlannedDelivery = {
  delivery_date: CalendarDate;
  production_date: CalendarDate | null;
  delivery_slot_id: string | null;
  isOffSchedule: boolean;
};

/** The content of an attempt's charge and order, as it was when the attempt started. Amounts are minor units. */
export type ChargeSnapshot = ChargeContent &
  PlannedDelivery & {
    billing_date: CalendarDate;
    /** The number of deliveries that the charge pays for; the first is the order of the charge. */
    deliveries: number;
    payment_method_id: string | null;
    store_payment_method_id: string | null;
    store_contract_id: number;
  };

/** The goods of a charge and their amounts. A renewal of a subscription that stays as it is has the same. */
type ChargeContent = Pick<Subscription, "subtotal" | "discount_amount" | "shipping_amount" | "tax_amount"> & {
  lines: Line[];
  discounts: Discount[];
};

/** The values of most charges, which are not stored. */
const usual = {
  production_date: null,
  delivery_slot_id: null,
  isOffSchedule: false,
  deliveries: 1,
  payment_method_id: null,
  store_payment_method_id: null,
} satisfies Partial<ChargeSnapshot>;

/** The next delivery of the schedule. */
export function plannedDelivery(
  row: Pick<Subscription, "next_delivery_date" | "next_production_date" | "delivery_slot_id">,
  calendar: Calendar,
): PlannedDelivery {
  return {
    ...deliveryFrom(row, calendar),
    delivery_slot_id: row.delivery_slot_id,
    isOffSchedule: false,
  };
}

export function snapshotCharge(
  row: Subscription & { store_contract_id: number },
  method: PaymentMethod | undefined,
  delivery: PlannedDelivery,
  today: CalendarDate,
): ChargeSnapshot {
  return {
    ...delivery,
    billing_date: today,
    deliveries: row.deliveries_per_billing,
    payment_method_id: method?.id ?? null,
    store_payment_method_id: method?.store_payment_method_id ?? null,
    store_contract_id: row.store_contract_id,
    lines: linesOf(row),
    discounts: discountsOf(row),
    subtotal: row.subtotal,
    discount_amount: row.discount_amount,
    shipping_amount: row.shipping_amount,
    tax_amount: row.tax_amount,
  };
}

export function snapshotOf({ snapshot }: Pick<BillingAttempt, "snapshot">): ChargeSnapshot {
  return { ...usual, ...JSON.parse(snapshot) };
}

/** The snapshot's own part in an attempt, without what is as usual. */
export function withoutUsual(own: Partial<ChargeSnapshot>): Partial<ChargeSnapshot> {
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value !== usual[name as keyof typeof usual]),
  );
}

/**
 * The contract that the subscription needs at the store while this is charged. Its payment method is the subscription's of now: the
 * customer may have replaced the one that the attempt began with.
 */
export function desiredContractOf(
  { row, profile, method }: SubscriptionView,
  snapshot: ChargeSnapshot,
  ownMethodIds: string[] | null,
): DesiredContract {
  const { lines, discounts, shipping_amount, tax_amount } = snapshot;
  const billed = {
    ...row,
    status: "ACTIVE" as const,
    lines: JSON.stringify(lines),
    discounts: JSON.stringify(discounts),
    shipping_amount,
    tax_amount,
    next_billing_date: snapshot.billing_date,
  };
  return desiredContract({ row: billed, profile, method, ownMethodIds });
}
