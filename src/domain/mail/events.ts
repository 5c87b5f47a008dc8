import { type EventType, eventTypes } from "../../base/event-types.ts";
import type { MailKind } from "./kinds.ts";

/** Which kind of mail an event becomes. */
const kindsByEvent: Partial<Record<string, MailKind>> = {
  [eventTypes.portal_login_requested]: "login_link",
  [eventTypes.payment_reminder_due]: "upcoming_charge",
  [eventTypes.order_placed]: "receipt",
  [eventTypes.dunning_started]: "payment_failed",
  [eventTypes.billing_action_required]: "confirm_payment",
} satisfies Partial<Record<EventType, MailKind>>;

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
