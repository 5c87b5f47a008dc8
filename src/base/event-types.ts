/** Each action that the service itself records, and the type of its event. This is the one place that lists them. */
export const eventTypes = {
  subscription_created: "subscription.created",
  subscription_paused: "subscription.paused",
  subscription_resumed: "subscription.resumed",
  subscription_cancelled: "subscription.cancelled",
  subscription_reactivated: "subscription.reactivated",
  subscription_expired: "subscription.expired",
  subscription_skipped: "subscription.skipped",
  subscription_unskipped: "subscription.unskipped",
  subscription_change_undone: "subscription.change_undone",
  frequency_changed: "subscription.frequency_changed",
  delivery_instructions_updated: "subscription.delivery_instructions_updated",
  delivery_rescheduled: "subscription.delivery_rescheduled",
  delivery_address_changed: "subscription.delivery_address_changed",
  lines_changed: "subscription.lines_changed",
  price_change_announced: "subscription.price_change_announced",
  payment_method_changed: "subscription.payment_method_changed",
  payment_update_requested: "subscription.payment_update_requested",
  payment_update_refused: "subscription.payment_update_refused",
  discount_applied: "subscription.discount_applied",
  discount_removed: "subscription.discount_removed",
  payment_reminder_due: "subscription.payment_reminder_due",
  annual_notice_due: "subscription.annual_notice_due",
  store_contract_linked: "subscription.store_contract_linked",
  store_sync_refused: "subscription.store_sync_refused",
  store_sync_agreed: "subscription.store_sync_agreed",
  store_skip_not_followed: "subscription.store_skip_not_followed",
  subscription_import_released: "subscription.import_released",
  subscription_import_undone: "subscription.import_undone",
  cancellation_scheduled: "subscription.cancellation_scheduled",
  cancellation_started: "subscription.cancellation_started",
  cancellation_offer_accepted: "subscription.cancellation_offer_accepted",
  cancellation_saved: "subscription.cancellation_saved",
  cancellation_lost: "subscription.cancellation_lost",
  ship_now_requested: "billing.ship_now_requested",
  billing_started: "billing.started",
  billing_succeeded: "billing.succeeded",
  billing_failed: "billing.failed",
  billing_action_required: "billing.action_required",
  billing_review_required: "billing.review_required",
  billing_waiting: "billing.waiting",
  billing_wait_ended: "billing.wait_ended",
  billing_resumed: "billing.resumed",
  order_placed: "order.placed",
  order_updated: "order.updated",
  order_fulfilled: "order.fulfilled",
  order_cancelled: "order.cancelled",
  order_refunded: "order.refunded",
  order_returned: "order.returned",
  order_disputed: "order.disputed",
  order_imported: "order.imported",
  order_import_undone: "order.import_undone",
  dunning_started: "dunning.started",
  dunning_recovered: "dunning.recovered",
  dunning_exhausted: "dunning.exhausted",
  dunning_customer_notified: "dunning.customer_notified",
  dunning_notice_refused: "dunning.notice_refused",
  profile_created: "profile.created",
  profile_updated: "profile.updated",
  profile_deleted: "profile.deleted",
  profile_email_suppressed: "profile.email_suppressed",
  payment_method_expiring: "payment_method.expiring",
  portal_login_requested: "portal.login_requested",
  declaration_received: "declaration.received",
  declaration_carried_out: "declaration.carried_out",
  declaration_answered: "declaration.answered",
  declaration_taken_back: "declaration.taken_back",
  account_updated: "account.updated",
  account_exported: "account.exported",
  api_key_created: "api_key.created",
  api_key_revoked: "api_key.revoked",
  staff_invited: "staff.invited",
  staff_updated: "staff.updated",
  staff_removed: "staff.removed",
  staff_login_requested: "staff.login_requested",
  job_created: "job.created",
  job_check_started: "job.check_started",
  job_checked: "job.checked",
  job_plan_created: "job.plan_created",
  job_started: "job.started",
  job_paused: "job.paused",
  job_resumed: "job.resumed",
  job_cancelled: "job.cancelled",
  job_done: "job.done",
  job_undo_started: "job.undo_started",
  job_undone: "job.undone",
  job_failed: "job.failed",
} as const;

/** The actions that the service itself records, and nobody else. Integrations record `integration_…`. */
export type SystemAction = keyof typeof eventTypes;

/** A type of the service itself. An integration's type is `integration.` and the rest of its action. */
export type EventType = (typeof eventTypes)[SystemAction];

/** Every type of the service itself, in the order of the documentation. */
export const ownEventTypes: readonly EventType[] = Object.values(eventTypes);

export const integrationPrefix = "integration.";

/** The type of an entry's event. */
export function eventTypeOf(action: string): string {
  return Object.hasOwn(eventTypes, action)
    ? eventTypes[action as SystemAction]
    : action.replace(/^integration_/, integrationPrefix);
}

/** Whether a name is a type, or all types of a kind such as `subscription.*`. */
export function isEventFilter(name: string): boolean {
  return kinds.has(name) || isEventType(name);
}

/** The types of the service itself that a filter names. */
export function ownTypesOf(filter: string): readonly string[] {
  return filter.endsWith(".*")
    ? ownEventTypes.filter((type) => type.startsWith(filter.slice(0, -1)))
    : [filter];
}

/** Whether a name is a possible type. Lists of types are divided by commas, so a type contains none. */
function isEventType(name: string): boolean {
  return (
    (ownEventTypes as readonly string[]).includes(name) ||
    (name.startsWith(integrationPrefix) && name.length > integrationPrefix.length && !name.includes(","))
  );
}

const kinds: ReadonlySet<string> = new Set(
  [...ownEventTypes, integrationPrefix].map((type) => `${type.slice(0, type.indexOf("."))}.*`),
);

/** The names that `isEventFilter` accepts, as a pattern. In the pattern, integrations' types contain no white space. */
export const eventFilterPattern: string = [
  ...[...kinds, ...ownEventTypes].map((name) => name.replaceAll(/[.*]/g, "\\$&")),
  "integration\\.[^,\\s\\u0000]+",
].join("|");
