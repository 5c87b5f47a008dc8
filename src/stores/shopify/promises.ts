import { z } from "zod";
import { gidOf } from "../global-ids.ts";
import type { StoreDiscount, StorePriceChange } from "../port/contracts.ts";
import { readCode, readPromises } from "./documents.ts";
import type { AskShopify } from "./request.ts";
import { minorOf, moneySchema, parseResponse } from "./responses.ts";

/** The promises of a contract for later cycles; `inexpressible` lists those that cannot be kept here. */
export type Promises = {
  /** By the id of the line. */
  priceChanges: Map<string, StorePriceChange[]>;
  discounts: StoreDiscount[];
  inexpressible: string[];
};

/**
 * Reads the prices by cycle and the discounts of a contract. Codes are looked up, because a contract only names them; one that is
 * off the delivery is not even named, but the order of the checkout has it. `currency` is the contract's.
 */
export async function findPromises(ask: AskShopify, id: number, currency: string): Promise<Promises> {
  const answer = await ask(readPromises, { id: gidOf("SubscriptionContract", id) });
  const { subscriptionContract: contract } = parseResponse(promisesSchema, answer);
  const promises: Promises = { priceChanges: new Map(), discounts: [], inexpressible: [] };
  if (!contract) return promises;
  const { lines, discounts, originOrder } = contract;
  for (const { id: lineId, pricingPolicy } of lines.nodes)
    promises.priceChanges.set(lineId, priceChangesOf(pricingPolicy, currency));
  if (discounts.pageInfo.hasNextPage) promises.inexpressible.push("it has more discounts than can be read");
  const cyclesBilled = originOrder ? 1 : 0;
  for (const discount of discounts.nodes) add(promises, manualDiscount(discount, currency, cyclesBilled));
  const linesOfCode = codesOnLines(lines.nodes);
  const codes = new Set([...linesOfCode.keys(), ...(originOrder?.discountCodes ?? [])]);
  for (const code of codes) {
    const found = parseResponse(codeSchema, await ask(readCode, { code })).codeDiscountNodeByCode;
    const lineIds = linesOfCode.get(code);
    const on = lineIds && lineIds.length < lines.nodes.length ? lineIds : null;
    const applies = lineIds !== undefined;
    add(promises, codeDiscount(found?.codeDiscount, { code, currency, cyclesBilled, lineIds: on, applies }));
  }
  return promises;
}

const text = z.string().nullable();
const amount = z.object({ amount: z.string() });
const pages = z.object({ hasNextPage: z.boolean() });

const policySchema = z
  .object({ cycleDiscounts: z.array(z.object({ afterCycle: z.int(), computedPrice: amount })) })
  .nullable();

const manualSchema = z.object({
  title: text,
  targetType: z.enum(["LINE_ITEM", "SHIPPING_LINE"]),
  recurringCycleLimit: z.int().nullable(),
  usageCount: z.int(),
  value: z.object({
    percentage: z.number().optional(),
    amount: amount.optional(),
    appliesOnEachItem: z.boolean().optional(),
  }),
  entitledLines: z.object({
    all: z.boolean(),
    lines: z.object({ nodes: z.array(z.object({ id: z.string() })), pageInfo: pages }),
  }),
});

const lineSchema = z.object({
  id: z.string(),
  pricingPolicy: policySchema,
  discountAllocations: z.array(z.object({ discount: z.object({ redeemCode: z.string().optional() }) })),
});

const promisesSchema = z.object({
  subscriptionContract: z
    .object({
      originOrder: z.object({ discountCodes: z.array(z.string()) }).nullable(),
      lines: z.object({ nodes: z.array(lineSchema) }),
      discounts: z.object({ nodes: z.array(manualSchema), pageInfo: pages }),
    })
    .nullable(),
});

const codeTerms = z.object({
  __typename: z.string(),
  title: z.string().optional(),
  recurringCycleLimit: z.int().nullish(),
  appliesOnSubscription: z.boolean().optional(),
  customerGets: z
    .object({
      value: z.object({
        percentage: z.number().optional(),
        amount: moneySchema.optional(),
        appliesOnEachItem: z.boolean().optional(),
      }),
    })
    .optional(),
});
const codeSchema = z.object({
  codeDiscountNodeByCode: z.object({ codeDiscount: codeTerms }).nullable(),
});

function priceChangesOf(policy: z.output<typeof policySchema>, currencyCode: string): StorePriceChange[] {
  const changes = (policy?.cycleDiscounts ?? []).map(({ afterCycle, computedPrice }) => ({
    after_cycles: afterCycle,
    price: minorOf({ ...computedPrice, currencyCode }),
  }));
  return changes.toSorted((one, other) => one.after_cycles - other.after_cycles);
}

function codesOnLines(lines: z.output<typeof lineSchema>[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, discountAllocations } of lines)
    for (const { discount } of discountAllocations)
      if (discount.redeemCode !== undefined)
        found.set(discount.redeemCode, [...(found.get(discount.redeemCode) ?? []), id]);
  return found;
}

/** A discount, or why it cannot be expressed here; undefined where there is nothing to keep. */
type Read = StoreDiscount | string | undefined;

function add({ discounts, inexpressible }: Promises, read: Read): void {
  if (typeof read === "string") inexpressible.push(read);
  else if (read) discounts.push(read);
}

function manualDiscount(
  discount: z.output<typeof manualSchema>,
  currencyCode: string,
  cyclesBilled: number,
): Read {
  const { title, targetType, recurringCycleLimit, usageCount, value, entitledLines } = discount;
  const named = title ?? "Discount";
  const { all, lines } = entitledLines;
  if (lines.pageInfo.hasNextPage) return `the discount ${named} is on more lines than can be read`;
  if (value.appliesOnEachItem) return `the discount ${named} is off each item`;
  return {
    title: named,
    code: null,
    reduction: value.amount
      ? { type: "FIXED_AMOUNT", value: minorOf({ ...value.amount, currencyCode }) }
      : { type: "PERCENTAGE", value: Math.round((value.percentage ?? 0) * 100) },
    is_off_delivery: targetType === "SHIPPING_LINE",
    line_ids: all || targetType === "SHIPPING_LINE" ? null : lines.nodes.map(({ id }) => id),
    cycle_limit: recurringCycleLimit || null,
    cycles_used: Math.max(usageCount, cyclesBilled),
  };
}

type CodeUse = {
  code: string;
  currency: string;
  cyclesBilled: number;
  lineIds: string[] | null;
  /** Whether a line of the contract has it; the order of the checkout may have it for other goods. */
  applies: boolean;
};

/** A limit of 0 is none. One that the checkout has used up promises nothing any more, whatever the code is. */
function codeDiscount(terms: z.output<typeof codeTerms> | undefined, use: CodeUse): Read {
  const { code, currency, cyclesBilled, lineIds, applies } = use;
  if (!terms) return `the terms of the code ${code} are not known: the shop has no such code any more`;
  const { __typename: kind, title = code, recurringCycleLimit, appliesOnSubscription, customerGets } = terms;
  const some = {
    title,
    code,
    cycle_limit: recurringCycleLimit || null,
    cycles_used: cyclesBilled,
  };
  if (kind === "DiscountCodeFreeShipping")
    return appliesOnSubscription
      ? { ...some, reduction: wholly, is_off_delivery: true, line_ids: null }
      : undefined;
  if (!applies) return undefined;
  const value = customerGets?.value;
  if (value?.percentage !== undefined)
    return {
      ...some,
      reduction: { type: "PERCENTAGE", value: Math.round(value.percentage * 10_000) },
      is_off_delivery: false,
      line_ids: lineIds,
    };
  if (value?.amount && value.amount.currencyCode !== currency)
    return `the code ${code} is in ${value.amount.currencyCode}`;
  if (value?.amount && !value.appliesOnEachItem)
    return {
      ...some,
      reduction: { type: "FIXED_AMOUNT", value: minorOf(value.amount) },
      is_off_delivery: false,
      line_ids: lineIds,
    };
  return recurringCycleLimit != null && recurringCycleLimit > 0 && recurringCycleLimit <= cyclesBilled
    ? undefined
    : `the code ${code} is of a kind that cannot be kept here`;
}

const wholly = { type: "PERCENTAGE", value: 10_000 } as const;
