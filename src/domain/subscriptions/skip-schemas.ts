import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import { dateOut, instant } from "../../kit/http/document/params.ts";
import { listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { ReasonLabels } from "../reasons/schemas.ts";

export const SkipQuery = z.strictObject(pageQuery);

export const SkipBody = named(
  "Skip",
  z.strictObject({
    id: idOut,
    subscription_id: idOut,
    cycle: z.int(),
    skip_weeks: z.int(),
    deliveries: z.int().nullable(),
    reason: z.string().nullable(),
    skip_reason_id: idOut.nullable(),
    skip_reason_label: z.string().nullable(),
    skip_reason_labels: ReasonLabels.optional(),
    previous_billing_date: dateOut.nullable(),
    previous_delivery_date: dateOut.nullable(),
    previous_production_date: dateOut.nullable(),
    undone_at: instant.nullable(),
    created_at: instant,
  }),
  {
    ...commonTexts,
    ...referenceTexts,
    id: ["The skip's id.", demoId("subscription_skip", 1)],
    cycle: ["The number of the cycle that was put off.", 4],
    skip_weeks: [
      "By how many weeks the dates were moved, 1 to 52; 0 where deliveries fell away and the schedule kept its days.",
      1,
    ],
    deliveries: ["How many deliveries fell away; null where the dates were moved by weeks.", null],
    reason: ["Why, in the caller's words; null if nothing was said.", null],
    skip_reason_id: ["The id of the skip reason that was chosen; null for none.", demoId("skip_reason", 1)],
    skip_reason_label: ["The reason's label at that time; null for none.", "Going on holiday"],
    skip_reason_labels: [
      "The reason's label in other languages at that time. Absent where it had none.",
      { de: "Ich bin im Urlaub" },
    ],
    previous_billing_date: ["The date of the charge before the skip; null if there was none.", "2026-11-21"],
    previous_delivery_date: [
      "The date of the delivery before the skip; null if there was none.",
      "2026-11-24",
    ],
    previous_production_date: ["The date of packing before the skip; null if there was none.", "2026-11-23"],
    undone_at: ["When the skip was undone: UTC. Null if it stands.", null],
  },
  { description: "A skip: dates that were moved by some weeks, or deliveries that fell away." },
);
export const SkipList = listOf(SkipBody, "SkipList");
