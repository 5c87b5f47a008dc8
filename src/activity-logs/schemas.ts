import { z } from "@hono/zod-openapi";
import { demoId } from "../demo.ts";
import { pageQuery } from "../http/pagination.ts";
import { anyText, dateIn, freeForm, idIn, instant, orNull, text } from "../http/params.ts";
import { ActorType } from "../journal/actor-type.ts";
import { loggableTypes } from "../journal/tables.ts";

const anObject = z.record(z.string(), z.unknown());
const action = z.string().openapi({ example: "integration_label_printed" });
const loggable_type = z.enum(loggableTypes).openapi("LoggableType");

/** An entry of the activity feed. */
export const ActivityLogBody = z
  .strictObject({
    id: z.string().openapi({ format: "uuid" }),
    action,
    description: z.string().nullable(),
    changes: anObject.nullable(),
    metadata: anObject.nullable(),
    actor_type: orNull(ActorType),
    actor_name: z.string().nullable(),
    loggable_type,
    loggable_id: z.string(),
    subscription_id: z.string().nullable(),
    order_id: z.string().nullable(),
    profile_id: z.string().nullable(),
    subscription_number: z.string().nullable(),
    order_number: z.string().nullable(),
    customer_name: z.string().nullable(),
    customer_email: z.string().nullable(),
    created_at: instant,
  })
  .openapi("ActivityLog");

export const ActivityFeed = z
  .strictObject({
    data: z.array(ActivityLogBody),
    metadata: z.strictObject({
      total: z.int(),
      per_page: z.int(),
      current_page: z.int(),
      last_page: z.int(),
      total_is_estimate: z.boolean().optional().openapi({
        description:
          "True where there are more entries than were counted: `total` and `last_page` are lower bounds.",
      }),
    }),
  })
  .openapi("ActivityFeed");

export const FeedQuery = z.strictObject({
  start_date: dateIn.openapi({
    description: "First day, inclusive, in the account's time zone.",
    example: "2026-01-01",
  }),
  end_date: dateIn.openapi({
    description: "Last day, inclusive, in the account's time zone.",
    example: "2026-12-31",
  }),
  subscription_id: idIn.optional().openapi({ description: "Only entries about this subscription." }),
  order_id: idIn
    .optional()
    .openapi({ description: "Only entries about this order. Takes precedence over subscription_id." }),
  actor_type: ActorType.optional().openapi({
    description: "Only entries of this kind of actor. `system` includes entries without an actor.",
  }),
  actor_name: anyText
    .optional()
    .openapi({ description: "Only entries of this member of staff. Ignored unless actor_type is admin." }),
  action: anyText.optional().openapi({
    description:
      "One or more action names, separated by commas. `integration_` stands for the actions of all integrations.",
  }),
  ...pageQuery,
});

export const TimelineQuery = z.strictObject(pageQuery);

const custom = text({ min: 1, max: 255 })
  .refine((value) => value.startsWith("integration_"), "must start with integration_")
  .openapi({ example: "integration_label_printed", pattern: "^integration_[^\\u0000]*$" });

export const ActivityLogCreate = z
  .strictObject({
    loggable_type,
    loggable_id: idIn,
    action: custom,
    description: text({ max: 2000 }).optional(),
    metadata: freeForm.optional(),
  })
  .openapi("ActivityLogCreate", {
    example: {
      loggable_type: "order",
      loggable_id: demoId("order", 1),
      action: "integration_label_printed",
      description: "Shipping label printed",
      metadata: { carrier: "UPS" },
    },
  });

export const ActivityLogCreated = ActivityLogBody.pick({
  id: true,
  loggable_type: true,
  loggable_id: true,
  action: true,
  description: true,
  metadata: true,
  actor_type: true,
  actor_name: true,
  created_at: true,
}).openapi("ActivityLogCreated");

export const Names = z.strictObject({ data: z.array(z.string()) }).openapi("Names");

export type NewActivityLog = z.output<typeof ActivityLogCreate>;
