import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";

const endpointKinds = ["http", "mail"] as const;
export const payloads = ["full", "thin"] as const;
export const disabledReasons = ["gone", "failing", "by_hand"] as const;
export type DisabledReason = (typeof disabledReasons)[number];
export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** An address that an account's events are sent to. Its times are real time, even with a test clock. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: id(),
    account_seq: accountSeq(),
    /** http: an address of the merchant's. mail: the account's customers, of which it has one at most; `url` is empty. */
    kind: text({ enum: endpointKinds }).notNull().default("http"),
    url: text().notNull(),
    description: text(),
    /** JSON: types of events, kinds such as `subscription.*`, or `*`. */
    event_types: text().notNull(),
    payload: text({ enum: payloads }).notNull(),
    is_enabled: flag(),
    disabled_reason: text({ enum: disabledReasons }),
    failing_since: instant(),
    last_success_at: instant(),
    /** Sealed. The previous secret also signs until `previous_secret_until`. */
    secret: text().notNull(),
    previous_secret: text(),
    previous_secret_until: instant(),
    /** JSON: the position of a recovery of missed events; null while there is none. */
    recovering: text(),
    ...stamps,
    deleted_at: instant(),
    /** JSON: the types that are asked for of what customers do themselves; null for those of `event_types`. */
    own_event_types: text(),
    /** JSON: the settings of a mail endpoint (domain/mail/settings.ts), whose `secret` is its provider's credentials. */
    mail: text(),
    /** For a mail endpoint: the last subscription that changed rules of reminders were applied to; null once they were to all. */
    reminders_applied_to: text(),
    /** The key by which it was made, led elsewhere or given another secret last, whose revocation names it; null where it was none. */
    made_by_key: text(),
    /** For a mail endpoint: the last mail whose address was masked, as it was a month old. */
    masked_to: text(),
    /** For a mail endpoint: the day whose anniversaries are recorded next, and the last of it that is (domain/billing/due/anniversaries.ts). */
    annual_notice_on: text(),
    annual_notice_after: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type WebhookEndpoint = typeof webhookEndpoints.$inferSelect;

/** A delivery of an event to an endpoint, known by both, and its outcome. A trigger inserts it with the entry. Its times are real time. */
export const eventDeliveries = sqliteTable(
  "event_deliveries",
  {
    account_seq: accountSeq(),
    event_id: text().notNull(),
    endpoint_id: text().notNull(),
    /** Whether the endpoint is that of mails, which has no list of deliveries. */
    is_mail: flag(),
    event_type: text().notNull(),
    /** The event's; null for a test. */
    sequence: integer(),
    status: text({ enum: deliveryStatuses }).notNull(),
    attempt_count: integer().notNull(),
    next_attempt_at: instant(),
    lease_until: instant(),
    last_status: integer(),
    last_error: text(),
    last_duration_ms: integer(),
    created_at: text().notNull(),
    delivered_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.event_id, t.endpoint_id] })],
);

/** The most deliveries of one endpoint in progress at the same time, over all invocations. */
export const mostLeased = 10;

export type EventDelivery = typeof eventDeliveries.$inferSelect;

/** The number of deliveries of an endpoint by status, kept by triggers. */
export const eventDeliveryCounts = sqliteTable(
  "event_delivery_counts",
  {
    account_seq: accountSeq(),
    endpoint_id: text().notNull(),
    status: text({ enum: deliveryStatuses }).notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.endpoint_id, t.status] })],
);
