import { checkMark, decimal } from "../../src/stores/shopify/contracts/contract-input.ts";
import { cancelContract, createContract, readContractState } from "../../src/stores/shopify/documents.ts";
import { type AskShopify, mutate } from "../../src/stores/shopify/request.ts";
import type { Lab } from "./lab.ts";

/** The mutations by which a contract of the check is made and ended. */
export const contractWrites = {
  CreateContract: `contracts of the customer for the variant, with the attribute ${checkMark}, which deployments leave alone`,
  CancelContract: "their cancellation at the end: a contract cannot be deleted",
};

/** The lines and amounts of a contract, in minor units. */
export type Contents = {
  lines?: Line[];
  deliveryPrice?: number;
  /** The number of a selling plan, which each line then has. */
  planId?: string;
  isWithoutMethod?: boolean;
  /** MailingAddressInput; by default the one that was given, else the shop's own. */
  address?: Record<string, string>;
};
type Line = {
  quantity: number;
  price: number;
  /** A price by Shopify's pricing policy, after the first cycle. */
  laterPrice?: number;
  discount?: { amount: number; recurringCycleLimit?: number };
};

/** The amounts of a contract that is charged: 2 × 10.00 less 3.00, and 4.90 for the delivery. */
export const usualContents = {
  lines: [{ quantity: 2, price: 1000, discount: { amount: 300 } }],
  deliveryPrice: 490,
} satisfies Contents;

/** Makes a contract, which is cancelled at the end, and returns its global id. Throws StoreRefusalError. */
export async function makeContract(lab: Lab, contents: Contents = usualContents): Promise<string> {
  const input = contractInput(lab, contents);
  const { contract } = (await mutate(lab.ask, createContract, { input })) as { contract: { id: string } };
  lab.atEnd(`the contract ${contract.id}`, () => endContract(lab.ask, contract.id));
  return contract.id;
}

/** Cancels a contract, unless it has ended. */
async function endContract(ask: AskShopify, id: string): Promise<void> {
  if ((await readStatus(ask, id)) !== "CANCELLED") await mutate(ask, cancelContract, { id });
}

export async function readStatus(ask: AskShopify, id: string): Promise<string> {
  const { subscriptionContract } = (await ask(readContractState, { id })) as {
    subscriptionContract: { status: string } | null;
  };
  return subscriptionContract?.status ?? "gone";
}

function contractInput(lab: Lab, contents: Contents) {
  const { subjects, shop } = lab;
  const { customer, paymentMethod } = subjects;
  const policy = { interval: "MONTH", intervalCount: 1 };
  const { lines = usualContents.lines, deliveryPrice = 0, planId, isWithoutMethod = false } = contents;
  const { address = addressOf(lab) } = contents;
  const hasMethod = paymentMethod !== undefined && !isWithoutMethod;
  return {
    customerId: `gid://shopify/Customer/${customer}`,
    currencyCode: shop.currencyCode,
    nextBillingDate: "2099-01-01T12:00:00Z",
    contract: {
      status: "ACTIVE",
      billingPolicy: policy,
      deliveryPolicy: policy,
      deliveryPrice: decimal(deliveryPrice, shop.currencyCode),
      note: "Made by shopify-check, which cancels it",
      customAttributes: [{ key: checkMark, value: "yes" }],
      ...(hasMethod ? { paymentMethodId: `gid://shopify/CustomerPaymentMethod/${paymentMethod}` } : {}),
      deliveryMethod: { shipping: { address } },
    },
    lines: lines.map((line) => lineInput(line, { ...subjects, planId, currency: shop.currencyCode })),
  };
}

type LineContext = { variant?: string | undefined; planId: string | undefined; currency: string };

function lineInput(
  { quantity, price, laterPrice, discount }: Line,
  { variant, planId, currency }: LineContext,
) {
  return {
    line: {
      productVariantId: `gid://shopify/ProductVariant/${variant}`,
      quantity,
      currentPrice: decimal(price, currency),
      ...(planId === undefined ? {} : { sellingPlanId: `gid://shopify/SellingPlan/${planId}` }),
      ...(laterPrice === undefined
        ? {}
        : { pricingPolicy: policyOf(decimal(price, currency), decimal(laterPrice, currency)) }),
    },
    ...(discount ? { discounts: [discountOf(discount, currency)] } : {}),
  };
}

function policyOf(basePrice: string, computedPrice: string) {
  return {
    basePrice,
    cycleDiscounts: [
      {
        afterCycle: 1,
        adjustmentType: "PRICE",
        adjustmentValue: { fixedValue: computedPrice },
        computedPrice,
      },
    ],
  };
}

function discountOf({ amount, recurringCycleLimit }: NonNullable<Line["discount"]>, currency: string) {
  return {
    title: "Check",
    ...(recurringCycleLimit === undefined ? {} : { recurringCycleLimit }),
    value: { fixedAmount: { amount: Number(decimal(amount, currency)), appliesOnEachItem: false } },
  };
}

/** The address that was given, else the shop's own, as MailingAddressInput. */
export function addressOf({ subjects, shop }: Lab): Record<string, string> {
  if (subjects.address) return subjects.address;
  const { countryCodeV2: countryCode, ...address } = shop.shopAddress;
  const fields = Object.entries({ ...address, countryCode });
  return Object.fromEntries(fields.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
