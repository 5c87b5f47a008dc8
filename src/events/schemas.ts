import { z } from "@hono/zod-openapi";
import { demoId } from "../demo.ts";
import { eventFilterPattern, isEventFilter, ownEventTypes } from "../event-types.ts";
import { instant, int64, orNull, queryInteger } from "../http/params.ts";
import { ActorType } from "../journal/actor-type.ts";
import { subjectTypes } from "../journal/tables.ts";

const aRecord = z.string().nullable();

/** The name of a type in a response. */
export const eventType = z.string().openapi({
  description: `What happened: ${ownEventTypes.join(", ")}, or \`integration.\` and the name of an integration's own event.`,
  example: "subscription.paused",
});

export const eventFields = {
  id: z.string().openapi({
    format: "uuid",
    description: "Names the event everywhere: in this list, and in each try to deliver it.",
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
    description: "The actor's name, where it is known: a member of staff, or the name of a key.",
  }),
  subject: z
    .strictObject({
      type: z
        .enum([...subjectTypes, "webhook_endpoint"])
        .openapi("EventSubjectType", { description: "The kind of record.", example: "subscription" }),
      id: z.string().openapi({ description: "The record's id.", example: demoId("subscription", 1) }),
    })
    .openapi({ description: "What the event is about." }),
  subscription_id: aRecord.openapi({ description: "The subscription concerned, if it is one." }),
  order_id: aRecord.openapi({ description: "The order concerned, if it is one." }),
  profile_id: aRecord.openapi({ description: "The customer concerned, if it is one." }),
  changes: z
    .record(z.string(), z.unknown())
    .nullable()
    .openapi({ description: "What changed, by field: `{from, to}`; null where nothing is to be told." }),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .openapi({ description: "What else there is to know of the event; null where there is nothing." }),
};

export const EventBody = z.strictObject(eventFields).openapi("Event");

export const EventData = z.strictObject({ data: EventBody }).openapi("EventData");

export const EventList = z
  .strictObject({
    data: z.array(EventBody).openapi({ description: "Events in ascending order of `sequence`." }),
    meta: z.strictObject({
      next_after: int64.openapi({
        description:
          "What `after` is to be in the next request: the last sequence of this page, or the `after` of this request where the page is empty.",
        example: 1042,
      }),
      has_more: z.boolean().openapi({ description: "Whether events that match come after this page now." }),
    }),
  })
  .openapi("EventList");

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
      "Only events of these types, divided by commas; `subscription.*` stands for all of its kind.",
    example: "billing.failed,subscription.*",
  });

const sequence = queryInteger({ min: 0, max: 999_999_999_999_999, fallback: 0 });

export const EventQuery = z.strictObject({
  after: sequence.openapi({
    format: "int64",
    description: "Events after this sequence: the last one that was read, 0 to begin with the first event.",
    example: 0,
  }),
  types: filters.optional(),
  limit: queryInteger({ min: 1, max: 100, fallback: 25 }).openapi({
    description: "Events of a page, 1 to 100; 25 unless told.",
  }),
});
