import type { AccountSeq } from "../../base/db/columns.ts";
import { demoId } from "../../base/demo.ts";
import { type EventType, eventTypes, type SystemAction } from "../../base/event-types.ts";
import type { SubjectType } from "../../kit/journal/tables.ts";
import { presentEvent } from "../events/present.ts";
import type { EventRow } from "../events/queries.ts";

/** An event of the demo store as an endpoint with `payload: thin` receives it: the example of its webhook in the API document. */
export function exampleOf(type: EventType): object {
  const event = presentEvent(rowOf(type));
  return { type, timestamp: event.created_at, data: { ...event, ...objects[type] } };
}

const at = "2026-11-20T12:00:00.000Z";

/** The objects that events have for thin endpoints too. */
const objects: Partial<Record<EventType, object>> = {
  "portal.login_requested": {
    object: {
      url: "https://api.example.com/portal/demo-store.myshopify.com/enter?token=EXAMPLE",
      expires_at: "2026-11-20T12:15:00.000Z",
    },
  },
};

const changes: Partial<Record<EventType, object>> = {
  "subscription.paused": {
    status: { from: "ACTIVE", to: "PAUSED" },
    pause_reason: { from: null, to: "On holiday" },
  },
  "subscription.resumed": { status: { from: "PAUSED", to: "ACTIVE" } },
  "subscription.cancelled": { status: { from: "ACTIVE", to: "CANCELLED" } },
  "subscription.frequency_changed": { billing_interval_count: { from: 1, to: 2 } },
  "subscription.delivery_rescheduled": { next_delivery_date: { from: "2026-11-24", to: "2026-12-01" } },
  "order.fulfilled": { fulfillment_status: { from: "UNFULFILLED", to: "FULFILLED" } },
  "order.refunded": {
    status: { from: "PAID", to: "PARTIALLY_REFUNDED" },
    refunded_amount: { from: 0, to: 12.5 },
  },
  "order.cancelled": { status: { from: "PAID", to: "CANCELLED" } },
  "order.returned": { return_status: { from: "IN_PROGRESS", to: "RETURNED" } },
  "staff.updated": { role: { from: "SUPPORT", to: "MANAGER" } },
};

const metadata: Partial<Record<EventType, object>> = {
  "subscription.skipped": { skip_reason: { id: demoId("skip_reason", 1), label: "Going on holiday" } },
  "subscription.payment_reminder_due": { billing_date: "2026-11-23" },
  "subscription.annual_notice_due": { years: 1 },
  "subscription.payment_update_requested": {
    request_id: demoId("activity_log", 1),
    payment_method_id: demoId("payment_method", 1),
  },
  "subscription.payment_update_refused": {
    request_id: demoId("activity_log", 1),
    payment_method_id: demoId("payment_method", 1),
    codes: ["ACCESS_DENIED"],
    error_message: "The app lacks the scope write_customers",
  },
  "subscription.cancellation_started": {
    cancellation_case_id: demoId("cancellation_case", 1),
    cancellation_reason: { id: demoId("cancellation_reason", 1), label: "Too expensive" },
    offers: [{ id: demoId("cancellation_offer", 1), kind: "DISCOUNT" }],
  },
  "subscription.cancellation_offer_accepted": {
    cancellation_case_id: demoId("cancellation_case", 1),
    offer: { id: demoId("cancellation_offer", 1), kind: "DISCOUNT" },
  },
  "subscription.cancellation_saved": {
    cancellation_case_id: demoId("cancellation_case", 1),
    kind: "DISCOUNT",
  },
  "subscription.cancellation_lost": {
    cancellation_case_id: demoId("cancellation_case", 1),
    kind: "DISCOUNT",
  },
  "billing.action_required": {
    url: "https://sandbox-store.invalid/challenges/5e1f",
    expires_at: "2026-11-23T12:00:00.000Z",
    amount: 40.9,
    currency_code: "USD",
  },
  "dunning.customer_notified": { dunning_episode_id: demoId("dunning_episode", 7), is_certain: true },
  "dunning.notice_refused": {
    dunning_episode_id: demoId("dunning_episode", 7),
    codes: ["ACCESS_DENIED"],
    error_message: "The app lacks the scope write_customers",
  },
  "profile.email_suppressed": { mail_id: demoId("mail", 1), status: "BOUNCED" },
  "payment_method.expiring": {
    payment_method_id: demoId("payment_method", 1),
    expires_on: "2026-12-31",
    days_before: 30,
  },
  "order.refunded": {
    store_order_id: "store-order-1",
    refund_id: demoId("order_refund", 1),
    refund_status: "SUCCEEDED",
    amount: 12.5,
    reason: "One bag arrived torn",
  },
  "order.disputed": {
    store_order_id: "store-order-1",
    ...{ dispute_id: demoId("order_dispute", 1), store_dispute_id: "du_1Example" },
    ...{ dispute_status: "NEEDS_RESPONSE", is_inquiry: false, reason: "product_not_received" },
    ...{ amount: 40.9, currency_code: "USD", billing_is_blocked: true },
  },
  "billing.resumed": { dispute_ids: [demoId("order_dispute", 1)] },
  "order.cancelled": { store_order_id: "store-order-1", reason: "Ordered twice" },
  "profile.updated": { fields: ["email", "phone_number"] },
  "account.exported": {
    ...{ resource: "subscriptions", format: "csv", as_of_sequence: 1042 },
    ...{ expires_at: "2026-11-20T13:00:00.000Z", up_to: 1060 },
  },
  "subscription.price_change_announced": {
    ...{ from: 39.95, to: 42, first_billing_date: "2026-12-31" },
    ...{ line_id: demoId("subscription_line", 1), store_variant_id: "variant-1" },
  },
  "staff.updated": { fields: ["role"] },
  "staff.login_requested": { request_id: "01a2a56e-0957-73db-88a1-c936b0b78166" },
  "job.started": { kind: "FORECAST" },
  "job.done": { kind: "FORECAST", counts: { total: 4, done: 4, failed: 0, skipped: 0 } },
  "job.failed": { kind: "FORECAST", error: "A page failed ten times" },
  "portal.login_requested": { request_id: "01a2a56e-0957-73db-88a1-c936b0b78166", locale: "en" },
};

const subjects: Record<string, SubjectType> = {
  order: "order",
  profile: "profile",
  declaration: "declaration",
  portal: "profile",
  payment_method: "profile",
  account: "account",
  api_key: "api_key",
  staff: "staff",
  job: "job",
};

const ids = {
  subscription: demoId("subscription", 1),
  order: demoId("order", 1),
  profile: demoId("profile", 1),
  declaration: demoId("declaration", 1),
  account: demoId("account", 1),
  api_key: demoId("api_key", 1),
  job: demoId("job", 1),
  staff: demoId("staff", 1),
};

/** The actions of the service itself, rather than of a person. */
const systemActions =
  /^(declaration_carried_out|billing(?!_resumed)|dunning|store|payment_reminder|annual_notice|payment_method_expiring|subscription_expired|order)/;

function rowOf(type: EventType): EventRow {
  const types = Object.entries(eventTypes) as [SystemAction, EventType][];
  const index = types.findIndex(([, one]) => one === type);
  const [action] = types[index]!;
  const subject = subjects[type.split(".")[0]!] ?? "subscription";
  const isOfSystem = systemActions.test(action);
  return {
    id: demoId("activity_log", index + 1),
    account_seq: 1 as AccountSeq,
    sequence: 1001 + index,
    type,
    action,
    description: null,
    created_at: at,
    recorded_at: null,
    actor_type: isOfSystem ? "system" : "admin",
    actor_name: isOfSystem ? null : "Ada Admin",
    loggable_type: subject,
    loggable_id: ids[subject],
    subscription_id: subject === "subscription" ? ids.subscription : null,
    order_id: subject === "order" ? ids.order : null,
    profile_id: ["subscription", "order", "profile"].includes(subject) ? ids.profile : null,
    changes: jsonOf(changes[type]),
    metadata: jsonOf(metadata[type]),
  };
}

function jsonOf(value: object | undefined): string | null {
  return value ? JSON.stringify(value) : null;
}
