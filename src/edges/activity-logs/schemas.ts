import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { anyText, dateIn, freeForm, idIn, instant, orNull, text } from "../../kit/http/document/params.ts";
import { pageQuery } from "../../kit/http/list/pagination.ts";
import { ActorType } from "../../kit/journal/actor-type.ts";
import { loggableTypes } from "../../kit/journal/tables.ts";

const anObject = z.record(z.string(), z.unknown());
const action = z.string().openapi({ example: "integration_label_printed" });
const loggable_type = z.enum(loggableTypes).openapi("LoggableType", {
  description: "What an entry of the history is about: a subscription or an order.",
});

/** The descriptions of an entry's fields, in requests and responses. */
const entryTexts = {
  ...commonTexts,
  id: ["The entry's id.", demoId("activity_log", 8)],
  action: [
    "What happened: a verb of the service's own such as subscription_paused, or `integration_` and an integration's own name.",
    "integration_label_printed",
  ],
  description: ["More about it, at most 2,000 characters; null for nothing.", "Shipping label printed"],
  changes: [
    "What changed, by field: `{from, to}`. Null where nothing is to be told.",
    { status: { from: "ACTIVE", to: "PAUSED" } },
  ],
  metadata: ["What else there is to know: a free-form object. Null for nothing.", { carrier: "UPS" }],
  actor_type: "Who did it; null where nobody did.",
  actor_name: [
    "The actor's name: a member of staff, or the name of a key. Null if not known.",
    "Ada Operator",
  ],
  loggable_type: "What the entry is about.",
  loggable_id: ["The id of the subscription or order that it is about.", demoId("order", 1)],
  subscription_id: ["The id of the subscription concerned; null for none.", demoId("subscription", 1)],
  order_id: ["The id of the order concerned; null for none.", demoId("order", 1)],
  profile_id: ["The id of the customer concerned; null if not known.", demoId("profile", 1)],
  subscription_number: ["The subscription's number; null for none.", "1001"],
  order_number: ["The order's number at the store; null for none.", "D10001"],
  customer_name: ["The customer's name now; null if not known.", "Ada Lovelace"],
  customer_email: ["The customer's e-mail address now; null if not known.", "ada@example.com"],
  created_at: ["When it happened: UTC, in the account's own time.", "2026-11-20T12:00:00.000Z"],
} as const satisfies Record<string, FieldText>;

/** An entry of the activity feed. */
export const ActivityLogBody = named(
  "ActivityLog",
  z.strictObject({
    id: idOut,
    action,
    description: z.string().nullable(),
    changes: anObject.nullable(),
    metadata: anObject.nullable(),
    actor_type: orNull(ActorType),
    actor_name: z.string().nullable(),
    loggable_type,
    loggable_id: idOut,
    subscription_id: idOut.nullable(),
    order_id: idOut.nullable(),
    profile_id: idOut.nullable(),
    subscription_number: z.string().nullable(),
    order_number: z.string().nullable(),
    customer_name: z.string().nullable(),
    customer_email: z.string().nullable(),
    created_at: instant,
  }),
  entryTexts,
  { description: "An entry of the history of a subscription or an order." },
);

const FeedMeta = named(
  "ActivityFeedMeta",
  z.strictObject({
    total: z.int(),
    per_page: z.int(),
    current_page: z.int(),
    last_page: z.int(),
    total_is_estimate: z.boolean().optional(),
    is_partial: z.boolean().optional(),
  }),
  {
    total: ["How many entries match, on all pages together.", 60],
    per_page: ["The most entries that a page has: the request's `limit`.", 25],
    current_page: ["The page that this is, counted from 1.", 1],
    last_page: ["The last page; 1 where nothing matches.", 3],
    total_is_estimate:
      "True where the request looked at as many entries as one may: `total` and `last_page` are then lower bounds. Absent otherwise.",
    is_partial:
      "True where the page is short, or empty, while the header `Link` has a `next`. Absent otherwise.",
  },
  { description: "Where a page is in the feed." },
);

export const ActivityFeed = named(
  "ActivityFeed",
  z.strictObject({ data: z.array(ActivityLogBody), metadata: FeedMeta }),
  { data: "The entries of this page, newest first.", metadata: "Where this page is in the feed." },
);

export const FeedQuery = z.strictObject({
  start_date: dateIn.openapi({
    description: "First day, inclusive, in the account's time zone.",
    example: "2026-01-01",
  }),
  end_date: dateIn.openapi({
    description: "Last day, inclusive, in the account's time zone.",
    example: "2026-12-31",
  }),
  subscription_id: idIn.optional().openapi({
    description: "Only entries about this subscription itself.",
    example: demoId("subscription", 1),
  }),
  order_id: idIn.optional().openapi({
    description: "Only entries about this order itself. It takes precedence over subscription_id.",
    example: demoId("order", 1),
  }),
  actor_type: ActorType.optional().openapi({
    param: { description: "Only entries of this kind of actor. `system` includes entries without an actor." },
  }),
  actor_name: anyText.optional().openapi({
    description: "Only entries of this member of staff. Ignored unless actor_type is `admin`.",
    example: "Ada Operator",
  }),
  action: anyText.optional().openapi({
    description:
      "Only entries with one of these actions, separated by commas. `integration_` stands for the actions of all integrations.",
    example: "subscription_paused,subscription_resumed",
  }),
  ...pageQuery,
});

export const TimelineQuery = z.strictObject(pageQuery);

const custom = text({ min: 1, max: 255 })
  .refine((value) => value.startsWith("integration_"), "must start with integration_")
  .openapi({ example: "integration_label_printed", pattern: "^integration_[^\\u0000]*$" });

export const ActivityLogCreate = named(
  "ActivityLogCreate",
  z.strictObject({
    loggable_type,
    loggable_id: idIn,
    action: custom,
    description: text({ max: 2000 }).optional(),
    metadata: freeForm.optional(),
  }),
  {
    ...entryTexts,
    action: [
      "What happened: `integration_` and a name of the integration's own, at most 255 characters in all.",
      "integration_label_printed",
    ],
    description: ["More about it, at most 2,000 characters. Absent: nothing.", "Shipping label printed"],
    metadata: [
      "What else there is to know: a free-form object, at most 16,000 bytes as JSON. Absent: nothing.",
      { carrier: "UPS" },
    ],
  },
  {
    example: {
      loggable_type: "order",
      loggable_id: demoId("order", 1),
      action: "integration_label_printed",
      description: "Shipping label printed",
      metadata: { carrier: "UPS" },
    },
  },
);

export const ActivityLogCreated = named(
  "ActivityLogCreated",
  ActivityLogBody.pick({
    id: true,
    loggable_type: true,
    loggable_id: true,
    action: true,
    description: true,
    metadata: true,
    actor_type: true,
    actor_name: true,
    created_at: true,
  }),
  entryTexts,
  { description: "An entry that an integration has added." },
);

export const Names = named("Names", z.strictObject({ data: z.array(z.string()) }), {
  data: ["The names in alphabetical order.", ["Ada Operator", "Sam Support"]],
});

export type NewActivityLog = z.output<typeof ActivityLogCreate>;
