import { z } from "zod";
import { type Interval, timesWithin } from "../../../base/lib/time/intervals.ts";
import { StoreRefusalError } from "../../port.ts";
import {
  type Changes,
  type Contract,
  type DesiredState,
  type LineChange,
  pairLines,
} from "./contract-changes.ts";
import { decimal, discountInput, lineInput } from "./contract-input.ts";

/**
 * SubscriptionContractCalculationContractUpdateInput: what is left out stays as it is, but a list replaces the contract's, and a line or a
 * delivery method drops what is not stated again. Codes go with every change, as they do by a draft: the subscription has taken them over.
 */
export function calculationInput({ contract, changes, desired, restated }: CalculationParts) {
  const { terms, lines, deliveryDiscounts } = changes;
  const isDeliveryChanged = terms.deliveryPrice !== undefined || terms.deliveryMethod !== undefined;
  const areDiscountsChanged = lines.length > 0 || deliveryDiscounts.length > 0;
  return {
    withMerchandiseCustomizations: false,
    discountCodes: [],
    ...(terms.paymentMethodId === undefined
      ? {}
      : { paymentMethod: { customerPaymentMethod: { id: terms.paymentMethodId } } }),
    ...(terms.billingPolicy ? { billingPolicy: { cadence: cadenceOf(desired.billing) } } : {}),
    ...(terms.billingPolicy || terms.deliveryPolicy ? { deliveryPolicy: deliveryPolicyOf(desired) } : {}),
    ...(isDeliveryChanged
      ? { deliveryMethod: deliveryInput(changes, desired, restated.deliveryMethod) }
      : {}),
    ...(terms.note === undefined ? {} : { note: terms.note }),
    ...(areDiscountsChanged
      ? { lines: linesInput(contract, desired, restated.lines.nodes), manualDiscounts: [] }
      : {}),
  };
}

const text = z.string().nullable();
const option = z.object({ code: text, description: text, presentmentTitle: text, title: text });
const address = z
  .object({
    address1: text,
    address2: text,
    city: text,
    company: text,
    countryCodeV2: text,
    firstName: text,
    lastName: text,
    phone: text,
    provinceCode: text,
    zip: text,
  })
  .transform(({ countryCodeV2: countryCode, ...fields }) => ({ ...fields, countryCode }));

const methodSchema = z.discriminatedUnion("__typename", [
  z.object({
    __typename: z.literal("SubscriptionDeliveryMethodShipping"),
    address,
    shippingOption: option,
  }),
  z.object({
    __typename: z.literal("SubscriptionDeliveryMethodLocalDelivery"),
    address,
    localDeliveryOption: option.extend({ instructions: text, phone: z.string() }),
  }),
  z.object({
    __typename: z.literal("SubscriptionDeliveryMethodPickup"),
    pickupOption: option.extend({ location: z.object({ id: z.string() }) }),
  }),
]);

const restatedLine = z.object({
  id: z.string(),
  customAttributes: z.array(z.object({ key: z.string(), value: text })),
});

/** A contract as the document readRestated selects it. */
export const restatedSchema = z.object({
  subscriptionContract: z
    .object({
      lines: z.object({ nodes: z.array(restatedLine) }),
      deliveryMethod: methodSchema.nullable(),
    })
    .nullable(),
});
type Restated = NonNullable<z.output<typeof restatedSchema>["subscriptionContract"]>;

type CalculationParts = {
  contract: Contract;
  changes: Changes;
  desired: DesiredState;
  restated: Restated;
};

function cadenceOf({ unit, count }: Interval) {
  return { unit, count };
}

/** A contract with one delivery for each billing has no interval of its deliveries. */
function deliveryPolicyOf({ billing, delivery }: DesiredState) {
  const times = timesWithin(billing, delivery);
  if (times === undefined)
    throw new StoreRefusalError("The deliveries do not divide the billings", ["INVALID"]);
  return times === 1
    ? {}
    : { multiFulfillment: { cadence: cadenceOf(delivery), numberOfFulfillments: times } };
}

/** The delivery method with its price, which is a part of it. Another method than shipping stays until the address is changed here. */
function deliveryInput({ terms }: Changes, desired: DesiredState, method: Restated["deliveryMethod"]) {
  const { delivery_price, currency_code } = desired;
  const deliveryPrice = moneyOf(delivery_price, currency_code);
  if (terms.deliveryMethod) return { shipping: { ...terms.deliveryMethod.shipping, deliveryPrice } };
  if (method?.__typename === "SubscriptionDeliveryMethodShipping")
    return { shipping: { address: method.address, ...method.shippingOption, deliveryPrice } };
  if (method?.__typename === "SubscriptionDeliveryMethodLocalDelivery")
    return { localDelivery: { address: method.address, ...method.localDeliveryOption, deliveryPrice } };
  if (method) {
    const { location, ...stated } = method.pickupOption;
    return { pickup: { ...stated, locationId: location.id, deliveryPrice } };
  }
  if (delivery_price === 0) return { none: true };
  throw new StoreRefusalError("A contract without a delivery method has no price of it", [
    "DELIVERY_METHOD_REQUIRED",
  ]);
}

/** All lines, each with its discount. A line that is not among them is removed. */
function linesInput(contract: Contract, desired: DesiredState, restated: Restated["lines"]["nodes"]) {
  const attributesOf = (id: string | undefined) =>
    restated.find((line) => line.id === id)?.customAttributes ?? [];
  return pairLines(contract.lines.nodes, desired.lines).flatMap((change) =>
    change.desired
      ? [{ productVariantLine: variantLine(change, change.desired, attributesOf(change.line?.id), desired) }]
      : [],
  );
}

function variantLine(
  { line }: LineChange,
  desired: NonNullable<LineChange["desired"]>,
  customAttributes: Restated["lines"]["nodes"][number]["customAttributes"],
  { currency_code: currency }: DesiredState,
) {
  const { productVariantId, quantity, sellingPlanId, sellingPlanName } = lineInput(desired, currency);
  const originSellingPlanId = sellingPlanId ?? line?.sellingPlanId;
  return {
    ...(line ? { id: line.id } : {}),
    productVariantId,
    quantity,
    priceOverride: moneyOf(desired.price, currency),
    ...(originSellingPlanId ? { originSellingPlanId } : {}),
    sellingPlanName,
    customAttributes: customAttributes.map(({ key, value }) => ({ key, value: value ?? "" })),
    discounts: desired.discount_amount > 0 ? [lineDiscount(desired.discount_amount, currency)] : [],
  };
}

/** An amount off a line as a whole, in every billing. */
function lineDiscount(amount: number, currency: string) {
  const { title } = discountInput(amount, currency);
  const fixedAmount = { amount: moneyOf(amount, currency), appliesOnEachItem: false };
  return { title, recurringCycleLimit: 0, value: { fixedAmount } };
}

function moneyOf(minor: number, currencyCode: string) {
  return { amount: decimal(minor, currencyCode), currencyCode };
}
