import type { Account } from "../../base/accounts/tables.ts";
import type { ErrorDetail } from "../../base/errors.ts";
import { countryCodeOf, countryNameOf, isCountryCode, isNameOfCountry } from "../../base/lib/countries.ts";
import type { CalendarDate, Instant } from "../../base/lib/dates.ts";
import { type Interval, intervalFault, intervalUnits, timesWithin } from "../../base/lib/intervals.ts";
import { fold, isStorable } from "../../base/lib/text.ts";
import { plainId } from "../../stores/ids.ts";
import { isServed, type SlotWithDay } from "../delivery/queries.ts";
import { ProfileCreate } from "../profiles/schemas.ts";
import { parseReduction } from "../selling-plans/rules.ts";
import type { SellingPlan } from "../selling-plans/tables.ts";
import { serializeAddress } from "../subscriptions/address.ts";
import type { Discount } from "../subscriptions/amounts.ts";
import { calendarOf } from "../subscriptions/calendar.ts";
import { importHeld, isBeyondLastCycle, over } from "../subscriptions/lifecycle.ts";
import { pricedColumns } from "../subscriptions/lines.ts";
import { emptySubscription, type NewSubscription } from "../subscriptions/new-row.ts";
import { moveToOpenDays } from "../subscriptions/open-dates.ts";
import { todayOf } from "../subscriptions/schedule.ts";
import { type FieldReader, readFields } from "./field-reader.ts";
import type { ImportedLine, ImportField } from "./fields.ts";
import { scheduleFrom } from "./schedule-from.ts";
import { linesFrom, namedPlan, sharedValues } from "./subscription-lines.ts";

/** The account's records that a row is planned with. */
export type Surroundings = {
  account: Account;
  now: Instant;
  newId: () => string;
  plans: SellingPlan[];
  slots: Map<string, SlotWithDay>;
  charge_from: CalendarDate;
  past_due: "bill" | "pause";
  source: string;
};

/** The customer that a row names. Without an e-mail address it is the one with the store's id. */
export type PlannedCustomer = {
  email: string | undefined;
  email_folded: string | undefined;
  store_customer_id: string | null;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
};

export type PlannedEntity = { ref: string; entity_type: string; name: string };

/** The subscription that the rows of a ref become. Its profile, payment method and entity are found when it is written. */
export type PlannedSubscription = {
  row: NewSubscription;
  customer: PlannedCustomer;
  store_payment_method_id: string | null;
  entity: PlannedEntity | undefined;
  /** Minor units; null where the file does not say. */
  expected_total: number | null;
};

/** Plans the subscription of these rows, or says what is wrong with them. Pure, so that the check and the writing plan the same. */
export function planSubscription(
  ref: string,
  lines: ImportedLine[],
  around: Surroundings,
): { planned: PlannedSubscription } | { faults: ErrorDetail[] } {
  const faults = lines.flatMap((line) => line.faults);
  const shared = sharedValues(lines, faults);
  const { account, now } = around;
  const { timezone, currency_code: currency } = account;
  const reader = readFields<ImportField>(shared, { timezone, currency, faults });
  reader.required("subscription_ref", reader.text("subscription_ref", 255));
  requireCurrency(reader, currency);
  const customer = customerIn(reader);
  const status = statusIn(reader, around);
  const entity = entityIn(reader);
  const slot = slotIn(reader, around);
  const first = lines[0] ? namedPlan({ values: lines[0].fields }, around.plans) : undefined;
  const intervals = intervalsIn(reader, first);
  const discount = discountIn(reader, around);
  const cycles = cyclesIn(reader);
  const shipping = reader.money("shipping_amount") ?? 0;
  const rows = linesFrom(lines, {
    ...{ newId: around.newId, plans: around.plans, timezone, currency, shipping, faults },
    entityId: null,
    planByInterval: planFor(intervals, around.plans),
  });
  if (lines.length > mostLines) faults.push({ path: "lines", message: `must be at most ${mostLines}` });
  const priced = reader.attempt(() => pricedColumns(rows, discount ? [discount] : []));
  const notes = notesIn(reader);
  const delivery_address = addressIn(reader);
  const times = timesIn(reader, now);
  const expected_total = reader.money("expected_total") ?? null;
  const dates = intervals && datesIn(reader, { around, intervals, slot, status: status.status });
  if (status.status !== "CANCELLED" && cycles && isBeyondLastCycle(cycles))
    reader.refuse("max_cycles", "is not more than cycles_billed: the subscription has ended");
  if (faults.length > 0 || !priced || !intervals || !dates || !cycles) return { faults: distinct(faults) };
  const id = around.newId();
  const row: NewSubscription = {
    ...emptySubscription,
    ...dates,
    ...priced,
    ...cycles,
    ...status,
    ...notes,
    ...times,
    id,
    account_seq: account.seq,
    revision: 1,
    profile_id: "",
    entity_id: null,
    entity_label: null,
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
    search_text: "",
  };
  const store_payment_method_id = reader.text("store_payment_method_id", 255)?.trim() ?? null;
  return {
    planned: {
      row: { ...row, ...inOpenDays(row, around, slot) },
      ...{ customer, entity, expected_total },
      store_payment_method_id:
        store_payment_method_id && plainId("CustomerPaymentMethod", store_payment_method_id),
    },
  };
}

const mostLines = 250;
type Reader = FieldReader<ImportField>;

function requireCurrency(reader: Reader, currency: string): void {
  const named = reader.values.currency_code?.trim().toUpperCase();
  if (named !== undefined && named !== currency)
    reader.refuse("currency_code", `must be ${currency}, the account's currency`);
}

function customerIn(reader: Reader): PlannedCustomer {
  const customer = reader.text("store_customer_id", 255)?.trim();
  const email = reader.values.email?.trim();
  if (email === undefined && customer === undefined) reader.refuse("email", "is required");
  if (email !== undefined && !ProfileCreate.shape.email.safeParse(email).success)
    reader.refuse("email", "must be an e-mail address");
  return {
    email,
    email_folded: email === undefined ? undefined : fold(email),
    store_customer_id: customer === undefined ? null : plainId("Customer", customer),
    first_name: reader.text("first_name") ?? null,
    last_name: reader.text("last_name") ?? null,
    phone_number: reader.text("phone_number") ?? null,
  };
}

const statuses = ["ACTIVE", "PAUSED", "CANCELLED", "PAST_DUE"] as const;

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
  if (given === "PAUSED")
    return { status: "PAUSED", paused_at: now, pause_until: pauseUntil ?? null } as const;
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

function entityIn(reader: Reader): PlannedEntity | undefined {
  const ref = reader.text("entity_ref", 255);
  const entity_type = reader.text("entity_type", 100);
  const name = reader.text("entity_name", 255);
  if (ref === undefined) return undefined;
  if (entity_type === undefined) reader.refuse("entity_type", "is required with entity_ref");
  if (name === undefined) reader.refuse("entity_name", "is required with entity_ref");
  return { ref, entity_type: entity_type ?? "", name: name ?? "" };
}

function slotIn(reader: Reader, { slots }: Surroundings): SlotWithDay | undefined {
  const id = reader.values.delivery_slot_id?.trim();
  if (id === undefined) return undefined;
  const slot = slots.get(id);
  return slot && isServed(slot) ? slot : reader.refuse("delivery_slot_id", "is not an active delivery slot");
}

type Intervals = { billing: Interval; delivery: Interval; deliveries: number };

function intervalsIn(reader: Reader, plan: SellingPlan | undefined): Intervals | undefined {
  const unit = reader.oneOf("billing_interval", intervalUnits) ?? plan?.billing_interval;
  const isPlans = reader.values.billing_interval === undefined && plan !== undefined;
  const count =
    reader.integer("billing_interval_count", 1, 365) ?? (isPlans ? plan.billing_interval_count : 1);
  const ownUnit = reader.oneOf("delivery_interval", intervalUnits);
  const ownCount = reader.integer("delivery_interval_count", 1, 365);
  if (unit === undefined)
    return reader.values.billing_interval === undefined
      ? reader.refuse("billing_interval", "is required where no selling plan is named")
      : undefined;
  const billing: Interval = { unit, count };
  const delivery: Interval =
    ownUnit === undefined && ownCount === undefined && isPlans
      ? { unit: plan.delivery_interval, count: plan.delivery_interval_count }
      : { unit: ownUnit ?? unit, count: ownCount ?? (ownUnit === undefined ? count : 1) };
  for (const [name, interval] of Object.entries({ billing, delivery })) {
    const message = intervalFault(interval.unit, interval.count);
    if (message) return reader.refuse(`${name}_interval_count` as ImportField, message);
  }
  const deliveries = timesWithin(billing, delivery);
  if (deliveries === undefined)
    return reader.refuse("delivery_interval", "does not divide the billing interval into whole deliveries");
  return { billing, delivery, deliveries };
}

/** The first plan with these intervals, for lines that name none. */
function planFor(intervals: Intervals | undefined, plans: SellingPlan[]): SellingPlan | undefined {
  return plans.find(
    (plan) =>
      plan.billing_interval === intervals?.billing.unit &&
      plan.billing_interval_count === intervals.billing.count &&
      plan.delivery_interval === intervals.delivery.unit &&
      plan.delivery_interval_count === intervals.delivery.count,
  );
}

function discountIn(reader: Reader, { account, now, newId }: Surroundings): Discount | undefined {
  const type = reader.oneOf("discount_type", ["PERCENTAGE", "FIXED_AMOUNT"]);
  const value = reader.number("discount_value");
  const left = reader.integer("discount_cycles_left", 0, 10_000);
  if (type === undefined && value === undefined) return undefined;
  if (type === undefined) {
    if (reader.values.discount_type === undefined)
      reader.refuse("discount_type", "is required with discount_value");
    return undefined;
  }
  if (value === undefined) {
    if (reader.values.discount_value === undefined)
      reader.refuse("discount_value", "is required with discount_type");
    return undefined;
  }
  const reduction = reader.attempt(() =>
    parseReduction(type, value, account.currency_code, "discount_value"),
  );
  if (reduction === undefined || reduction === 0 || left === 0) return undefined;
  const id = newId();
  return {
    id,
    status: "ACTIVE",
    discount_code: null,
    title: "Moved in",
    reduction: { type, value: reduction },
    store_discount_id: id,
    target_type: "ORDER",
    recurring_cycle_limit: left ?? null,
    cycles_used: 0,
    applied_at: now,
    exhausted_at: null,
    removed_at: null,
    created_at: now,
    updated_at: now,
  };
}

function cyclesIn(reader: Reader) {
  const billed = reader.integer("cycles_billed", 0, 1_000_000) ?? 0;
  const min_cycles = reader.integer("min_cycles", 1, 10_000) ?? null;
  const max_cycles = reader.integer("max_cycles", 1, 10_000) ?? null;
  if (min_cycles !== null && max_cycles !== null && min_cycles > max_cycles)
    reader.refuse("min_cycles", "must not be above max_cycles");
  return { current_billing_cycle: billed + 1, min_cycles, max_cycles };
}

function notesIn(reader: Reader) {
  return {
    note: reader.text("note") ?? null,
    delivery_instructions: reader.text("delivery_instructions") ?? null,
    custom_attributes: attributesIn(reader),
  };
}

function attributesIn(reader: Reader): string | null {
  const text = reader.text("custom_attributes", 20_000);
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

const addressFields = [
  ...(["address_first_name", "address_last_name", "address1", "address2", "city", "region"] as const),
  ...(["postal_code", "country", "country_code", "address_phone"] as const),
];

/** The address of the rows; null where they have none, and the customer's own is used. */
function addressIn(reader: Reader): string | null {
  const given = Object.fromEntries(addressFields.map((field) => [field, reader.text(field)]));
  const { address1, city, postal_code: zip } = given;
  if (!address1 && !city && !zip) return null;
  for (const field of ["address1", "city", "postal_code"] as const)
    if (given[field] === undefined) reader.refuse(field, "is required where there is an address");
  const country = countryIn(reader);
  if (!address1 || !city || !zip || !country) return null;
  return serializeAddress({
    ...{ address1, city, zip, ...country },
    address2: given.address2,
    phone: given.address_phone,
    first_name: given.address_first_name,
    last_name: given.address_last_name,
    province: given.region,
  });
}

function countryIn(reader: Reader): { country: string; country_code: string } | undefined {
  const code = reader.values.country_code?.trim().toUpperCase();
  const country = reader.values.country?.trim();
  if (code === undefined && country === undefined)
    return reader.refuse("country_code", "is required where there is an address");
  if (code === undefined) {
    const known = isCountryCode(country!.toUpperCase()) ? country!.toUpperCase() : countryCodeOf(country!);
    if (known) return { country: known === country ? countryNameOf(known) : country!, country_code: known };
    return reader.refuse("country", "is not a country that is known by this name: send country_code");
  }
  if (!isCountryCode(code)) return reader.refuse("country_code", "must be an ISO 3166-1 code, such as US");
  if (country !== undefined && !isNameOfCountry(country, code))
    return reader.refuse("country", `must be the country of country_code ${code}, or absent`);
  return { country: country ?? countryNameOf(code), country_code: code };
}

type DatesAsked = {
  around: Surroundings;
  intervals: Intervals;
  slot: SlotWithDay | undefined;
  status: NewSubscription["status"];
};

function datesIn(reader: Reader, { around, intervals, slot, status }: DatesAsked) {
  const billing = reader.date("next_billing_date");
  const delivery = reader.date("next_delivery_date");
  const anchor = reader.date("anchor_date");
  const owed = reader.integer("prepaid_owed", 0, 1000) ?? 0;
  const today = todayOf(around);
  if (owed > 0 && intervals.deliveries === 1)
    return reader.refuse("prepaid_owed", "is for subscriptions with several deliveries for each charge");
  if (status === "CANCELLED" && owed === 0) {
    const start = anchor ?? billing ?? today;
    return { anchor_date: start, next_index: 0, next_billed_index: 0, ...over, ...unscheduled };
  }
  if (delivery !== undefined && delivery < today)
    return reader.refuse("next_delivery_date", "must not be in the past");
  if (status !== "CANCELLED" && !isChargeable(reader, billing, around)) return undefined;
  const asked = { billing: status === "CANCELLED" ? null : billing!, delivery, anchor, owed };
  const schedule = scheduleFrom(asked, intervals.delivery, slot);
  if (!("dates" in schedule)) return reader.refuse(schedule.path, schedule.message);
  const { next_delivery_date: next } = schedule.dates;
  if (next !== null && next < today)
    return reader.refuse("prepaid_owed", `leads to a delivery on ${next}, which has passed`);
  return schedule.dates;
}

/** The columns of dates that closed days have not moved. */
const unscheduled = { scheduled_index: null, scheduled_delivery_date: null };

/** Nothing is charged before charge_from, and no date is moved so that it is not. */
function isChargeable(
  reader: Reader,
  billing: CalendarDate | undefined,
  { charge_from, ...at }: Surroundings,
): billing is CalendarDate {
  const today = todayOf(at);
  if (billing !== undefined && billing < today) {
    reader.refuse("next_billing_date", "must not be in the past");
    return false;
  }
  if (billing !== undefined && billing >= charge_from) return true;
  if (billing !== undefined) reader.refuse("next_billing_date", `must be ${charge_from} or later`);
  else reader.required("next_billing_date", billing);
  return false;
}

/** Closed days move the dates as of any subscription, but no charge to before charge_from. */
function inOpenDays(
  row: NewSubscription,
  { account, now, charge_from }: Surroundings,
  slot: SlotWithDay | undefined,
) {
  if (row.next_delivery_date === null) return {};
  const calendar = calendarOf({ now, account }, slot);
  return moveToOpenDays(row, calendar, charge_from);
}

/** A fault that several rows have is said once. */
function distinct(faults: ErrorDetail[]): ErrorDetail[] {
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()].slice(
    0,
    100,
  );
}
