import type { ErrorDetail } from "../../base/errors.ts";
import { isStorable } from "../../base/lib/text.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { todayOf } from "../../kit/days.ts";
import { plainId } from "../../stores/ids.ts";
import type { RemoteMethod } from "../../stores/port/remote-methods.ts";
import { isServed, type SlotWithDay } from "../delivery/queries.ts";
import { calendarOf, restartDateOf } from "../subscriptions/dates/index.ts";
import { importHeld, isBeyondLastCycle, isOver } from "../subscriptions/lifecycle.ts";
import { pricedColumns } from "../subscriptions/lines/lines.ts";
import { emptySubscription, type NewSubscription } from "../subscriptions/new-row.ts";
import { readFields } from "./field-reader.ts";
import type { ImportedLine, ImportField } from "./fields.ts";
import { addressIn } from "./planned/address.ts";
import {
  customerIn,
  entityIn,
  type PlannedCustomer,
  type PlannedEntity,
  remoteIn,
} from "./planned/customer.ts";
import { datesIn, inOpenDays, noChargeBeforeIn } from "./planned/dates.ts";
import { discountsIn } from "./planned/discounts.ts";
import { type MissingPlan, planFor, planWith } from "./planned/plans.ts";
import { shortenedFaults } from "./planned/shortened.ts";
import type { SubscriptionReader, Surroundings } from "./planned/surroundings.ts";
import { cyclesIn, intervalsIn } from "./planned/terms.ts";
import { isWithoutPlan, linesFrom, namedPlan, sharedValues } from "./subscription-lines.ts";

/** The subscription that the rows of a ref become. Its profile, payment method and entity are found when it is written. */
export type PlannedSubscription = {
  row: NewSubscription;
  customer: PlannedCustomer;
  store_payment_method_id: string | null;
  /** The payment method that a provider keeps, in place of one at the store; null for a subscription that has ended. */
  remote: RemoteMethod | null;
  entity: PlannedEntity | undefined;
  /** Minor units; null where the file does not say. */
  expected_total: number | null;
  /** The selling plan that is to be made for it. */
  missing?: MissingPlan | undefined;
};

export type Unplanned = { faults: ErrorDetail[]; missing?: MissingPlan | undefined };

/** Plans the subscription of these rows, or says what is wrong with them. Pure, so that the check and the writing plan the same. */
export function planSubscription(
  ref: string,
  lines: ImportedLine[],
  around: Surroundings,
): { planned: PlannedSubscription } | Unplanned {
  const faults = [...lines.flatMap((line) => line.faults), ...shortenedFaults(lines)];
  const shared = sharedValues(lines, faults);
  const { account, now } = around;
  const { currency_code: currency } = account;
  const reader = readFields<ImportField>(shared, { account, now, faults });
  reader.required("subscription_ref", reader.text("subscription_ref", 255));
  requireCurrency(reader, currency);
  const customer = customerIn(reader);
  const remote = remoteIn(reader);
  const status = statusIn(reader, around);
  const entity = entityIn(reader);
  const slot = slotIn(reader, around);
  const first = lines[0] ? namedPlan({ values: lines[0].fields }, around.plans) : undefined;
  const intervals = intervalsIn(reader, first);
  const cycles = cyclesIn(reader);
  const shipping = reader.money("shipping_amount") ?? 0;
  const ownPlan = planFor(intervals, around.plans);
  const missing = intervals && !ownPlan && isWithoutPlan(lines) ? planWith(intervals) : undefined;
  const toBeMade = missing && around.create_plans ? { id: "", name: missing.name } : undefined;
  const rows = linesFrom(lines, {
    ...{ newId: around.newId, plans: around.plans, account, now, shipping, faults },
    entityId: null,
    planByInterval: ownPlan ?? toBeMade,
    missing,
  });
  if (lines.length > mostLines) faults.push({ path: "lines", message: `must be at most ${mostLines}` });
  const discounts = discountsIn(reader, around, rows);
  const priced = reader.attempt(() => pricedColumns(rows, discounts));
  const notes = notesIn(reader);
  const delivery_address = addressIn(reader, around);
  const times = timesIn(reader, now);
  const traces = tracesIn(reader, now);
  const expected_total = reader.money("expected_total") ?? null;
  const no_charge_before = noChargeBeforeIn(reader, around);
  const asked = intervals && { around, intervals, slot, status: status.status, no_charge_before };
  const dates = asked && datesIn(reader, asked);
  if (!isOver(status) && cycles && isBeyondLastCycle(cycles))
    reader.refuse("max_cycles", "is not more than cycles_billed: the subscription has ended");
  if (faults.length > 0 || !priced || !intervals || !dates || !cycles)
    return { faults: distinct(faults), missing };
  const id = around.newId();
  const row: NewSubscription = {
    ...emptySubscription,
    ...dates,
    ...priced,
    ...cycles,
    ...status,
    ...notes,
    ...times,
    ...traces,
    id,
    account_seq: account.seq,
    revision: 1,
    profile_id: "",
    entity_id: null,
    entity_label: reader.text("entity_label", 255) ?? null,
    currency_code: currency,
    billing_interval: intervals.billing.unit,
    billing_interval_count: intervals.billing.count,
    delivery_interval: intervals.delivery.unit,
    delivery_interval_count: intervals.delivery.count,
    deliveries_per_billing: intervals.deliveries,
    schedule_revision: 0,
    activation: 1,
    total_revenue: 0,
    payment_method_id: null,
    delivery_slot_id: slot?.id ?? null,
    delivery_address,
    migration_source_ref: ref,
    source_group_id: id,
    billing_blocked_reason: importHeld,
    no_charge_before,
    ends_on: isOver(status) ? null : (reader.date("ends_on") ?? null),
    search_text: "",
  };
  const calendar = calendarOf({ account, slot, today: todayOf(around) });
  const moved = { ...row, ...inOpenDays(row, calendar) };
  const store_payment_method_id = reader.text("store_payment_method_id", 255)?.trim() ?? null;
  return {
    planned: {
      row: { ...moved, restart_billing_date: restartDateOf(moved, calendar) },
      ...{ customer, entity, expected_total, missing },
      remote: isOver(row) ? null : remote,
      store_payment_method_id:
        store_payment_method_id && plainId("CustomerPaymentMethod", store_payment_method_id),
    },
  };
}

const mostLines = 250;
type Reader = SubscriptionReader;

function requireCurrency(reader: Reader, currency: string): void {
  const named = reader.values.currency_code?.trim().toUpperCase();
  if (named !== undefined && named !== currency)
    reader.refuse("currency_code", `must be ${currency}, the account's currency`);
}

const statuses = ["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED", "PAST_DUE"] as const;

function statusIn(reader: Reader, { account, now, past_due, source }: Surroundings) {
  const given = reader.oneOf("status", statuses) ?? "ACTIVE";
  const pauseUntil = given === "PAUSED" ? reader.date("pause_until") : undefined;
  const today = todayOf({ now, account });
  if (pauseUntil !== undefined && pauseUntil <= today)
    reader.refuse("pause_until", "must be after today, or absent");
  if (given === "CANCELLED")
    return {
      status: "CANCELLED",
      cancelled_at: pastInstant(reader, "cancelled_at", now) ?? now,
      cancellation_reason: reader.text("cancellation_reason") ?? null,
    } as const;
  if (given === "EXPIRED") return { status: "EXPIRED" } as const;
  if (given === "PAUSED")
    return {
      status: "PAUSED",
      paused_at: pastInstant(reader, "paused_at", now) ?? now,
      pause_until: pauseUntil ?? null,
      pause_reason: reader.text("pause_reason") ?? null,
    } as const;
  if (given === "PAST_DUE" && past_due === "pause")
    return { status: "PAUSED", paused_at: now, pause_reason: `Past due in ${source}` } as const;
  return { status: "ACTIVE" } as const;
}

/** An instant that has come. */
function pastInstant(reader: Reader, field: ImportField, now: Instant): Instant | undefined {
  const instant = reader.instant(field);
  if (instant === undefined || instant <= now) return instant;
  return reader.refuse(field, "must not be after now");
}

function timesIn(reader: Reader, now: Instant) {
  return { created_at: pastInstant(reader, "created_at", now) ?? now, updated_at: now };
}

/** Traces of a life elsewhere: a dispute that keeps it from being billed, the checkout where it began, the last reminder. */
function tracesIn(reader: Reader, now: Instant) {
  return {
    disputed_at: pastInstant(reader, "disputed_at", now) ?? null,
    store_origin_order_id: reader.text("store_origin_order_id", 255) ?? null,
    last_payment_reminder_sent_at: pastInstant(reader, "last_payment_reminder_sent_at", now) ?? null,
    last_payment_reminder_billing_date: reader.date("last_payment_reminder_billing_date") ?? null,
  };
}

function slotIn(reader: Reader, { slots }: Surroundings): SlotWithDay | undefined {
  const id = reader.values.delivery_slot_id?.trim();
  if (id === undefined) return undefined;
  const slot = slots.get(id);
  return slot && isServed(slot) ? slot : reader.refuse("delivery_slot_id", "is not an active delivery slot");
}

function notesIn(reader: Reader) {
  return {
    note: reader.boundedText("note", 10_000) ?? null,
    delivery_instructions: reader.boundedText("delivery_instructions", 10_000) ?? null,
    custom_attributes: attributesIn(reader),
  };
}

function attributesIn(reader: Reader): string | null {
  const text = reader.boundedText("custom_attributes", 16_000);
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isObject && isStorable(JSON.stringify(value))) return JSON.stringify(value);
  } catch {
    // Refused below, as any text that is no object.
  }
  reader.refuse("custom_attributes", "must be an object as JSON");
  return null;
}

/** A fault that several rows have is said once. */
function distinct(faults: ErrorDetail[]): ErrorDetail[] {
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()].slice(
    0,
    100,
  );
}
