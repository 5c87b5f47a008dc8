import { type OfferKind, offerKinds } from "../../../../domain/cancellation/tables.ts";
import type { Field, Known } from "../forms/fields.ts";
import type { StaffForm } from "../forms/form.ts";
import { wordOf } from "../table.ts";
import { planField, plansToChooseFrom } from "./catalogue-forms.ts";
import { amount, choice, flag, nullable, number, required, text } from "./fields.ts";

type Values = Record<string, unknown>;
type Interval = { interval: string; interval_count: number };
type Terms = { to?: Values; options?: Interval[] } & Record<string, unknown>;
type Offer = Values & { id: string; kind: OfferKind; terms: Terms };

/** The terms of each kind of offer. */
const terms: Record<OfferKind, { word: string; fields: Field[] }> = {
  PAUSE: { word: "a pause", fields: [number("terms.max_days", "Days of the pause", required)] },
  SKIP: {
    word: "a skip",
    fields: [number("terms.deliveries", "Deliveries that fall away, 1 to 3", required)],
  },
  DISCOUNT: {
    word: "a discount",
    fields: [
      choice(
        "terms.value_type",
        "In",
        [
          ["PERCENTAGE", "percent"],
          ["FIXED_AMOUNT", "an amount"],
        ],
        required,
      ),
      amount("terms.value", "How much", required),
      number("terms.cycles", "For how many charges, 1 to 6", required),
      amount("terms.max_amount", "Off one charge at most", { help: "needed with percent" }),
    ],
  },
  FREQUENCY: {
    word: "another frequency",
    fields: [text("options", "Every", { ...required, help: "such as 2 months, 8 weeks" })],
  },
  SWAP: {
    word: "another product",
    fields: [
      text("terms.from_variant_id", "In the place of the variant (id at the store)", required),
      text("to.product_title", "Product", required),
      text("to.variant_title", "Variant"),
      text("to.store_product_id", "Product id at the store", required),
      text("to.store_variant_id", "Variant id at the store", required),
      amount("to.price", "Price of one", { help: "empty: that of the product before" }),
    ],
  },
};

function fieldsOf(kind: OfferKind): Field[] {
  const choices = ({ lists }: Known) =>
    lists.reasons?.map(({ data: { id, label } }) => [id, label] as const) ?? [];
  return [
    text("label.en", "What customers read", required),
    text("text.en", "More about it"),
    ...terms[kind].fields,
    {
      ...{ name: "cancellation_reason_ids", label: "For the reasons", help: "none: whatever the reason" },
      ...{ kind: "choice", isList: true, isNullable: true, choices },
    },
    planField("selling_plan_ids", "For the plans", "none: all"),
    number("min_cycles_billed", "After so many charges", nullable),
  ];
}

const common = {
  operation: "updateCancellationFlow",
  back: "/settings/offers",
  lists: () => ({ reasons: { id: "listCancellationReasons" }, ...plansToChooseFrom }),
} satisfies Partial<StaffForm>;

const ofOne = {
  ...common,
  params: ["id"],
  current: {
    id: "getCancellationFlow",
    pick: (answer, { id }) => {
      const offer = offersIn(answer).find((one) => one.id === id);
      if (!offer) return undefined;
      const { to, options } = offer.terms;
      return { ...offer, to, ...(options ? { options: wordsOfOptions(options) } : {}) };
    },
  },
} satisfies Partial<StaffForm>;

function offersIn(answer: unknown): Offer[] {
  return (answer as { data: { offers: Offer[] } }).data.offers;
}

/** The terms of an offer in words. */
export function termsOf(row: Values): string {
  const { kind, terms: its } = row as Offer;
  const { max_days, deliveries, value, value_type, cycles, options = [], to } = its;
  const said: Record<OfferKind, string> = {
    PAUSE: `${max_days} days`,
    SKIP: `deliveries: ${deliveries}`,
    DISCOUNT: `${value}${value_type === "PERCENTAGE" ? " %" : ""}, charges: ${cycles}`,
    FREQUENCY: wordsOfOptions(options),
    SWAP: String(to?.product_title),
  };
  return said[kind];
}

function wordsOfOptions(options: Interval[]): string {
  return options.map((one) => spanOf(one.interval_count, one.interval)).join(", ");
}

/** An interval in words: 2 months. */
export function spanOf(count: unknown, interval: unknown): string {
  return `${count} ${wordOf(String(interval))}${count === 1 ? "" : "s"}`;
}

/** The values of a form as an offer has them. */
function offerOf({ to, options, ...values }: Values): Values {
  const own = {
    ...(to ? { to } : {}),
    ...(options === undefined ? {} : { options: intervalsIn(String(options)) }),
  };
  return Object.keys(own).length === 0
    ? values
    : { ...values, terms: { ...(values.terms as object), ...own } };
}

function intervalsIn(words: string): { interval: string; interval_count: number }[] {
  return words.split(",").map((word) => {
    const [count = "", interval = ""] = word.trim().split(/\s+/);
    return { interval: interval.toUpperCase().replace(/S$/, ""), interval_count: Number(count) };
  });
}

function formsOf(kind: OfferKind): Record<string, StaffForm> {
  const [slug, { word }] = [kind.toLowerCase(), terms[kind]];
  return {
    [`add-${slug}-offer`]: {
      ...common,
      title: `Offer ${word}`,
      button: "Add it",
      fields: fieldsOf(kind),
      current: { id: "getCancellationFlow" },
      bodyWith: (answer, values) => ({ offers: [...offersIn(answer), { kind, ...offerOf(values) }] }),
    },
    [`edit-${slug}-offer`]: {
      ...ofOne,
      title: `Change the offer of ${word}`,
      button: "Change it",
      fields: fieldsOf(kind),
      bodyWith: (answer, values, { id }) => ({
        offers: offersIn(answer).map((offer) => (offer.id === id ? merge(offer, offerOf(values)) : offer)),
      }),
    },
  };
}

/** The forms of what is offered to customers who are about to leave. Those of one offer send all of them with that one changed. */
export const offerForms: Record<string, StaffForm> = {
  "edit-offers": {
    ...common,
    title: "Offers before a cancellation",
    button: "Change it",
    fields: [
      flag("is_enabled", "Whoever cancels sees the offers first"),
      number("show_at_most", "Offers that are shown at once", required),
      number("max_accepted", "Offers that can be accepted", required),
      number("cooldown_days", "within so many days", required),
      choice(
        "per",
        "counted for",
        [
          ["customer", "the customer"],
          ["subscription", "each subscription"],
        ],
        required,
      ),
    ],
    current: { id: "getCancellationFlow" },
  },
  ...Object.fromEntries(offerKinds.flatMap((kind) => Object.entries(formsOf(kind)))),
  "remove-offer": {
    ...ofOne,
    title: "Remove an offer",
    button: "Remove it",
    bodyWith: (answer, _, { id }) => ({ offers: offersIn(answer).filter((offer) => offer.id !== id) }),
    isDangerous: true,
  },
};

/** A record with some of its values changed, those within others too. Lists are replaced. */
function merge(record: unknown, changes: unknown): unknown {
  if (!isRecord(record) || !isRecord(changes)) return changes;
  const merged = Object.entries(changes).map(([name, value]) => [name, merge(record[name], value)]);
  return { ...record, ...Object.fromEntries(merged) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
