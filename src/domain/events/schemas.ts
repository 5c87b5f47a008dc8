import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { eventFilterPattern, isEventFilter, ownEventTypes } from "../../base/event-types.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { instant, int64, orNull, queryInteger } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { ActorType } from "../../kit/journal/actor-type.ts";
import { subjectTypes } from "../../kit/journal/tables.ts";

const subjectType = z.enum([...subjectTypes, "webhook_endpoint"]).openapi("EventSubjectType", {
  description:
    "The kind of record that an event is about: subscription, order, profile, declaration, account, api_key, job, staff, or webhook_endpoint (a test).",
});

const aRecord = idOut.nullable();

/** The name of a type in a response. */
const eventType = z.string().openapi("EventType", {
  description: `What happened: ${ownEventTypes.join(", ")}, or \`integration.\` and the name of an integration's own event.`,
  example: "subscription.paused",
});

const EventSubject = named(
  "EventSubject",
  z.strictObject({ type: subjectType, id: z.string() }),
  {
    type: "The kind of record.",
    id: ["The record's id.", demoId("subscription", 1)],
  },
  { description: "The record that an event is about." },
);

export const eventFields = {
  id: z.string().openapi({
    format: "uuid",
    description: "Names the event everywhere: in this list, and in each try to deliver it.",
    example: demoId("activity_log", 8),
  }),
  sequence: int64.openapi({
    description:
      "The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.",
    example: 1042,
  }),
  type: eventType,
  created_at: instant.openapi({ description: "When it happened, in the account's own time." }),
  actor_type: orNull(ActorType).openapi({
    description: "Who did it; null or `system` where nobody did.",
  }),
  actor_name: z.string().nullable().openapi({
    description: "The actor's name: a member of staff, or the name of a key. Null if not known.",
    example: "Ada Operator",
  }),
  subject: EventSubject,
  subscription_id: aRecord.openapi({
    description: "The id of the subscription concerned; null for none.",
    example: demoId("subscription", 1),
  }),
  order_id: aRecord.openapi({
    description: "The id of the order concerned; null for none.",
    example: null,
  }),
  profile_id: aRecord.openapi({
    description: "The id of the customer concerned; null for none.",
    example: demoId("profile", 1),
  }),
  changes: z
    .record(z.string(), z.unknown())
    .nullable()
    .openapi({
      description: "What changed, by field: `{from, to}`; null where nothing is to be told.",
      example: { status: { from: "ACTIVE", to: "PAUSED" } },
    }),
  metadata: z.record(z.string(), z.unknown()).nullable().openapi({
    description: "What else there is to know of the event; null where there is nothing.",
    example: null,
  }),
};

export const EventBody = z.strictObject(eventFields).openapi("Event", {
  description: "Something that has happened to a record of the account.",
});

export const EventData = dataOf(EventBody, "EventData", "The event.");

const EventListMeta = named(
  "EventListMeta",
  z.strictObject({ next_after: int64, has_more: z.boolean() }),
  {
    next_after: [
      "What `after` is to be in the next request: the last sequence of this page, or the `after` of this request where the page is empty.",
      1042,
    ],
    has_more: "Whether events that match come after this page now.",
  },
  { description: "Where to go on reading." },
);

export const EventList = named(
  "EventList",
  z.strictObject({ data: z.array(EventBody), meta: EventListMeta }),
  { data: "Events in ascending order of `sequence`.", meta: "Where to go on reading." },
);

/** A list of types in a request: each is a type, or all types of a kind such as `subscription.*`. */
const mostFilters = 100;
const filters = z
  .string()
  .transform((list) => [...new Set(list.split(",").map((item) => item.trim()))])
  .refine(
    (list) => list.every(isEventFilter),
    "must be types of events divided by commas, such as billing.failed, subscription.* or integration.*",
  )
  .refine((list) => list.length <= mostFilters, `must name at most ${mostFilters} types`)
  .openapi({
    type: "string",
    pattern: `^(${eventFilterPattern})(,(${eventFilterPattern})){0,${mostFilters - 1}}$`,
    description:
      "Only events of these types, at most 100, separated by commas; `subscription.*` stands for all of its kind.",
    example: "billing.failed,subscription.*",
  });

const sequence = queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 });

export const EventQuery = z.strictObject({
  after: sequence.openapi({
    format: "int64",
    description:
      "Only events after this sequence: the last one that was read. 0, the default, begins with the first event.",
    example: 0,
  }),
  types: filters.optional(),
  limit: queryInteger({ min: 1, max: 100, fallback: 25 }).openapi({
    description: "How many events a page has: 1 to 100, 25 by default.",
    example: 25,
  }),
});
