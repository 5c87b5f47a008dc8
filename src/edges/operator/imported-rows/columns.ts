import { z } from "zod";
import { currency, timezone } from "../../../base/accounts/rules.ts";
import type { Value } from "../../../base/db/port.ts";
import { isId } from "../../../base/lib/ids.ts";
import { isStorable } from "../../../base/lib/text.ts";
import { parseDate, parseInstant } from "../../../base/lib/time/dates.ts";
import { freeForm, imageUrl, storeId } from "../../../kit/http/document/params.ts";
import { collectDetails } from "../../../kit/http/validate.ts";
import type { Column } from "./declared.ts";

/** Why a value cannot stand in a column, by the column's declaration and by what its name says; undefined if it can. */
export function findColumnFault(
  table: string,
  { column, isNullable }: Column,
  value: Value,
): string | undefined {
  if (value === null) return isNullable ? undefined : "must not be null";
  if (column.dataType === "number") return findNumberFault(column.name, value);
  if (typeof value !== "string" || !isStorable(value))
    return "must be a text without NUL and lone surrogates";
  if (column.enumValues && !column.enumValues.includes(value))
    return `must be one of ${column.enumValues.join(", ")}`;
  const [, schema] = kinds.find(([names]) => names.test(`${table}.${column.name}`)) ?? [];
  return schema && findFault(schema, value);
}

/** The objection of a schema to a text; undefined if it takes it as it is stored. */
export function findFault(schema: z.ZodType, value: unknown): string | undefined {
  const { success, data, error } = schema.safeParse(value);
  if (!success) {
    const [fault] = collectDetails(error, { value, schema });
    return [fault?.path, fault?.message ?? "is not valid"].filter(Boolean).join(": ");
  }
  return data === value || typeof data !== "string" ? undefined : `must be stored as ${data}`;
}

/** JSON text of a value that a schema takes. */
export function jsonOf(schema: z.ZodType): z.ZodType {
  return z.string().transform(parseJson).pipe(schema);
}

function parseJson(text: string, c: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    c.addIssue("must be JSON");
    return z.NEVER;
  }
}

const flag = /^(is|has)_|^(notify|require)_/;

function findNumberFault(name: string, value: Value): string | undefined {
  if (!Number.isSafeInteger(value)) return "must be a whole number";
  if (flag.test(name) && value !== 0 && value !== 1) return "must be 0 or 1";
  return name.endsWith("_ms") && !(Number(value) >= 0 && Number(value) <= lastMs)
    ? "must be a time"
    : undefined;
}

/** The end of the last year that an instant can name. */
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

const ownId = z.string().refine(isId, "must be the id of a record, a UUID");
const instant = z
  .string()
  .refine((text) => parseInstant(text) === text, "must be an instant, such as 2026-11-20T12:00:00.000Z");
const date = z
  .string()
  .refine((text) => parseDate(text, "UTC") === text, "must be a calendar date, yyyy-MM-dd");
/** The id of an entry, without its time where the entry has it besides. */
const keptId = z.string().refine((id) => isId(id.length === 23 ? `00000000-0000${id}` : id), "must be an id");
const whatever = z.string();

/** The schema of each column's values, by the column's name after that of its table: the first that fits. */
const kinds: [RegExp, z.ZodType][] = [
  [/\.(store_customer_id)$/, storeId("Customer")],
  [/^selling_plans\.id$|\.selling_plan_id$/, storeId("SellingPlan")],
  [/^orders\.store_order_id$/, storeId("Order")],
  [/^payment_methods\.store_payment_method_id$/, storeId("CustomerPaymentMethod")],
  [/\.(store_|external_|provider_)\w+$|\.(wizard|webhook)_id$/, whatever],
  [/^activity_logs\.kept_id$/, keptId],
  [/\.(id|\w+_id)$/, ownId],
  [/\.(\w+_date|pause_until|day|expiry_\w+)$/, date],
  [/\.(\w+_at|\w+_until|since|\w+_since|retries_from)$/, instant],
  [/\.currency_code$/, currency],
  [/^accounts\.timezone$/, timezone],
  [/\.(image|tracking|next_action)_url$/, imageUrl],
  [/\.(lines|discounts|offers|related_before|related_after)$/, jsonOf(z.array(freeForm))],
  [/\.(retry_days|product_ids)$/, jsonOf(z.array(z.unknown()))],
  [/^profile_uploads\.rows$/, jsonOf(z.array(z.unknown()))],
  [
    /\.(delivery_address|custom_attributes|attributes|changes|metadata|snapshot|store_seen|quarters|headers|made|recovering)$/,
    jsonOf(freeForm),
  ],
];
