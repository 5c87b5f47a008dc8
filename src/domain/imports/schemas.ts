import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { futureDateIn, idInPath, text } from "../../kit/http/document/params.ts";
import { type ImportField, importFieldNames, importFields } from "./fields.ts";
import { importFormats } from "./formats/formats.ts";

/** An object whose members are fields of an import, each described. */
function byField<Value extends z.ZodType>(
  name: string,
  value: Value,
  about: { texts: (field: ImportField) => FieldText; description: string; example: object },
) {
  const { texts, description, example } = about;
  const shape = Object.fromEntries(importFieldNames.map((field) => [field, value.optional()]));
  const described = Object.fromEntries(importFieldNames.map((field) => [field, texts(field)]));
  return named(
    name,
    z.strictObject(shape as Record<ImportField, z.ZodOptional<Value>>),
    described as Record<ImportField, FieldText>,
    { description, example },
  );
}

const Mapping = byField("ImportMapping", text({ min: 1, max: 255 }), {
  texts: (field) => [`The column that has it. ${importFields[field][0]}`, field],
  description: "The columns of a file that are called otherwise than the fields that they are.",
  example: { subscription_ref: "Subscription", email: "E-mail" },
});

const ImportValue = z
  .union([text({ max: 10_000 }), z.number(), z.boolean()])
  .openapi("ImportValue", { description: "A value as a file has it: text, a number or a boolean." });
const Defaults = byField("ImportDefaults", ImportValue, {
  texts: (field) => [`Its value where a row has none. ${importFields[field][0]}`, importFields[field][1]],
  description: "The values of fields that a row leaves empty.",
  example: { selling_plan_id: "plan-monthly" },
});

export const ImportCreate = named(
  "ImportCreate",
  z.strictObject({
    source: text({ min: 1, max: 64 }),
    format: z.enum(importFormats),
    mapping: Mapping.optional(),
    defaults: Defaults.optional(),
    charge_from: futureDateIn.optional(),
    past_due: z.enum(["bill", "pause"]).default("pause"),
    create_plans: z.boolean().optional(),
  }),
  {
    source: [
      "A name of your own for the system that the files come from, 1 to 64 characters. Within it each subscription_ref is moved in once, however often it is sent.",
      "old-shop",
    ],
    format:
      "What the files look like. perennial: exports of this service, and csv: a spreadsheet, both with the fields' names as columns. recharge: its migration template, or its subscriptions as JSON lines. stripe: its subscriptions as JSON lines. shopify: contracts of another app as CSV. orders: past orders.",
    mapping: "Which column is which field, where their names differ. Absent: none do.",
    defaults: "What a field is where a row leaves it empty. Absent: nothing.",
    charge_from: [
      "The first date on which this service may charge: from tomorrow to ten years ahead. A row that is to be charged before is at fault. Needed of every format but orders.",
      "2030-01-10",
    ],
    create_plans:
      "Whether selling plans are made where rows name none and the account has none with their intervals; this needs the scope plans:write. False by default: these rows are at fault.",
    past_due:
      "What becomes of subscriptions whose last charge has failed elsewhere, as retries are not moved in. pause: they are PAUSED. bill: they are ACTIVE and charged on their next date.",
  },
  {
    example: { source: "old-shop", format: "csv", charge_from: "2030-01-10" },
    required: ["source", "format", "charge_from"],
  },
);

export const importParams = z.object({ id: idInPath("id", "import", demoId("job", 2)) });

export const partParams = z.object({
  id: idInPath("id", "import", demoId("job", 2)),
  n: z.string().openapi({
    param: { name: "n", in: "path" },
    description:
      "The number of the part: 1 to 250. A part that is put again replaces the one of that number.",
    pattern: "^([1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|250)$",
    example: "1",
  }),
});

export const ImportRelease = named(
  "ImportRelease",
  z.strictObject({
    subscription_refs: z
      .array(text({ min: 1, max: 255 }))
      .min(1)
      .max(100)
      .optional(),
    allow_without_card: z.boolean().optional(),
  }),
  {
    allow_without_card:
      "Whether subscriptions without a payment method are released too, whose charges then fail until their customers name one. False by default: they stay held.",
    subscription_refs: [
      "The refs of the subscriptions to release, at most 100. Absent: all of the import's.",
      ["sub-4711"],
    ],
  },
  { example: {} },
);

export const CsvPart = z.string().openapi({
  description:
    "CSV (RFC 4180) with a header. Semicolons and tabs between the cells, a byte order mark and UTF-16 are recognised.",
  example:
    "subscription_ref,email,next_billing_date,store_product_id,quantity,price,selling_plan_id\nsub-4711,ada@example.com,2030-01-15,product-1,1,39.95,plan-monthly\n",
});
export const JsonLinesPart = z.string().openapi({
  description: "A JSON object on each line.",
  example: '{"subscription_ref":"sub-4711","email":"ada@example.com","next_billing_date":"2030-01-15"}\n',
});
