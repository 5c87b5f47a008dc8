import { z } from "@hono/zod-openapi";
import { demoId, demoPlanIds } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { countWithinUnit } from "../../kit/http/document/field-rules.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { intervalIn } from "../../kit/http/document/interval.ts";
import { moneyIn, positiveMoneyIn } from "../../kit/http/document/money.ts";
import { idIn, nullableText, orNull, storeId, text } from "../../kit/http/document/params.ts";
import type { OfferKind } from "./tables.ts";

/** The most that one offer pauses, in days. */
const pauseDaysMax = 365;

/** A text in the languages of the portal. */
function translated(name: string, max: number, example: string, exampleDe: string) {
  const other = text({ min: 1, max }).nullable().optional();
  return named(
    name,
    z.strictObject({ en: text({ min: 1, max }), de: other, fr: other, es: other }),
    {
      en: [
        `In English, 1 to ${max} characters. Customers read it where their language has no text.`,
        example,
      ],
      de: [`In German, 1 to ${max} characters; null or absent for none.`, exampleDe],
      fr: [`In French, 1 to ${max} characters; null or absent for none.`, null],
      es: [`In Spanish, 1 to ${max} characters; null or absent for none.`, null],
    },
    { description: "A text for customers in their languages." },
  );
}

export const OfferLabel = translated("CancellationOfferLabel", 100, "Take a break", "Eine Pause machen");
export const OfferText = translated(
  "CancellationOfferText",
  500,
  "Nothing is charged until then.",
  "Bis dahin wird nichts abgebucht.",
);

/** An interval that a customer can choose. */
export const FrequencyChoice = named(
  "CancellationFrequencyOption",
  intervalIn,
  {
    interval: ["The unit of the interval.", "MONTH"],
    interval_count: ["How many of the unit lie between two deliveries.", 2],
  },
  {
    description: "How often it would be delivered and billed.",
    dependentSchemas: countWithinUnit("interval", "interval_count"),
  },
);

const PauseTerms = named(
  "PauseOfferTerms",
  z.strictObject({ max_days: z.int().min(1).max(pauseDaysMax) }),
  {
    max_days: [
      `How many days the subscription pauses, counted from the acceptance: 1 to ${pauseDaysMax}. Customers can resume earlier.`,
      30,
    ],
  },
  { description: "The subscription pauses, and resumes by itself." },
);

const SkipTerms = named(
  "SkipOfferTerms",
  z.strictObject({ deliveries: z.int().min(1).max(3) }),
  { deliveries: ["How many of the next deliveries fall away, 1 to 3; the schedule keeps its days.", 1] },
  { description: "The next deliveries fall away." },
);

const cycles = z.int().min(1).max(6);

const discountTexts = {
  cycles: ["For how many billed cycles, 1 to 6.", 3],
  max_amount: [
    "The most that one charge is less by, whatever is added to it after the acceptance: major units of the account's currency, more than 0.",
    10,
  ],
} as const satisfies Record<string, FieldText>;

const PercentageDiscountTerms = named(
  "PercentageDiscountOfferTerms",
  z.strictObject({
    value_type: z.literal("PERCENTAGE"),
    value: z.number().min(0.01).max(100),
    cycles,
    max_amount: positiveMoneyIn,
  }),
  {
    ...discountTexts,
    value_type: "PERCENTAGE: value is percent of the goods.",
    value: [
      "How much it takes off the goods of each charge, in percent: 0.01 to 100, with at most 2 decimals.",
      20,
    ],
  },
  { description: "The next charges are lower by a percentage, up to an amount." },
);

const AmountDiscountTerms = named(
  "AmountDiscountOfferTerms",
  z.strictObject({
    value_type: z.literal("FIXED_AMOUNT"),
    value: positiveMoneyIn,
    cycles,
    max_amount: positiveMoneyIn.nullable().optional(),
  }),
  {
    ...discountTexts,
    value_type: "FIXED_AMOUNT: value is an amount of money.",
    value: [
      "How much it takes off the goods of each charge: major units of the account's currency, more than 0.",
      5,
    ],
    max_amount: [
      "The most that one charge is less by: major units of the account's currency, more than 0. Null or absent: the value itself.",
      null,
    ],
  },
  { description: "The next charges are lower by an amount." },
);

const DiscountTerms = z
  .discriminatedUnion("value_type", [PercentageDiscountTerms, AmountDiscountTerms])
  .openapi("DiscountOfferTerms", { description: "The next charges are lower." });

const FrequencyTerms = named(
  "FrequencyOfferTerms",
  z.strictObject({ options: z.array(FrequencyChoice).min(1).max(6) }),
  {
    options: [
      "The intervals that customers can choose among, 1 to 6.",
      [{ interval: "MONTH", interval_count: 2 }],
    ],
  },
  { description: "The subscription is delivered and billed at another interval." },
);

const SwapTarget = named(
  "SwapOfferTarget",
  z.strictObject({
    store_product_id: storeId("Product"),
    store_variant_id: storeId("ProductVariant"),
    product_title: text({ min: 1, max: 255 }),
    variant_title: nullableText(255).optional(),
    price: moneyIn.nullable().optional(),
  }),
  {
    store_product_id: ["The product's id at the connected store, 1 to 255 characters.", "product-2"],
    store_variant_id: ["The variant's id at the connected store, 1 to 255 characters.", "variant-2-small"],
    product_title: [
      "The product's name as customers see it, 1 to 255 characters.",
      "Chicken and rice, 1.5 kg",
    ],
    variant_title: ["The variant's name, at most 255 characters; null or absent for none.", "Small"],
    price: [
      "What one costs: major units of the account's currency. Null or absent: as much as the product that it takes the place of.",
      24.95,
    ],
  },
  { description: "The product that takes the place of another." },
);

const SwapTerms = named(
  "SwapOfferTerms",
  z.strictObject({ from_variant_id: storeId("ProductVariant"), to: SwapTarget }),
  {
    from_variant_id: [
      "The store's id of the variant that is replaced. The offer is for subscriptions that have it in every order.",
      "variant-1-small",
    ],
    to: "What takes its place, on the terms of the line's plan.",
  },
  { description: "A product is replaced by another." },
);

export const OfferTerms = z
  .union([PauseTerms, SkipTerms, DiscountTerms, FrequencyTerms, SwapTerms])
  .openapi("CancellationOfferTerms", { description: "What is offered, as its kind has it." });

/** The descriptions of an offer's fields, in requests and responses. */
export const offerTexts = {
  id: [
    "The offer's id. An offer that is sent with its id stays the same offer, however it is changed; without one it is a new one.",
    demoId("cancellation_offer", 1),
  ],
  kind: "The offer's kind: what accepting it does.",
  label: "What customers read on the offer.",
  text: "More about the offer; null or absent for nothing.",
  cancellation_reason_ids: [
    "The cancellation reasons for which it is shown, at most 50. Empty, the default: whatever the reason.",
    [demoId("cancellation_reason", 1)],
  ],
  terms: "What is offered, as its kind has it.",
  min_cycles_billed: [
    "How many cycles must have been billed before it is shown, 1 to 1,000. Null or absent: none.",
    3,
  ],
  selling_plan_ids: [
    "It is shown to subscriptions with a line on one of these plans, at most 50. Empty, the default: to all.",
    [demoPlanIds.monthly],
  ],
  store_variant_ids: [
    "It is shown to subscriptions with one of these variants, at most 100. Empty, the default: to all.",
    [],
  ],
  position: [
    "The offer's place among the others, smallest first. By default the order in which they are sent.",
    0,
  ],
} as const satisfies Record<string, FieldText>;

/** The meaning of each kind, in the words of its own schema. */
const kindTexts = {
  PAUSE: "PAUSE: accepting it pauses the subscription.",
  SKIP: "SKIP: accepting it skips the next deliveries.",
  DISCOUNT: "DISCOUNT: accepting it lowers the next charges.",
  FREQUENCY: "FREQUENCY: accepting it changes how often the subscription is delivered.",
  SWAP: "SWAP: accepting it replaces a product.",
};

const forAll = { description: "An offer to customers who are about to leave." };

/** An offer of each kind. `fields` are those besides kind, label and terms. */
function offersWith<Fields extends z.ZodRawShape>(suffix: string, fields: Fields) {
  const of = <Kind extends OfferKind, Terms extends z.ZodType>(name: string, kind: Kind, terms: Terms) => {
    const schema = z.strictObject({ ...fields, kind: z.literal(kind), label: OfferLabel, terms });
    return named<z.ZodObject>(
      `${name}Offer${suffix}`,
      schema,
      { ...offerTexts, kind: kindTexts[kind] },
      forAll,
    ) as typeof schema;
  };
  return z
    .discriminatedUnion("kind", [
      of("Pause", "PAUSE", PauseTerms),
      of("Skip", "SKIP", SkipTerms),
      of("Discount", "DISCOUNT", DiscountTerms),
      of("Frequency", "FREQUENCY", FrequencyTerms),
      of("Swap", "SWAP", SwapTerms),
    ])
    .openapi(`CancellationOffer${suffix}`, forAll);
}

const position = z.int().min(0).max(1_000_000);
const minCycles = z.int().min(1).max(1_000);

export const OfferBody = offersWith("", {
  id: idOut,
  text: orNull(OfferText),
  cancellation_reason_ids: z.array(idOut),
  min_cycles_billed: z.int().nullable(),
  selling_plan_ids: z.array(z.string()),
  store_variant_ids: z.array(z.string()),
  position: z.int(),
});

export const OfferIn = offersWith("In", {
  id: idIn.optional(),
  text: orNull(OfferText).optional(),
  cancellation_reason_ids: z.array(idIn).max(50).optional(),
  min_cycles_billed: minCycles.nullable().optional(),
  selling_plan_ids: z.array(storeId("SellingPlan")).max(50).optional(),
  store_variant_ids: z.array(storeId("ProductVariant")).max(100).optional(),
  position: position.optional(),
});
