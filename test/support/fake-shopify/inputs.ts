import type { AddressInput } from "./addresses.ts";
import type { Attribute, ContractStatus, Policy, PricingPolicy } from "./records.ts";

/** Shopify's input objects, as graphql-js has coerced them. */
export type LineChange = {
  productVariantId?: string | null;
  quantity?: number | null;
  currentPrice?: string | null;
  sellingPlanId?: string | null;
  sellingPlanName?: string | null;
  customAttributes?: Attribute[] | null;
  pricingPolicy?: PricingPolicy | null;
};

export type LineInput = LineChange & { productVariantId: string; quantity: number; currentPrice: string };

export type DiscountInput = {
  title?: string | null;
  recurringCycleLimit?: number | null;
  value?: {
    percentage?: number | null;
    fixedAmount?: { amount?: number | null; appliesOnEachItem?: boolean | null } | null;
  } | null;
};

export type EntitledDiscountInput = DiscountInput & {
  entitledLines?: {
    all?: boolean | null;
    lines?: { add?: string[] | null; remove?: string[] | null } | null;
  } | null;
};

/** An option of the delivery, as the customer has chosen it. */
export type DeliveryOption = {
  code?: string | null;
  title?: string | null;
  presentmentTitle?: string | null;
  description?: string | null;
};

export type DeliveryMethodInput = {
  shipping?: { address?: AddressInput | null; shippingOption?: DeliveryOption | null } | null;
  localDelivery?: {
    address?: AddressInput | null;
    localDeliveryOption?: (DeliveryOption & { phone?: string; instructions?: string | null }) | null;
  } | null;
  pickup?: { pickupOption?: (DeliveryOption & { locationId?: string }) | null } | null;
};

/** SubscriptionDraftInput: fields that it omits do not change. */
export type TermsInput = {
  status?: ContractStatus | null;
  paymentMethodId?: string | null;
  billingPolicy?: Policy | null;
  deliveryPolicy?: Policy | null;
  deliveryMethod?: DeliveryMethodInput | null;
  deliveryPrice?: string | null;
  nextBillingDate?: string | null;
  customAttributes?: Attribute[] | null;
  note?: string | null;
};

/** SubscriptionContractAtomicCreateInput. */
export type ContractInput = {
  customerId: string;
  currencyCode: string;
  nextBillingDate: string;
  discountCodes: string[];
  lines: { line: LineInput; discounts?: DiscountInput[] | null }[];
  contract: TermsInput;
};
