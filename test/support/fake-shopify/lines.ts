import { isEntitled, isUsable, lineTotals, minorOf, moneyOf } from "./amounts.ts";
import { variantOf } from "./catalog.ts";
import { globalId } from "./ids.ts";
import type { DiscountInput, LineChange, LineInput } from "./inputs.ts";
import type { Contract, ContractLine, Discount, PricingPolicy } from "./records.ts";
import type { FakeStore } from "./store.ts";

export function lineOf(store: FakeStore, input: LineInput, currency: string): ContractLine {
  return {
    id: globalId("SubscriptionLine", crypto.randomUUID()),
    variantId: input.productVariantId,
    quantity: input.quantity,
    price: minorOf(input.currentPrice, currency),
    sellingPlanId: input.sellingPlanId ?? null,
    sellingPlanName: input.sellingPlanName ?? planName(store, input.sellingPlanId),
    customAttributes: input.customAttributes ?? [],
    pricingPolicy: input.pricingPolicy ?? null,
  };
}

export function changedLine(line: ContractLine, change: LineChange, currency: string): ContractLine {
  return {
    ...line,
    variantId: change.productVariantId ?? line.variantId,
    quantity: change.quantity ?? line.quantity,
    price: change.currentPrice == null ? line.price : minorOf(change.currentPrice, currency),
    sellingPlanId: change.sellingPlanId ?? line.sellingPlanId,
    sellingPlanName: change.sellingPlanName ?? line.sellingPlanName,
    customAttributes: change.customAttributes ?? line.customAttributes,
    pricingPolicy: change.pricingPolicy ?? line.pricingPolicy,
  };
}

export function discountOf(
  {
    title,
    value,
    recurringCycleLimit,
    redeemCode = null,
    type = "MANUAL",
    target = "LINE_ITEM",
  }: DiscountInput & {
    redeemCode?: string | null;
    type?: Discount["type"];
    target?: Discount["target"];
  },
  entitled: Discount["entitled"],
  currency: string,
): Discount {
  return {
    id: globalId(
      redeemCode === null ? "SubscriptionManualDiscount" : "SubscriptionAppliedCodeDiscount",
      crypto.randomUUID(),
    ),
    redeemCode,
    type: redeemCode === null ? type : "CODE_DISCOUNT",
    target,
    title: title ?? null,
    percentage: value?.percentage ?? null,
    fixed: value?.fixedAmount
      ? {
          amount: minorOf(value.fixedAmount.amount ?? 0, currency),
          each: value.fixedAmount.appliesOnEachItem ?? false,
        }
      : null,
    recurringCycleLimit: recurringCycleLimit || null,
    entitled,
    used: 0,
  };
}

export function lineNode(store: FakeStore, basket: Basket, line: ContractLine) {
  return {
    ...variantOf(store, line.variantId),
    id: line.id,
    variantId: line.variantId,
    quantity: line.quantity,
    sellingPlanId: line.sellingPlanId,
    sellingPlanName: line.sellingPlanName,
    customAttributes: line.customAttributes,
    currentPrice: moneyOf(line.price, basket.currency),
    pricingPolicy: line.pricingPolicy && policyNode(line.pricingPolicy, basket.currency),
    discountAllocations: basket.discounts
      .filter(
        (discount) => discount.target === "LINE_ITEM" && isUsable(discount) && isEntitled(discount, line),
      )
      .map(({ id, title, redeemCode }) => ({
        discount: {
          __typename: redeemCode === null ? "SubscriptionManualDiscount" : "SubscriptionAppliedCodeDiscount",
          id,
          title,
          redeemCode,
        },
      })),
    lineDiscountedPrice: moneyOf(lineTotals(basket)[basket.lines.indexOf(line)]!, basket.currency),
  };
}

/** The plan has its current name, unless the line has one. */
function planName({ planGroups }: FakeStore, id: string | null | undefined): string | null {
  return [...planGroups.values()].flatMap(({ plans }) => plans).find((plan) => plan.id === id)?.name ?? null;
}

/** The lines and discounts of the same contract, on which the total of one line depends. */
export type Basket = Pick<Contract, "lines" | "discounts" | "currency">;

function policyNode({ basePrice, cycleDiscounts }: PricingPolicy, currency: string) {
  return {
    basePrice: moneyOf(minorOf(basePrice, currency), currency),
    cycleDiscounts: cycleDiscounts.map(({ afterCycle, adjustmentType, computedPrice }) => ({
      afterCycle,
      adjustmentType,
      computedPrice: moneyOf(minorOf(computedPrice, currency), currency),
    })),
  };
}
