import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { instant, int64 } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { AttemptQuery } from "../billing/requests.ts";
import { attemptStatuses } from "../billing/tables.ts";
import { EventQuery } from "../events/schemas.ts";
import { OrderQuery } from "../orders/schemas.ts";
import { orderStatuses } from "../orders/tables.ts";
import { ProfileQuery } from "../profiles/schemas.ts";
import { SubscriptionQuery } from "../subscriptions/list/list-query.ts";
import { subscriptionStatuses } from "../subscriptions/tables.ts";
import { fieldsOf } from "./fields.ts";
import { type ExportResource, exportFormats } from "./resources.ts";

const format = z.enum(exportFormats).openapi("ExportFormat", {
  description:
    "How an export is written. jsonl: a JSON object on each line, as the API answers it. csv: comma-separated values with a line of names (RFC 4180).",
});

const flag = z.boolean().optional();

const wholeDay = "a date-time, or a date, which is its whole day in the account's time zone.";

const ProfileFilter = named(
  "ProfileExportFilter",
  ProfileQuery.pick({ email_status: true }),
  { email_status: ["Only profiles with this consent to e-mails.", "subscribed"] },
  { description: "Which profiles are exported: the filter of listProfiles of this name." },
);

const SubscriptionFilter = named(
  "SubscriptionExportFilter",
  SubscriptionQuery.pick({
    ...{ status: true, profile_id: true, entity_id: true, cancellation_reason_id: true },
    ...{ migration_source_ref: true, created_before: true, created_after: true, updated_after: true },
    ...{ delivery_slot_id: true },
    ...{ next_billing_before: true, next_billing_after: true, next_delivery_before: true },
    ...{ next_delivery_after: true, next_production_before: true, next_production_after: true },
  }).extend({ failed_payment: flag, billing_blocked: flag }),
  {
    status: [
      `Only these: one or more of ${subscriptionStatuses.join(", ")}, divided by commas.`,
      "ACTIVE,PAUSED",
    ],
    profile_id: ["Only subscriptions of this profile.", demoId("profile", 1)],
    entity_id: ["Only subscriptions for this entity.", demoId("entity", 1)],
    cancellation_reason_id: [
      "Only subscriptions that were cancelled for this reason.",
      demoId("cancellation_reason", 1),
    ],
    migration_source_ref: ["Only subscriptions with exactly this migration_source_ref.", "legacy-4711"],
    failed_payment: [
      "True: only subscriptions whose payment has failed (in dunning, or PAYMENT_FAILED). False: only others.",
      false,
    ],
    billing_blocked: [
      "True: only subscriptions whose billing is held up (billing_blocked_reason is not null). False: only others.",
      false,
    ],
    delivery_slot_id: ["Only subscriptions delivered in this slot.", demoId("delivery_slot", 1)],
    updated_after: [`Only subscriptions that last changed after this: ${wholeDay}`, "2026-11-01"],
    created_before: [`Only subscriptions created before this: ${wholeDay}`, "2026-11-20"],
    created_after: [`Only subscriptions created after this: ${wholeDay}`, "2026-01-01"],
    next_billing_before: ["Only subscriptions billed next before this date.", "2026-12-01"],
    next_billing_after: ["Only subscriptions billed next after this date.", "2026-11-20"],
    next_delivery_before: ["Only subscriptions delivered next before this date.", "2026-12-01"],
    next_delivery_after: ["Only subscriptions delivered next after this date.", "2026-11-20"],
    next_production_before: ["Only subscriptions packed next before this date.", "2026-12-01"],
    next_production_after: ["Only subscriptions packed next after this date.", "2026-11-20"],
  },
  { description: "Which subscriptions are exported: the filters of listSubscriptions of these names." },
);

const OrderFilter = named(
  "OrderExportFilter",
  OrderQuery.pick({
    ...{ status: true, fulfillment_status: true, profile_id: true, subscription_id: true },
    ...{ delivery_date_from: true, delivery_date_to: true, billing_date_from: true },
    ...{ billing_date_to: true, production_date_from: true, production_date_to: true },
  }).extend({ has_subscription: flag, is_checkout_order: flag }),
  {
    status: [`Only these: one or more of ${orderStatuses.join(", ")}, divided by commas.`, "PAID"],
    fulfillment_status: "Only orders shipped this far.",
    profile_id: ["Only orders of this profile.", demoId("profile", 1)],
    subscription_id: ["Only orders of this subscription.", demoId("subscription", 1)],
    has_subscription: ["True: only orders with a subscription. False: only those without.", true],
    is_checkout_order: ["True: only orders made at the store's checkout. False: only the others.", false],
    delivery_date_from: ["Only orders delivered on this date or later.", "2026-01-01"],
    delivery_date_to: ["Only orders delivered on this date or earlier.", "2026-12-31"],
    billing_date_from: ["Only orders billed on this date or later.", "2026-01-01"],
    billing_date_to: ["Only orders billed on this date or earlier.", "2026-12-31"],
    production_date_from: ["Only orders packed on this date or later.", "2026-01-01"],
    production_date_to: ["Only orders packed on this date or earlier.", "2026-12-31"],
  },
  { description: "Which orders are exported: the filters of listOrders of these names." },
);

const AttemptFilter = named(
  "BillingAttemptExportFilter",
  AttemptQuery.pick({ status: true, trigger: true, from: true, to: true, subscription_id: true }),
  {
    status: [`Only these: one or more of ${attemptStatuses.join(", ")}, divided by commas.`, "FAILED"],
    trigger: "Only attempts that were started by this.",
    from: [`Only attempts that were started at this time or later: ${wholeDay}`, "2026-01-01"],
    to: [`Only attempts that were started at this time or earlier: ${wholeDay}`, "2026-12-31"],
    subscription_id: ["Only attempts of this subscription.", demoId("subscription", 1)],
  },
  {
    description: "Which billing attempts are exported: the filters of listAllBillingAttempts of these names.",
  },
);

const EventFilter = named(
  "EventExportFilter",
  EventQuery.pick({ types: true }),
  {
    types: [
      "Only events of these types, at most 100, divided by commas; `subscription.*` stands for all of its kind.",
      "subscription.*,billing.failed",
    ],
  },
  { description: "Which events are exported: the filter of listEvents of this name." },
);

/** The body of an export of one resource. */
function requestFor<Resource extends ExportResource, Filter extends z.ZodObject>(
  resource: Resource,
  { name, records, filter }: { name: string; records: string; filter: Filter },
) {
  const { jsonl, csv } = fieldsOf[resource];
  const names = [...new Set([...jsonl, ...csv])];
  const field = z.enum(names).openapi(`${name}ExportField`, {
    description: `A field of ${records} that are exported: ${names.join(", ")}.`,
  });
  return named(
    `${name}ExportRequest`,
    z.strictObject({
      resource: z.literal(resource),
      format,
      filter: filter.optional(),
      fields: z.array(field).min(1).max(names.length).optional(),
    }),
    {
      resource: `${resource}: the export is of ${records}.`,
      format: "How they are written.",
      filter: "Which of them. All by default.",
      fields: [
        "The fields that are written, in this order, each once. Those of JSON lines by default are the record's own, as its GET answers it, and of a subscription import_values besides, which an import takes; of CSV those of the format.",
        names.slice(0, 2),
      ],
    },
    { description: `An export of ${records}.` },
  );
}

export const ExportRequest = z
  .discriminatedUnion("resource", [
    requestFor("subscriptions", {
      name: "Subscription",
      records: "subscriptions",
      filter: SubscriptionFilter,
    }),
    requestFor("profiles", { name: "Profile", records: "profiles", filter: ProfileFilter }),
    requestFor("orders", { name: "Order", records: "orders", filter: OrderFilter }),
    requestFor("billing_attempts", {
      name: "BillingAttempt",
      records: "billing attempts",
      filter: AttemptFilter,
    }),
    requestFor("events", { name: "Event", records: "events", filter: EventFilter }),
  ])
  .openapi("ExportRequest", { example: { resource: "subscriptions", format: "csv" } });

const ExportPart = named(
  "ExportPart",
  z.strictObject({ n: z.int(), url: z.string().nullable(), rows_at_most: z.int() }),
  {
    n: ["The part's number, counted from 1.", 1],
    url: [
      "The address that the part is read from, without credentials: whoever has it can read it. It ends with expires_at, and within 30 seconds once the key that asked for it is revoked. Null in a dry run.",
      "https://api.example.com/exports/eyJleHBvcnRfaWQiOiI.3f1c",
    ],
    rows_at_most: [
      "How many records the part has at most. A filter leaves fewer, and so do records that were deleted. A subscription of several products has several lines in CSV.",
      50_000,
    ],
  },
  { description: "A part of an export: a fixed range of records." },
);

const ExportBody = named(
  "Export",
  z.strictObject({
    id: idOut.nullable(),
    as_of_sequence: int64,
    parts: z.array(ExportPart),
    expires_at: instant,
  }),
  {
    id: [
      "The export's id, which is that of its event account.exported. Null in a dry run.",
      demoId("activity_log", 8),
    ],
    as_of_sequence: [
      "The sequence of the account's last event when the export was made. All that happened up to it is in the export; listEvents after it has everything since.",
      1042,
    ],
    parts: "The parts, in the order of their records. There is at least one.",
    expires_at: ["When the addresses end: UTC, an hour after they were made.", "2026-11-20T13:00:00.000Z"],
  },
  { description: "Records of the account to be copied out, and where they are read." },
);

export const ExportData = dataOf(ExportBody, "ExportData", "The export.");
