import type { FormField } from "./change.ts";
import { compareSubscriptions, type Shown, type SubscriptionChange } from "./compare.ts";

const quantity = { name: "quantity", label: "Quantity", kind: "number", min: 1, isRequired: true } as const;
const price = { name: "price", label: "Price of one", kind: "amount", isRequired: true } as const;

const common = {
  isPossible: ({ status }: Shown) => ["ACTIVE", "PAUSED", "PAYMENT_FAILED"].includes(status),
  rows: compareSubscriptions,
};
const ofLine = { ...common, linked: ["line"], pathOf: ({ line = "" }) => ({ lineId: line }) };

/** The changes of what a subscription holds: lines and discounts. */
export const contentChanges: Record<string, SubscriptionChange> = {
  add: {
    ...common,
    title: "Add an item",
    done: "The item was added.",
    operation: "addLine",
    names: [
      ...["product_title", "variant_title", "store_product_id", "store_variant_id"],
      ...["selling_plan_id", "price", "quantity", "is_one_time"],
    ],
    form: ({ record }) => [
      { name: "product_title", label: "Name", isRequired: true },
      { name: "variant_title", label: "Variant" },
      { name: "store_product_id", label: "Product id at the store", isRequired: true },
      { name: "store_variant_id", label: "Variant id at the store", isRequired: true },
      planField(record),
      price,
      { ...quantity, value: 1 },
      {
        ...{ name: "is_one_time", label: "How often", kind: "choice", value: "false", isRequired: true },
        choices: [
          ["false", "With each delivery"],
          ["true", "Once, with the next delivery"],
        ],
      },
    ],
    bodyOf: ({ price: amount, quantity: count, is_one_time, ...rest }) => ({
      ...rest,
      price: Number(amount),
      quantity: Number(count),
      ...(is_one_time === "true" ? { is_one_time: true } : {}),
    }),
  },
  line: {
    ...ofLine,
    title: "Change the item",
    done: "The item was changed.",
    operation: "changeLine",
    names: ["line", "quantity", "price"],
    form: ({ record, fields }) => {
      const line = record.lines.find(({ id }) => id === fields.line);
      return [
        { ...quantity, value: line?.quantity ?? null },
        { ...price, value: line?.price ?? null },
      ];
    },
    bodyOf: ({ quantity: count, price: amount }) => ({ quantity: Number(count), price: Number(amount) }),
  },
  "remove-line": {
    ...ofLine,
    title: "Remove the item",
    done: "The item was removed.",
    operation: "removeLine",
    names: ["line"],
    bodyOf: () => ({}),
  },
  discount: {
    ...common,
    title: "Give a discount",
    done: "The discount was given.",
    operation: "applyDiscount",
    names: ["title", "value_type", "value", "target_type", "recurring_cycle_limit"],
    form: () => [
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
    bodyOf: ({ value, recurring_cycle_limit: cycles, ...rest }) => ({
      ...rest,
      value: Number(value),
      ...(cycles === undefined ? {} : { recurring_cycle_limit: Number(cycles) }),
    }),
  },
  "remove-discount": {
    ...common,
    title: "Remove the discount",
    done: "The discount was removed.",
    operation: "removeDiscount",
    names: ["discount"],
    linked: ["discount"],
    pathOf: ({ discount = "" }) => ({ discountId: discount }),
    bodyOf: () => ({}),
  },
};

/** The selling plans that the subscription's items have. */
function planField({ lines }: Shown): FormField {
  const plans = new Map(lines.map(({ selling_plan_id: id, selling_plan_name: name }) => [id, name ?? id]));
  const [first] = plans.keys();
  return {
    ...{ name: "selling_plan_id", label: "Selling plan", kind: "choice", isRequired: true },
    ...(first === undefined ? {} : { value: first }),
    choices: [...plans],
  };
}
