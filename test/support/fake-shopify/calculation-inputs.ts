import type { AddressInput } from "./addresses.ts";
import type { Attribute, Policy } from "./records.ts";

/** The inputs of calculations (scripts/shopify-schema/calculations.graphql), as graphql-js has coerced them. */
export type MoneyInput = { amount: string; currencyCode: string };

type Cadence = { unit: Policy["interval"]; count: number };

export type CalculatedDiscount = {
  id?: string | null;
  title: string;
  recurringCycleLimit: number;
  value: { percentage?: number; fixedAmount?: { amount: MoneyInput; appliesOnEachItem: boolean } };
};

export type CalculatedLine = {
  id?: string | null;
  productVariantId: string;
  quantity: number;
  priceOverride?: MoneyInput | null;
  originSellingPlanId?: string | null;
  sellingPlanName?: string | null;
  customAttributes: Attribute[];
  discounts: CalculatedDiscount[];
};

type DeliveryOption = {
  deliveryPrice: MoneyInput;
  code?: string | null;
  title?: string | null;
  presentmentTitle?: string | null;
  description?: string | null;
};

export type CalculatedDelivery = {
  shipping?: DeliveryOption & { address: AddressInput };
  localDelivery?: DeliveryOption & { address: AddressInput; phone: string; instructions?: string | null };
  pickup?: DeliveryOption & { locationId: string };
  none?: boolean;
};

/** Fields that it omits do not change; a list replaces the contract's. */
export type CalculationInput = {
  withMerchandiseCustomizations: boolean;
  discountCodes: { redeemCode: string }[];
  lines?: { productVariantLine: CalculatedLine }[] | null;
  manualDiscounts?: { orderDiscount?: CalculatedDiscount; deliveryDiscount?: CalculatedDiscount }[] | null;
  billingPolicy?: { cadence: Cadence } | null;
  deliveryPolicy?: { multiFulfillment?: { cadence: Cadence; numberOfFulfillments: number } | null } | null;
  deliveryMethod?: CalculatedDelivery | null;
  paymentMethod?: { customerPaymentMethod?: { id: string }; none?: boolean } | null;
  customAttributes?: Attribute[] | null;
  note?: string | null;
};
