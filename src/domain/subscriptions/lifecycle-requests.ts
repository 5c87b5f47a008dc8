import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { futureDateIn, idIn, maxText, text } from "../../kit/http/document/params.ts";

const reason = text({ max: maxText });

/** The descriptions of a reason's fields in a request. */
const reasonTexts = {
  reason: ["Why, in the caller's words, at most 10,000 characters. Null or absent: nothing is said.", null],
} as const satisfies Record<string, FieldText>;

const skipReasonText: FieldText = [
  "The id of an active skip reason. Staff may leave it out; others must choose one while the account has any.",
  demoId("skip_reason", 1),
];

export const SkipRequest = named(
  "SkipRequest",
  z.strictObject({
    skip_weeks: z.int().min(1).max(52),
    reason: reason.nullable().optional(),
    skip_reason_id: idIn.nullable().optional(),
  }),
  {
    ...reasonTexts,
    skip_weeks: ["By how many weeks the next dates are moved, 1 to 52.", 1],
    skip_reason_id: skipReasonText,
  },
  { example: { skip_weeks: 1, skip_reason_id: demoId("skip_reason", 1) } },
);

export const SkipDeliveriesRequest = named(
  "SkipDeliveriesRequest",
  z.strictObject({
    count: z.int().min(1).max(12).default(1),
    reason: reason.nullable().optional(),
    skip_reason_id: idIn.nullable().optional(),
  }),
  {
    ...reasonTexts,
    count: ["How many deliveries fall away, 1 to 12.", 1],
    skip_reason_id: skipReasonText,
  },
  { example: { count: 1, skip_reason_id: demoId("skip_reason", 1) } },
);

/** The body of an operation without fields. Unknown fields are still refused by name. */
export const NoFields = z
  .strictObject({})
  .openapi("NoFields", { description: "An object without fields. The body may be left out.", example: {} });

export const PauseRequest = named(
  "PauseRequest",
  z.strictObject({
    pause_until: futureDateIn.nullable().optional(),
    reason: reason.nullable().optional(),
    pause_reason_id: idIn.nullable().optional(),
  }),
  {
    ...reasonTexts,
    pause_until: [
      "The date on which it resumes by itself, from tomorrow to ten years ahead: a calendar date, or a date-time, whose date in the account's time zone counts. Null or absent: it stays paused until it is resumed; absent, one that is paused keeps its end.",
      "2030-01-15",
    ],
    pause_reason_id: ["The id of an active pause reason. Null or absent: none.", demoId("pause_reason", 1)],
  },
  { example: { pause_reason_id: demoId("pause_reason", 1) } },
);

export const RestartRequest = named(
  "RestartRequest",
  z.strictObject({ next_delivery_date: futureDateIn.optional() }),
  {
    next_delivery_date: [
      "The date of the next delivery, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. From tomorrow on to resume, from today on to reactivate, at most ten years ahead. Absent: the first possible date from tomorrow on, as its schedule has it.",
      "2030-01-15",
    ],
  },
  { example: {} },
);

export const CancelRequest = named(
  "CancelRequest",
  z.strictObject({
    reason: reason.nullable().optional(),
    cancellation_reason_id: idIn.nullable().optional(),
  }),
  {
    ...reasonTexts,
    cancellation_reason_id: [
      "The id of an active cancellation reason. Null or absent: none.",
      demoId("cancellation_reason", 1),
    ],
  },
  { example: { cancellation_reason_id: demoId("cancellation_reason", 1) } },
);
