import { z } from "@hono/zod-openapi";
import { idIn, instant, int64, nullableText, text } from "../http/params.ts";

const label = text({ min: 1, max: 255 }).openapi({ example: "Going on holiday" });
const description = nullableText(1000).openapi({ example: "We will be away and cannot receive the box" });
const position = int64.min(0).max(Number.MAX_SAFE_INTEGER);

/** Skip, pause and cancellation reasons have the same shape. */
export const ReasonBody = z
  .strictObject({
    id: z.string(),
    is_active: z.boolean(),
    account_id: z.string(),
    position: int64.min(0),
    label: z.string(),
    description: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Reason");

export const ReasonData = z.strictObject({ data: ReasonBody }).openapi("ReasonData");
export const ReasonList = z.array(ReasonData).openapi("ReasonList");

export const ReasonCreate = z
  .strictObject({
    label,
    description: description.optional(),
    is_active: z.boolean().optional(),
    position: position.optional(),
  })
  .openapi("ReasonCreate", { example: { label: "Going on holiday", description: null, is_active: true } });

export const ReasonUpdate = z
  .strictObject({
    label: label.optional(),
    description: description.optional(),
    is_active: z.boolean().optional(),
    position: position.optional(),
  })
  .openapi("ReasonUpdate", { example: { label: "On holiday" } });

export const ReasonReorder = z.strictObject({
  ordered_ids: z.array(idIn).max(10_000).openapi({ uniqueItems: true }),
});
export const ReasonReordered = z.strictObject({ success: z.boolean() }).openapi("ReasonReordered");

export type NewReason = z.output<typeof ReasonCreate>;
export type ReasonChanges = z.output<typeof ReasonUpdate>;
