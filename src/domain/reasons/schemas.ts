import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { idIn, instant, int64, nullableText, orNull, text } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";

/** Each kind of reason has this body under a name of its own, because its example has the kind's ids. */
export function reasonReorder(name: string, exampleIds: string[]) {
  return named(
    name,
    z.strictObject({ ordered_ids: z.array(idIn).max(10_000).openapi({ uniqueItems: true }) }),
    { ordered_ids: ["The id of every reason that is not deleted, once, in the new order.", exampleIds] },
    { example: { ordered_ids: exampleIds } },
  );
}

const label = text({ min: 1, max: 255 }).openapi({ example: "Going on holiday" });
const description = nullableText(1000).openapi({ example: "We will be away and cannot receive the box" });
const position = int64.min(0).max(Number.MAX_SAFE_INTEGER);

/** The descriptions of a reason's fields, in requests and responses. */
const reasonTexts = {
  ...commonTexts,
  id: ["The reason's id.", demoId("skip_reason", 1)],
  label: [
    "What customers choose, 1 to 255 characters; in their own language where `labels` has it.",
    "Going on holiday",
  ],
  labels: [
    "The label in other languages. Customers whose language has none see `label`. Absent in responses where there are none.",
    { de: "Ich bin im Urlaub", fr: "Je pars en vacances", es: "Me voy de vacaciones" },
  ],
  description: ["More about the reason, at most 1,000 characters; null for nothing.", null],
  is_active: "Whether the reason can be chosen. True by default.",
  position: [
    "The reason's place in the list, smallest first; of the same position the older one comes first. By default it goes last.",
    0,
  ],
} as const satisfies Record<string, FieldText>;

const languageTexts = {
  de: ["The label in German, 1 to 255 characters.", "Ich bin im Urlaub"],
  fr: ["The label in French, 1 to 255 characters.", "Je pars en vacances"],
  es: ["The label in Spanish, 1 to 255 characters.", "Me voy de vacaciones"],
} as const satisfies Record<string, FieldText>;

export const ReasonLabels = named(
  "ReasonLabels",
  z.strictObject({ de: z.string().optional(), fr: z.string().optional(), es: z.string().optional() }),
  languageTexts,
  { description: "A label by language. A language without one is absent." },
);

const translation = text({ min: 1, max: 255 }).nullable().optional();
const ReasonLabelsUpdate = named(
  "ReasonLabelsUpdate",
  z.strictObject({ de: translation, fr: translation, es: translation }),
  languageTexts,
  { description: "A label by language. Null clears one; a language that is absent stays as it is." },
);

/** Skip, pause and cancellation reasons have the same shape. */
const ReasonBody = named(
  "Reason",
  z.strictObject({
    id: idOut,
    is_active: z.boolean(),
    account_id: idOut,
    position: int64.min(0),
    label: z.string(),
    labels: ReasonLabels.optional(),
    description: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  reasonTexts,
  { description: "A reason that customers can give for a skip, a pause or a cancellation." },
);

export const ReasonData = dataOf(ReasonBody, "ReasonData", "The reason.");
export const ReasonList = z.array(ReasonData).openapi("ReasonList", {
  description: "All reasons by position, without pages. Each is an object with the reason in `data`.",
});

const fields = {
  labels: orNull(ReasonLabelsUpdate).optional(),
  description: description.optional(),
  is_active: z.boolean().optional(),
  position: position.optional(),
};

export const ReasonCreate = named("ReasonCreate", z.strictObject({ label, ...fields }), reasonTexts, {
  example: { label: "Going on holiday", description: null, is_active: true },
});

export const ReasonUpdate = named(
  "ReasonUpdate",
  z.strictObject({ label: label.optional(), ...fields }),
  {
    ...reasonTexts,
    is_active: "Whether the reason can be chosen.",
    position: ["The reason's place in the list, smallest first.", 0],
  },
  {
    description:
      "Fields that are absent stay as they are. Null clears a description, a label in one language, or all of `labels`.",
    example: { label: "On holiday" },
  },
);

export const ReasonReordered = named("ReasonReordered", z.strictObject({ success: z.boolean() }), {
  success: "Always true: a list that cannot be applied is an error.",
});

export type NewReason = z.output<typeof ReasonCreate>;
export type ReasonChanges = z.output<typeof ReasonUpdate>;
