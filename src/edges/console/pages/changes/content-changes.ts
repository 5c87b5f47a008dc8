import type { Fields } from "../../../pages/fields.ts";
import type { Known } from "../forms/fields.ts";
import { compareSubscriptions, type Shown, type SubscriptionForm } from "./compare.ts";

const quantity = { name: "quantity", label: "Quantity", kind: "number", min: 1, isRequired: true } as const;
const price = { name: "price", label: "Price of one", kind: "amount", isRequired: true } as const;

const common = {
  isPossible: ({ status }: Shown) => ["ACTIVE", "PAUSED", "PAYMENT_FAILED"].includes(status),
  rows: compareSubscriptions,
};
const ofLine = {
  ...common,
  params: ["line"],
  pathOf: ({ line = "" }: Fields) => ({ lineId: line }),
};

function lineIn({ record, params }: Known<Shown>) {
  return record.lines.find(({ id }) => id === params.line);
}

/** The changes of what a subscription holds: lines and discounts. */
export const contentForms: Record<string, SubscriptionForm> = {
  add: {
    ...common,
    title: "Add an item",
    done: "The item was added.",
    operation: "addLine",
    fields: [
      { name: "product_title", label: "Name", isRequired: true },
      { name: "variant_title", label: "Variant" },
      { name: "store_product_id", label: "Product id at the store", isRequired: true },
      { name: "store_variant_id", label: "Variant id at the store", isRequired: true },
      {
        ...{ name: "selling_plan_id", label: "Selling plan", kind: "choice", isRequired: true },
        choices: ({ record }) => plansOf(record),
      },
      price,
      { ...quantity, value: 1 },
      {
        ...{ name: "is_one_time", label: "How often", kind: "either", value: "false", isRequired: true },
        choices: [
          ["false", "With each delivery"],
          ["true", "Once, with the next delivery"],
        ],
      },
    ],
  },
  line: {
    ...ofLine,
    title: "Change the item",
    done: "The item was changed.",
    operation: "changeLine",
    fields: [
      { ...quantity, value: (known) => lineIn(known)?.quantity },
      { ...price, value: (known) => lineIn(known)?.price },
    ],
  },
  "remove-line": {
    ...ofLine,
    title: "Remove the item",
    done: "The item was removed.",
    operation: "removeLine",
  },
  discount: {
    ...common,
    title: "Give a discount",
    done: "The discount was given.",
    operation: "applyDiscount",
    fields: [
      { name: "title", label: "Name", isRequired: true },
      {
        ...{ name: "value_type", label: "Kind", kind: "choice", value: "PERCENTAGE", isRequired: true },
        choices: [
          ["PERCENTAGE", "Percent"],
          ["FIXED_AMOUNT", "Amount"],
        ],
      },
      { name: "value", label: "Percent or amount", kind: "amount", isRequired: true },
      {
        ...{ name: "target_type", label: "Of", kind: "choice", value: "ORDER", isRequired: true },
        choices: [
          ["ORDER", "the order"],
          ["LINE_ITEM", "each item"],
          ["SHIPPING_LINE", "shipping"],
        ],
      },
      {
        name: "recurring_cycle_limit",
        label: "For how many charges (empty: for all)",
        kind: "number",
        min: 1,
      },
    ],
  },
  "remove-discount": {
    ...common,
    title: "Remove the discount",
    done: "The discount was removed.",
    operation: "removeDiscount",
    params: ["discount"],
    pathOf: ({ discount = "" }) => ({ discountId: discount }),
  },
};

/** The selling plans that the subscription's items have. */
function plansOf({ lines }: Shown): [id: string, name: string][] {
  return [...new Map(lines.map(({ selling_plan_id: id, selling_plan_name: name }) => [id, name ?? id]))];
}
