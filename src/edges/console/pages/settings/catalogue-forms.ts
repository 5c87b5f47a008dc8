import type { Field, Known } from "../forms/fields.ts";
import type { StaffForm } from "../forms/form.ts";
import { amount, flag, nullable, required, text } from "./fields.ts";

type Item = { store_variant_id: string } & Record<string, unknown>;
type Catalogue = { items: Item[] };

/** The plans of the shop, by name. */
export function planField(name: string, label: string, help: string): Field {
  const choices = ({ lists }: Known) => lists.plans?.data.map((plan) => [plan.id, plan.name] as const) ?? [];
  return { name, label, help, kind: "choice", isList: true, isNullable: true, choices };
}

export const plansToChooseFrom = { plans: { id: "listSellingPlans", query: { limit: "100" } } } as const;

const fields: Field[] = [
  text("product_title", "Product", required),
  text("variant_title", "Variant", nullable),
  text("store_product_id", "Product id at the store", required),
  text("store_variant_id", "Variant id at the store", required),
  amount("price", "Price of one", required),
  { name: "image_url", label: "Address of its picture", kind: "url", ...nullable },
  planField("selling_plan_ids", "Plans", "none: each that pays for one delivery at a time"),
  flag("is_one_time_allowed", "Can be had once"),
];

const common = { operation: "updateCatalogue", back: "/settings/catalogue" } as const;
const ofOne = {
  ...common,
  params: ["id"],
  current: {
    id: "getCatalogue",
    pick: (answer, { id }) => itemsIn(answer).find(({ store_variant_id }) => store_variant_id === id),
  },
} satisfies Partial<StaffForm>;

function itemsIn(answer: unknown): Item[] {
  return (answer as { data: Catalogue }).data.items;
}

/** The forms of the catalogue, each of which sends the whole of it with one item changed. */
export const catalogueForms: Record<string, StaffForm> = {
  "add-item": {
    ...common,
    title: "Add an item to the catalogue",
    button: "Add it",
    fields,
    lists: () => plansToChooseFrom,
    current: { id: "getCatalogue" },
    bodyWith: (answer, values) => ({ items: [...itemsIn(answer), values] }),
  },
  "edit-item": {
    ...ofOne,
    title: "Change an item of the catalogue",
    button: "Change it",
    note: "Subscriptions that have it keep their price.",
    fields,
    lists: () => plansToChooseFrom,
    bodyWith: (answer, values, { id }) => ({
      items: itemsIn(answer).map((item) => (item.store_variant_id === id ? { ...item, ...values } : item)),
    }),
  },
  "remove-item": {
    ...ofOne,
    title: "Remove an item from the catalogue",
    button: "Remove it",
    note: "Subscriptions that have it keep it.",
    bodyWith: (answer, _, { id }) => ({
      items: itemsIn(answer).filter(({ store_variant_id }) => store_variant_id !== id),
    }),
    isDangerous: true,
  },
};
