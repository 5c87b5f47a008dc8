import { minorOf } from "./amounts.ts";
import type {
  CalculatedDelivery,
  CalculatedDiscount,
  CalculatedLine,
  CalculationInput,
} from "./calculation-inputs.ts";
import { termsOf } from "./drafts.ts";
import { globalId } from "./ids.ts";
import { discountOf, lineOf } from "./lines.ts";
import type { Contract, ContractLine, ContractTerms, Discount } from "./records.ts";
import type { FakeStore } from "./store.ts";

/** The contract as it would be: omitted fields stay, lists replace, and a line keeps its id and nothing else that is not stated. */
export function calculatedTerms(
  store: FakeStore,
  contract: Contract,
  input: CalculationInput,
): ContractTerms {
  const terms = termsOf(contract);
  const { currency } = contract;
  const lines = input.lines?.map(({ productVariantLine }) => ({
    line: calculatedLine(store, contract, productVariantLine),
    discounts: productVariantLine.discounts,
  }));
  const ofLines = lines
    ? lines.flatMap(({ line, discounts }) => discounts.map((one) => discountFrom(one, [line.id], currency)))
    : terms.discounts.filter((one) => one.redeemCode === null && isOfLine(one));
  const others = input.manualDiscounts
    ? input.manualDiscounts.map(({ orderDiscount, deliveryDiscount }) =>
        orderDiscount
          ? discountFrom(orderDiscount, "all", currency)
          : { ...discountFrom(deliveryDiscount!, "all", currency), target: "SHIPPING_LINE" as const },
      )
    : terms.discounts.filter((one) => one.redeemCode === null && !isOfLine(one));
  if (input.discountCodes.length > 0)
    throw new Error("The fake store does not calculate with discount codes");
  return {
    ...terms,
    ...policiesFrom(terms, input),
    ...(input.deliveryMethod ? deliveryFrom(input.deliveryMethod, currency) : {}),
    lines: lines ? lines.map(({ line }) => line) : terms.lines,
    discounts: [...ofLines, ...others],
    method: input.paymentMethod
      ? (store.methods.get(input.paymentMethod.customerPaymentMethod?.id ?? "") ?? null)
      : terms.method,
    customAttributes: input.customAttributes ?? terms.customAttributes,
    note: input.note === undefined ? terms.note : input.note,
  };
}

function isOfLine({ entitled, target }: Discount): boolean {
  return entitled !== "all" && target === "LINE_ITEM";
}

function calculatedLine(store: FakeStore, contract: Contract, input: CalculatedLine): ContractLine {
  if (!input.priceOverride) throw new Error("The fake store has no catalogue prices");
  const line = lineOf(
    store,
    {
      productVariantId: input.productVariantId,
      quantity: input.quantity,
      currentPrice: input.priceOverride.amount,
      sellingPlanId: input.originSellingPlanId ?? null,
      sellingPlanName: input.sellingPlanName ?? null,
      customAttributes: input.customAttributes,
    },
    contract.currency,
  );
  return input.id ? { ...line, id: input.id } : line;
}

function discountFrom(
  { id, title, recurringCycleLimit, value }: CalculatedDiscount,
  entitled: Discount["entitled"],
  currency: string,
): Discount {
  const { percentage = null, fixedAmount } = value;
  const fixed = fixedAmount && {
    amount: Number(fixedAmount.amount.amount),
    appliesOnEachItem: fixedAmount.appliesOnEachItem,
  };
  const made = discountOf(
    { title, recurringCycleLimit, value: { percentage, fixedAmount: fixed ?? null } },
    entitled,
    currency,
  );
  return { ...made, id: id ?? globalId("SubscriptionManualDiscount", crypto.randomUUID()) };
}

/** Without fulfilments of its own a billing has one, so that the deliveries follow the billings. */
function policiesFrom(
  { billingPolicy, deliveryPolicy }: ContractTerms,
  input: CalculationInput,
): Pick<ContractTerms, "billingPolicy" | "deliveryPolicy"> {
  const billing = input.billingPolicy
    ? { interval: input.billingPolicy.cadence.unit, intervalCount: input.billingPolicy.cadence.count }
    : billingPolicy;
  if (!input.deliveryPolicy) return { billingPolicy: billing, deliveryPolicy };
  const cadence = input.deliveryPolicy.multiFulfillment?.cadence;
  const delivery = cadence
    ? { interval: cadence.unit, intervalCount: cadence.count }
    : { interval: billing.interval, intervalCount: billing.intervalCount };
  return { billingPolicy: billing, deliveryPolicy: delivery };
}

function deliveryFrom(
  { shipping, localDelivery, pickup }: CalculatedDelivery,
  currency: string,
): Pick<ContractTerms, "deliveryMethod" | "deliveryPrice"> {
  if (shipping) {
    const { address, deliveryPrice, ...shippingOption } = shipping;
    return {
      deliveryMethod: { shipping: { address, shippingOption } },
      deliveryPrice: priceOf(deliveryPrice),
    };
  }
  if (localDelivery) {
    const { address, deliveryPrice, ...localDeliveryOption } = localDelivery;
    return {
      deliveryMethod: { localDelivery: { address, localDeliveryOption } },
      deliveryPrice: priceOf(deliveryPrice),
    };
  }
  if (pickup) {
    const { deliveryPrice, ...pickupOption } = pickup;
    return { deliveryMethod: { pickup: { pickupOption } }, deliveryPrice: priceOf(deliveryPrice) };
  }
  return { deliveryMethod: null, deliveryPrice: 0 };

  function priceOf({ amount }: { amount: string }): number {
    return minorOf(amount, currency);
  }
}
