import { z } from "@hono/zod-openapi";
import { minorOf } from "../../base/amounts.ts";
import type { ErrorDetail } from "../../base/errors.ts";
import { fold } from "../../base/lib/text.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId, type StoreRecord } from "../../stores/ids.ts";
import { parseReduction } from "../selling-plans/rules.ts";
import type { SellingPlan } from "../selling-plans/tables.ts";
import type { Line, PriceChange, Reduction } from "../subscriptions/lines/amounts.ts";
import { NewLine } from "../subscriptions/lines/line-schemas.ts";
import { parseItems } from "../subscriptions/lines/lines.ts";
import { type FieldReader, readFields } from "./field-reader.ts";
import { type ImportedLine, type ImportField, isOfLine } from "./fields.ts";
import type { MissingPlan } from "./planned/plans.ts";

type Values = { [field in ImportField]?: string };

/** The values that the rows of a subscription share. Rows that contradict each other are at fault. */
export function sharedValues(lines: ImportedLine[], faults: ErrorDetail[]): Values {
  const shared: Record<string, string> = {};
  const different = new Set<string>();
  for (const { fields } of lines)
    for (const [name, value] of Object.entries(fields)) {
      if (isOfLine(name)) continue;
      if (shared[name] !== undefined && shared[name] !== value) different.add(name);
      shared[name] ??= value;
    }
  for (const path of different)
    faults.push({ path, message: "differs between the rows of one subscription" });
  return shared;
}

/** The members of a plan that a line keeps. */
type LinePlan = Pick<SellingPlan, "id" | "name">;

type Terms = Pick<Ctx, "account" | "now"> & {
  newId: () => string;
  plans: SellingPlan[];
  /** The price of shipping for each charge. */
  shipping: number;
  entityId: string | null;
  /** The plan of lines that name none: of the account, or one that is to be made. */
  planByInterval: LinePlan | undefined;
  /** The plan that the account lacks for them. */
  missing: MissingPlan | undefined;
  faults: ErrorDetail[];
};

/** The lines of a subscription, at the prices of the rows: a plan's discount and shipping are not applied to them, but those that the rows have. */
export function linesFrom(rows: ImportedLine[], terms: Terms): Line[] {
  return rows.flatMap(({ fields }, nth) => {
    const path = rows.length === 1 ? "" : `lines.${nth}.`;
    const before = terms.faults.length;
    const line = lineFrom(readFields<ImportField>(fields, { ...terms, path }), terms);
    return line && terms.faults.length === before ? [line] : [];
  });
}

function lineFrom(reader: FieldReader<ImportField>, terms: Terms): Line | undefined {
  const product = storeId(reader, "store_product_id", "Product");
  const variant = storeId(reader, "store_variant_id", "ProductVariant");
  const either = product ?? variant;
  if (either === undefined) reader.refuse("store_product_id", "is required, or store_variant_id");
  const price = reader.required("price", reader.money("price"));
  const quantity = reader.integer("quantity", 1, 1_000_000) ?? 1;
  const plan = planOf(reader, terms);
  const changes = priceChangesIn(reader, terms);
  const its = {
    id: terms.newId(),
    variant_title: reader.text("variant_title") ?? null,
    product_title: reader.text("product_title"),
    sku: reader.text("sku") ?? null,
    subscription_variant_id: reader.text("subscription_variant_id", 255) ?? null,
    entity_id: terms.entityId,
    quantity,
    selection_items: itemsIn(reader, terms),
    is_one_time: reader.flag("is_one_time") ?? false,
    plan_shipping: reader.money("plan_shipping_amount") ?? terms.shipping,
    plan_discount: planDiscountIn(reader, terms) ?? null,
    ...(changes.length > 0 ? { price_changes: changes } : {}),
  };
  if (!plan || price === undefined || either === undefined) return undefined;
  const isByName = reader.values.selling_plan_id === undefined;
  return {
    ...its,
    store_product_id: either,
    store_variant_id: variant ?? either,
    product_title: its.product_title ?? either,
    price,
    selling_plan_id: plan.id,
    selling_plan_name: (isByName ? undefined : reader.text("selling_plan_name")) ?? plan.name,
  };
}

function planDiscountIn(reader: FieldReader<ImportField>, { account }: Terms): Reduction | undefined {
  const type = reader.oneOf("plan_discount_type", ["PERCENTAGE", "FIXED_AMOUNT"]);
  const value = reader.number("plan_discount_value");
  if (type === undefined && value === undefined) return undefined;
  if (type === undefined || value === undefined)
    return reader.refuse("plan_discount_type", "and plan_discount_value are needed together");
  const reduction = reader.attempt(() =>
    parseReduction(type, value, account.currency_code, "plan_discount_value"),
  );
  return reduction === undefined ? undefined : { type, value: reduction };
}

const PriceChanges = z
  .array(z.strictObject({ in_cycles: z.int().min(1).max(10_000), price: z.number().min(0) }))
  .max(100)
  .refine(
    (all) => all.every(({ in_cycles }, nth) => nth === 0 || in_cycles > all[nth - 1]!.in_cycles),
    "must be in the order of their cycles, one for each",
  );

function priceChangesIn(reader: FieldReader<ImportField>, { account }: Terms): PriceChange[] {
  const listed = reader.json("price_changes", PriceChanges) ?? [];
  return listed.flatMap(({ in_cycles, price: major }, nth) => {
    const price = reader.attempt(() => minorOf(major, account.currency_code, `price_changes.${nth}.price`));
    return price === undefined ? [] : [{ in_cycles, price }];
  });
}

function itemsIn(reader: FieldReader<ImportField>, { account }: Terms): Line["selection_items"] {
  const items = reader.json("selection_items", NewLine.shape.selection_items);
  return reader.attempt(() => parseItems(items, account.currency_code, "")) ?? null;
}

function storeId(
  reader: FieldReader<ImportField>,
  field: ImportField,
  kind: StoreRecord,
): string | undefined {
  const id = reader.text(field, 255)?.trim();
  return id === undefined || id === "" ? undefined : plainId(kind, id);
}

/** Whether one of the lines names no plan, so that it has the one with its intervals. */
export function isWithoutPlan(lines: ImportedLine[]): boolean {
  return lines.some(
    ({ fields }) => fields.selling_plan_id === undefined && fields.selling_plan_name === undefined,
  );
}

/** The plan that a line names by its id or its name. */
export function namedPlan(
  { values }: Pick<FieldReader<ImportField>, "values">,
  plans: SellingPlan[],
): SellingPlan | undefined {
  const { selling_plan_id: id, selling_plan_name: name } = values;
  if (id !== undefined) {
    const plain = plainId("SellingPlan", id.trim());
    return plans.find((plan) => plan.id === plain || plan.store_plan_id === plain);
  }
  if (name === undefined) return undefined;
  const named = plans.filter((plan) => fold(plan.name) === fold(name.trim()));
  return named.length === 1 ? named[0] : undefined;
}

function planOf(
  reader: FieldReader<ImportField>,
  { plans, planByInterval, missing }: Terms,
): LinePlan | undefined {
  const { selling_plan_id: id, selling_plan_name: name } = reader.values;
  const plan = id === undefined && name === undefined ? planByInterval : namedPlan(reader, plans);
  if (plan) return plan;
  if (id !== undefined) return reader.refuse("selling_plan_id", "is not the id of an active selling plan");
  if (name !== undefined)
    return reader.refuse("selling_plan_name", "is not the name of one active selling plan");
  return reader.refuse(
    "selling_plan_id",
    `is required: no active selling plan ${missing ? `is ${missing.name.toLowerCase()}` : "has the intervals of this subscription"}`,
  );
}
