import { type EventType, eventTypes } from "../../base/event-types.ts";
import type { MailKind } from "./kinds.ts";

/**
 * Which kind of mail an event becomes. `billing.failed` does for the account's setting `notify_every_retry` alone, where dunning goes on:
 * the first failure and the last have events of their own; `billing.waiting` does where it waits for an address
 * (migrations/0001_schema.sql, new_entries_insert).
 */
const kindsByEvent: Partial<Record<string, MailKind>> = {
  [eventTypes.portal_login_requested]: "login_link",
  [eventTypes.subscription_created]: "welcome",
  [eventTypes.payment_reminder_due]: "upcoming_charge",
  [eventTypes.order_placed]: "receipt",
  [eventTypes.dunning_started]: "payment_failed",
  [eventTypes.billing_failed]: "payment_failed",
  [eventTypes.billing_action_required]: "confirm_payment",
  [eventTypes.billing_waiting]: "address_missing",
  [eventTypes.dunning_exhausted]: "payment_ended",
  [eventTypes.payment_method_expiring]: "card_expiring",
  [eventTypes.subscription_paused]: "changed",
  [eventTypes.subscription_resumed]: "changed",
  [eventTypes.subscription_skipped]: "changed",
  [eventTypes.subscription_unskipped]: "changed",
  [eventTypes.delivery_rescheduled]: "changed",
  [eventTypes.frequency_changed]: "changed",
  [eventTypes.delivery_address_changed]: "changed",
  [eventTypes.lines_changed]: "changed",
  [eventTypes.subscription_cancelled]: "changed",
  [eventTypes.subscription_reactivated]: "changed",
  [eventTypes.subscription_change_undone]: "changed",
  [eventTypes.price_change_announced]: "price_change",
  [eventTypes.order_fulfilled]: "shipped",
} satisfies Partial<Record<EventType, MailKind>>;

/** Changes that customers are told of even if they have made them themselves. */
const alwaysTold: readonly string[] = [
  eventTypes.subscription_cancelled,
  eventTypes.subscription_reactivated,
];

/** The type of a test mail, which is no event of the stream. */
export const testMailType = "mail.test";

/** The kind of the mail that an event becomes; undefined for a test and for an event that becomes none. */
export function kindOf(eventType: string): MailKind | undefined {
  return kindsByEvent[eventType];
}

/** The types of events that become a mail of a kind. */
export function eventTypesOf(kind: MailKind): string[] {
  return Object.keys(kindsByEvent).filter((type) => kindsByEvent[type] === kind);
}

/** Those of them that do so even if the customer has caused them: most changes are known to whoever has made them. */
export function ownEventTypesOf(kind: MailKind): string[] {
  return eventTypesOf(kind).filter((type) => kind !== "changed" || alwaysTold.includes(type));
}
