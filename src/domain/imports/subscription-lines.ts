import type { ErrorDetail } from "../../base/errors.ts";
import { fold } from "../../base/lib/text.ts";
import { plainId, type StoreRecord } from "../../stores/ids.ts";
import type { SellingPlan } from "../selling-plans/tables.ts";
import type { Line } from "../subscriptions/amounts.ts";
import { type FieldReader, readFields } from "./field-reader.ts";
import type { ImportedLine, ImportField } from "./fields.ts";

/** The fields of a line alone; all others belong to the whole subscription, and have one value in all of its rows. */
const ofLine = [
  ...["store_product_id", "store_variant_id", "product_title", "variant_title", "sku", "quantity"],
  ...["price", "selling_plan_id", "selling_plan_name"],
] as const;

export type Values = { [field in ImportField]?: string };

/** The values that the rows of a subscription share. Rows that contradict each other are at fault. */
export function sharedValues(lines: ImportedLine[], faults: ErrorDetail[]): Values {
  const shared: Record<string, string> = {};
  const different = new Set<string>();
  for (const { fields } of lines)
    for (const [name, value] of Object.entries(fields)) {
      if ((ofLine as readonly string[]).includes(name)) continue;
      if (shared[name] !== undefined && shared[name] !== value) different.add(name);
      shared[name] ??= value;
    }
  for (const path of different)
    faults.push({ path, message: "differs between the rows of one subscription" });
  return shared;
}

type Terms = {
  newId: () => string;
  plans: SellingPlan[];
  timezone: string;
  currency: string;
  /** The price of shipping for each charge. */
  shipping: number;
  entityId: string | null;
  /** The plan of lines that name none. */
  planByInterval: SellingPlan | undefined;
  faults: ErrorDetail[];
};

/** The lines of a subscription, at the prices of the rows: a plan's discount and shipping are not applied to them. */
export function linesFrom(rows: ImportedLine[], terms: Terms): Line[] {
  const { faults, shipping, entityId } = terms;
  return rows.flatMap(({ fields }, nth) => {
    const path = rows.length === 1 ? "" : `lines.${nth}.`;
    const reader = readFields<ImportField>(fields, { ...terms, path });
    const before = faults.length;
    const product = storeId(reader, "store_product_id", "Product");
    const variant = storeId(reader, "store_variant_id", "ProductVariant");
    const either = product ?? variant;
    if (either === undefined) reader.refuse("store_product_id", "is required, or store_variant_id");
    const price = reader.required("price", reader.money("price"));
    const quantity = reader.integer("quantity", 1, 1_000_000) ?? 1;
    const plan = planOf(reader, terms);
    const title = reader.text("product_title") ?? either;
    if (faults.length > before || !plan || price === undefined || either === undefined) return [];
    return [
      {
        id: terms.newId(),
        store_product_id: either,
        store_variant_id: variant ?? either,
        subscription_variant_id: null,
        product_title: title ?? either,
        variant_title: reader.text("variant_title") ?? null,
        sku: reader.text("sku") ?? null,
        entity_id: entityId,
        price,
        quantity,
        selection_items: null,
        is_one_time: false,
        selling_plan_id: plan.id,
        selling_plan_name: plan.name,
        plan_shipping: shipping,
        plan_discount: null,
      },
    ];
  });
}

function storeId(
  reader: FieldReader<ImportField>,
  field: ImportField,
  kind: StoreRecord,
): string | undefined {
  const id = reader.text(field, 255)?.trim();
  return id === undefined || id === "" ? undefined : plainId(kind, id);
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

function planOf(reader: FieldReader<ImportField>, { plans, planByInterval }: Terms): SellingPlan | undefined {
  const { selling_plan_id: id, selling_plan_name: name } = reader.values;
  const plan = id === undefined && name === undefined ? planByInterval : namedPlan(reader, plans);
  if (plan) return plan;
  if (id !== undefined) return reader.refuse("selling_plan_id", "is not the id of an active selling plan");
  if (name !== undefined)
    return reader.refuse("selling_plan_name", "is not the name of one active selling plan");
  return reader.refuse(
    "selling_plan_id",
    "is required: no active selling plan has the intervals of this subscription",
  );
}
