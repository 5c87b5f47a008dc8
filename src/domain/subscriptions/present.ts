import type { z } from "@hono/zod-openapi";
import { toMajor } from "../../base/lib/money.ts";
import { dayOfWeek } from "../../base/lib/time/calendar.ts";
import { frequencyLabel } from "../../base/lib/time/intervals.ts";
import { type JsonText, jsonText, withMember, writeRecord, writeRecords } from "../../kit/http/json-text.ts";
import { presentDeliveryDay, presentDeliverySlot } from "../delivery/present.ts";
import { isServed } from "../delivery/queries.ts";
import { reductionValue } from "../selling-plans/present.ts";
import { isPastCutoff, nextCutoff } from "./bounds/cutoff.ts";
import { minimumTermOf } from "./bounds/minimum-term.ts";
import { blockedReason, flagsOf, isAllowed } from "./lifecycle.ts";
import { type Amounts, calculateAmounts, type Discount, type Line } from "./lines/amounts.ts";
import type { ShownRecords } from "./list/joined-records.ts";
import type { ShownInLists } from "./list/list-readers.ts";
import type { SubscriptionItemView, SubscriptionView } from "./queries.ts";
import { presentReminder } from "./reminder.ts";
import { discountsOf, linesOf } from "./row-codec.ts";
import type { SubscriptionBody, SubscriptionItem } from "./schemas.ts";
import type { SkipBody } from "./skip-schemas.ts";
import type { Skip } from "./tables.ts";
import type { ViewContext } from "./view-context.ts";

type Full = z.input<typeof SubscriptionBody>;
type Item = z.input<typeof SubscriptionItem>;
/** The members that are the same in both, but for the records whose JSON is written already. */
type Common = Omit<
  Item,
  keyof ReturnType<typeof presentStored> | "last_order" | "entity" | "profile" | "entities"
>;

/** A subscription in a list or by itself. */
type Shown = { row: ShownInLists } & ShownRecords & ViewContext;

export function presentLines(
  lines: Line[],
  amounts: Pick<Amounts, "lines">,
  currency: string,
): Full["lines"] {
  return lines.map(
    ({ plan_discount, plan_shipping, price_changes, price_quantity, reduced_from, ...line }, index) =>
      // Members after a spread in a literal take V8 a call each.
      Object.assign(line, {
        price: toMajor(line.price, currency),
        selection_items:
          line.selection_items?.map((item) => ({ ...item, price: toMajor(item.price, currency) })) ?? null,
        line_total: toMajor(amounts.lines[index]?.line_total ?? 0, currency),
        discount_amount: toMajor(amounts.lines[index]?.discount_amount ?? 0, currency),
      }),
  );
}

export function presentDiscount(discount: Discount, currency: string): Full["discounts"][number] {
  const { reduction } = discount;
  const value = reductionValue(reduction.type, reduction.value, currency);
  const max_amount = discount.max_amount === undefined ? null : toMajor(discount.max_amount, currency);
  const off = reduction.type === "PERCENTAGE" ? `${value}% off` : [value, currency, "off"].join(" ");
  return {
    id: discount.id,
    status: discount.status,
    is_active: discount.status === "ACTIVE",
    discount_code: discount.discount_code,
    title: discount.title,
    value,
    max_amount,
    store_discount_id: discount.store_discount_id,
    currency_code: reduction.type === "FIXED_AMOUNT" ? currency : null,
    target_type: discount.target_type,
    value_type: reduction.type,
    recurring_cycle_limit: discount.recurring_cycle_limit,
    applied_at: discount.applied_at,
    exhausted_at: discount.exhausted_at,
    removed_at: discount.removed_at,
    is_shipping_discount: discount.target_type === "SHIPPING_LINE",
    discount_label: max_amount === null ? off : `${off}, at most ${max_amount} ${currency}`,
    created_at: discount.created_at,
    updated_at: discount.updated_at,
  };
}

/** Lines with the discounts of their plans only. */
export function presentLinesAlone(lines: Line[], currency: string): Full["lines"] {
  return presentLines(lines, calculateAmounts(lines, [], 0), currency);
}

/** The full representation of one subscription. */
export function presentSubscription(view: SubscriptionView): JsonText<Full> {
  const { row } = view;
  const currency = row.currency_code;
  const [lines, discounts] = [linesOf(row), discountsOf(row)];
  const amounts = calculateAmounts(lines, discounts, row.shipping_amount, row.tax_amount);
  const minimum = minimumTermOf(view);
  const own = {
    ...presentCommon(view),
    min_cycles_remaining: minimum.cycles,
    can_cancel_from: minimum.until,
    next_delivery_cutoff_at: nextCutoff(view, view) ?? null,
    can_change_next_delivery:
      isAllowed("change", row) && (view.viewer !== "customer" || !isPastCutoff(view, view)),
    shipping_amount: toMajor(row.shipping_amount, currency),
    tax_amount: toMajor(row.tax_amount, currency),
    lines: presentLines(lines, amounts, currency),
    delivery_interval: row.delivery_interval,
    delivery_interval_count: row.delivery_interval_count,
    has_shipping_discount: discounts.some(
      ({ status, target_type }) => status === "ACTIVE" && target_type === "SHIPPING_LINE",
    ),
    total_revenue: toMajor(row.total_revenue, currency),
    last_order: row.last_order_id,
  };
  const { profile, entity } = presentRecords(view);
  const entities = writeRecords(entity ? [entity] : []);
  return writeRecord(own, { ...presentStored(row), profile, entities });
}

/** The representation in lists. */
export function presentListItem(view: SubscriptionItemView): JsonText<Item> {
  const { profile, entity } = presentRecords(view);
  const last_order = view.lastOrder ? ofAccount(view, view.lastOrder) : jsonText<null>("null");
  const own = presentCommon(view);
  const entities = writeRecords(entity ? [entity] : []);
  const texts = { ...presentStored(view.row), last_order, profile };
  return entity ? writeRecord(own, { ...texts, entity, entities }) : writeRecord(own, { ...texts, entities });
}

export function presentSkip(row: Skip): z.input<typeof SkipBody> {
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    cycle: row.cycle,
    skip_weeks: row.skip_weeks,
    deliveries: row.deliveries,
    reason: row.reason,
    skip_reason_id: row.skip_reason_id,
    skip_reason_label: row.skip_reason_label,
    ...(row.skip_reason_labels === null ? {} : { skip_reason_labels: JSON.parse(row.skip_reason_labels) }),
    previous_billing_date: row.previous_billing_date,
    previous_delivery_date: row.previous_delivery_date,
    previous_production_date: row.previous_production_date,
    undone_at: row.undone_at,
    created_at: row.created_at,
  };
}

/** The members that are shown as they are stored. */
function presentStored({ delivery_address, custom_attributes }: ShownInLists) {
  return {
    delivery_address: jsonText<Item["delivery_address"]>(delivery_address ?? "null"),
    custom_attributes: jsonText<Item["custom_attributes"]>(custom_attributes ?? "null"),
  };
}

/** The records besides it that nothing is decided by. */
function presentRecords(view: Shown) {
  const { profile, entity } = view;
  return { profile, entity: entity && ofAccount(view, entity) };
}

/** A record with the account that it belongs to. */
function ofAccount<Own extends object>({ account: { id } }: Shown, record: JsonText<Own>) {
  return withMember(record, { account_id: id });
}

function presentCommon(view: Shown): Common {
  const { row, account, slot, method, viewer, forbidden } = view;
  const currency = row.currency_code;
  const flags = flagsOf(row, viewer, view.today);
  const reminder = presentReminder(view);
  return {
    number: String(row.number),
    id: row.id,
    status: row.status,
    is_active: row.status === "ACTIVE",
    account_id: account.id,
    profile_id: row.profile_id,
    currency_code: currency,
    subtotal: toMajor(row.subtotal, currency),
    discount_amount: toMajor(row.discount_amount, currency),
    total: toMajor(row.total, currency),
    billing_interval: row.billing_interval,
    billing_interval_count: row.billing_interval_count,
    delivery_slot_valid: slotIsValid(view),
    current_billing_cycle: row.current_billing_cycle,
    can_cancel: forbidden.can_cancel ?? flags.can_cancel,
    can_pause: forbidden.can_pause ?? flags.can_pause,
    can_resume: flags.can_resume,
    can_reactivate: flags.can_reactivate,
    can_retry_payment: flags.can_retry_payment,
    is_in_dunning: flags.is_in_dunning,
    frequency_label: frequencyLabel({ unit: row.billing_interval, count: row.billing_interval_count }),
    payment_reminder_status: reminder.payment_reminder_status,
    last_payment_reminder_sent_at: reminder.last_payment_reminder_sent_at,
    last_payment_reminder_billing_date: reminder.last_payment_reminder_billing_date,
    store_contract_id: row.store_contract_id,
    store_sync_error: row.store_sync_error,
    billing_blocked_reason: blockedReason(row),
    next_billing_date: row.next_billing_date,
    next_delivery_date: row.next_delivery_date,
    next_production_date: row.next_production_date,
    no_charge_before: row.no_charge_before,
    ends_on: row.ends_on,
    ends_after_cycle: row.ends_after_cycle,
    cancelled_at: row.cancelled_at,
    paused_at: row.paused_at,
    pause_until: row.pause_until,
    restart_billing_date: row.restart_billing_date,
    cancellation_reason: row.cancellation_reason,
    cancellation_reason_id: row.cancellation_reason_id,
    pause_reason: row.pause_reason,
    pause_reason_id: row.pause_reason_id,
    payment_method_brand: method?.brand ?? null,
    payment_method_last4: method?.last4 ?? null,
    delivery_slot_id: row.delivery_slot_id,
    delivery_instructions: row.delivery_instructions,
    store_origin_order_id: row.store_origin_order_id,
    migration_source_ref: row.migration_source_ref,
    note: viewer === "customer" ? null : row.note,
    payment_day_of_week: row.next_billing_date === null ? null : dayOfWeek(row.next_billing_date),
    discounts: discountsOf(row).map((discount) => presentDiscount(discount, currency)),
    entity_label: row.entity_label,
    current_dunning_episode: row.dunning_episode_id,
    delivery_day: slot ? presentDeliveryDay(slot.day, account) : null,
    delivery_slot: slot ? presentDeliverySlot(slot) : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Whether the slot is served and the next delivery is on its day. */
function slotIsValid({ row, slot }: Shown): boolean {
  if (row.delivery_slot_id === null) return true;
  if (!slot || !isServed(slot)) return false;
  return row.next_delivery_date === null || dayOfWeek(row.next_delivery_date) === slot.day.day_of_week;
}
