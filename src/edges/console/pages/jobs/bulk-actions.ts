import type { Field, Known } from "../forms/fields.ts";
import { wordOf } from "../table.ts";

const input = (name: string, label: string, more: Partial<Field> = {}): Field =>
  ({ name: `input.${name}`, label, kind: "text", ...more }) as Field;
const required = { isRequired: true } as const;

function inWords(...codes: string[]): [code: string, word: string][] {
  return codes.map((code) => [code, wordOf(code)]);
}

function slots({ lists }: Known): [id: string, words: string][] {
  const days = new Map(lists.days?.data.map(({ id, day_name }) => [id, day_name]));
  return (lists.slots?.data ?? []).map(({ id, label, delivery_day_id, start_time, end_time }) => [
    id,
    `${days.get(delivery_day_id) ?? ""} ${label}, ${start_time}–${end_time}`,
  ]);
}

function plans({ lists }: Known): [id: string, name: string][] {
  return (lists.plans?.data ?? []).map(({ id, name }) => [id, name]);
}

/** The lists that the filters and the inputs choose from. */
export const bulkLists = {
  days: { id: "listDeliveryDays", query: { limit: "100" } },
  slots: { id: "listDeliverySlots", query: { limit: "100" } },
  plans: { id: "listSellingPlans", query: { limit: "100" } },
} as const;

/** Each action on many subscriptions: its name, and the fields of its input. */
export const bulkForms: Record<string, { text: string; fields: Field[] }> = {
  skip_deliveries: {
    text: "Skip deliveries",
    fields: [input("count", "How many", { kind: "number" }), input("reason", "Reason")],
  },
  reschedule: {
    text: "Move the next delivery",
    fields: [input("date", "To", { kind: "date", ...required })],
  },
  pause: {
    text: "Pause",
    fields: [input("until", "Until", { kind: "date" }), input("reason", "Reason")],
  },
  resume: { text: "Resume", fields: [input("next_delivery_date", "Next delivery", { kind: "date" })] },
  cancel: { text: "Cancel", fields: [input("reason", "Reason")] },
  move_slot: {
    text: "Move to another slot",
    fields: [
      input("from_slot_id", "From the slot", { kind: "choice", choices: slots, ...required }),
      input("to_slot_id", "To the slot", { kind: "choice", choices: slots, ...required }),
    ],
  },
  change_price: {
    text: "Change a price",
    fields: [
      input("store_variant_id", "Variant", required),
      input("price", "New price", { kind: "amount", ...required }),
      input("effective_on", "From", { kind: "date" }),
    ],
  },
  swap_variant: {
    text: "Swap a product",
    fields: [
      input("from", "From the variant", required),
      input("to", "To the variant", required),
      input("price", "Price", { help: "keep, or a number", ...required }),
    ],
  },
  apply_discount: {
    text: "Give a discount",
    fields: [
      input("title", "Name", required),
      input("value", "How much", { kind: "amount", ...required }),
      {
        name: "input.value_type",
        label: "In",
        kind: "choice",
        choices: [
          ["PERCENTAGE", "percent"],
          ["FIXED_AMOUNT", "money"],
        ],
        isRequired: true,
      },
      {
        name: "input.target_type",
        label: "Of",
        kind: "choice",
        choices: [
          ["ORDER", "the order"],
          ["LINE_ITEM", "each item"],
          ["SHIPPING_LINE", "the shipping"],
        ],
        isRequired: true,
      },
      input("recurring_cycle_limit", "For how many orders", { kind: "number" }),
    ],
  },
  remove_discount: { text: "Take a discount away", fields: [input("title", "Name", required)] },
  set_instructions: {
    text: "Set the delivery instructions",
    fields: [input("delivery_instructions", "Instructions", { kind: "long" })],
  },
  retry_payment: { text: "Try failed payments again", fields: [] },
};

/** The filters of the list, as the form has them. */
export const filterFields: Field[] = [
  { name: "filter.search", label: "Search", kind: "text" },
  {
    name: "filter.status",
    label: "Status",
    kind: "choice",
    choices: inWords("ACTIVE", "PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"),
    isList: true,
  },
  { name: "filter.next_billing_before", label: "Due before", kind: "date" },
  { name: "filter.selling_plan_id", label: "Plan", kind: "choice", choices: plans },
  { name: "filter.store_variant_id", label: "Variant (id)", kind: "text" },
  { name: "filter.delivery_slot_id", label: "Slot", kind: "choice", choices: slots },
  {
    name: "filter.failed_payment",
    label: "Whose payment has failed",
    kind: "either",
    choices: [
      ["true", "yes"],
      ["false", "no"],
    ],
  },
];
