import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { dateIn, dateOut, idIn, instant, text } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { closedKinds } from "../delivery/closed-days.ts";
import { closedRules } from "../delivery/tables.ts";

const appliesTo = z.enum(closedKinds).openapi("ClosedKind", {
  description:
    "A kind of date: `delivery`, `production` (the packing of a delivery) or `billing` (its charge).",
});
const rule = z.enum(closedRules).openapi("ClosedDayRule", {
  description:
    "Where a date goes that the schedule has on a closed day: to the nearest open day before it (`earlier`), after it (`later`), or nowhere, so that the next one of the schedule follows (`skip`).",
});

/** The descriptions of the fields of closed days, in requests and responses. */
const texts = {
  ...commonTexts,
  id: ["The id of the closed days.", demoId("closed_day", 1)],
  from: [
    "The first closed day, in the account's time zone, at most ten years ahead: yyyy-MM-dd.",
    "2026-12-24",
  ],
  to: [
    "The last closed day, the first itself for a single one. At most 60 days in a row can be closed, and 400 in all.",
    "2026-12-26",
  ],
  applies_to: [
    "For which kinds of dates the days are closed: one or more of delivery, production and billing. All by default.",
    ["delivery", "production", "billing"],
  ],
  slot_ids: [
    "The ids of the delivery slots that are closed. Empty, the default: all of them, and subscriptions without a slot.",
    [],
  ],
  rule: [
    "Where dates go that the schedule has on these days: earlier, later or skip. A production date always goes earlier where it can.",
    "later",
  ],
  label: [
    "Why the days are closed, 1 to 255 characters. People read it where a date is refused or moved.",
    "Christmas",
  ],
} as const satisfies Record<string, FieldText>;

/** Days on which the store is closed. */
export const ClosedDayBody = named(
  "ClosedDay",
  z.strictObject({
    id: idOut,
    from: dateOut,
    to: dateOut,
    applies_to: z.array(appliesTo),
    slot_ids: z.array(idOut),
    rule,
    label: z.string(),
    created_at: instant,
    updated_at: instant,
  }),
  texts,
  { description: "Days on which the store does not deliver, pack or charge, and where dates on them go." },
);

const count = z.int().min(0);

/** The answer to a dry run. */
const ClosedDayPreview = named(
  "ClosedDayPreview",
  z.strictObject({
    affected: count,
    by_rule: named("ClosedDayPreviewRules", z.strictObject({ earlier: count, later: count, skip: count }), {
      earlier: ["How many subscriptions have a date on days whose rule is earlier.", 0],
      later: ["How many subscriptions have a date on days whose rule is later.", 12],
      skip: ["How many subscriptions have a date on days whose rule is skip.", 0],
    }),
    first: z.array(
      named("ClosedDayPreviewItem", z.strictObject({ subscription_id: idOut, from: dateOut, to: dateOut }), {
        subscription_id: ["The id of the subscription.", demoId("subscription", 1)],
        from: [
          "The next date as it is, of the delivery, or of its charge or packing where only that moves.",
          "2026-12-25",
        ],
        to: ["The same date as it would be.", "2026-12-28"],
      }),
    ),
  }),
  {
    affected: ["How many subscriptions would have another next date; 10,000 are looked at, at most.", 12],
    by_rule:
      "How many of them each rule moves; those that are put back are counted under the rule that had moved them.",
    first: "The first 20 of them.",
  },
);

export const ClosedDayData = dataOf(ClosedDayBody, "ClosedDayData", "The closed days.");
export const ClosedDayList = listOf(ClosedDayBody, "ClosedDayList");
export const ClosedDayPreviewData = dataOf(ClosedDayPreview, "ClosedDayPreviewData", "What would be moved.");
export const ClosedDayChanged = dataOf(
  z.union([ClosedDayBody, ClosedDayPreview]),
  "ClosedDayChanged",
  "The closed days as they now are; for a dry run what would be moved.",
);
export const ClosedDayQuery = z.strictObject(pageQuery);

const kindsIn = z.array(appliesTo).min(1).max(3);
const slotsIn = z.array(idIn).max(100);
const label = text({ min: 1, max: 255 });

export const ClosedDayCreate = named(
  "ClosedDayCreate",
  z.strictObject({
    from: dateIn,
    to: dateIn,
    applies_to: kindsIn.optional(),
    slot_ids: slotsIn.optional(),
    rule,
    label,
  }),
  texts,
  { example: { from: "2026-12-24", to: "2026-12-26", rule: "later", label: "Christmas" } },
);
export const ClosedDayUpdate = named(
  "ClosedDayUpdate",
  z.strictObject({
    from: dateIn.optional(),
    to: dateIn.optional(),
    applies_to: kindsIn.optional(),
    slot_ids: slotsIn.optional(),
    rule: rule.optional(),
    label: label.optional(),
  }),
  {
    ...texts,
    applies_to: [
      "For which kinds of dates the days are closed: one or more of delivery, production and billing.",
      ["delivery"],
    ],
    slot_ids: [
      "The ids of the delivery slots that are closed. Empty: all of them, and subscriptions without a slot.",
      [],
    ],
  },
  { description: "Fields that are absent stay as they are.", example: { to: "2026-12-27" } },
);

export type NewClosedDay = z.output<typeof ClosedDayCreate>;
export type ClosedDayChanges = z.output<typeof ClosedDayUpdate>;
