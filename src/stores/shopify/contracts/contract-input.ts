import { exponentOf } from "../../../base/lib/money.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { requireGid } from "../../global-ids.ts";
import type { DesiredContract } from "../../port/contracts.ts";

/** The attributes that hold a subscription's id and its life, so that its contract can be found again and is never created twice. */
const marks = { subscription: "perennial_subscription_id", activation: "perennial_activation" };

/** The attribute of a contract that `npm run shopify-check` has made, which no deployment may take over. */
export const checkMark = "perennial_check";

/** SubscriptionContractAtomicCreateInput for the desired contract. */
export function contractInput(desired: DesiredContract) {
  return {
    customerId: requireGid("Customer", desired.store_customer_id ?? ""),
    currencyCode: desired.currency_code,
    nextBillingDate: instantOf(desired.next_billing_date),
    contract: {
      status: "ACTIVE",
      ...contractTerms(desired),
      customAttributes: [
        { key: marks.subscription, value: desired.subscription_id },
        { key: marks.activation, value: String(desired.activation) },
      ],
    },
    lines: desired.lines.map((line) => ({
      line: lineInput(line, desired.currency_code),
      ...(line.discount_amount > 0
        ? { discounts: [discountInput(line.discount_amount, desired.currency_code)] }
        : {}),
    })),
  };
}

/** The subscription that a contract was made for, null if it was made at the store, and the life of it; NaN where that is not said. */
export function readMark(attributes: Attribute[]): { subscription_id: string | null; activation: number } {
  const valueUnder = (mark: string) => attributes.find(({ key }) => key === mark)?.value ?? null;
  return {
    subscription_id: valueUnder(marks.subscription),
    activation: Number(valueUnder(marks.activation) ?? Number.NaN),
  };
}

type Attribute = { key: string; value: string | null };

/**
 * The fields that SubscriptionContractAtomicCreate and SubscriptionDraftInput have in common. The number of cycles is not among
 * them, because this service decides when to bill.
 */
export function contractTerms(desired: Omit<DesiredContract, "next_billing_date">) {
  return {
    ...(desired.store_payment_method_id === null
      ? {}
      : { paymentMethodId: requireGid("CustomerPaymentMethod", desired.store_payment_method_id) }),
    billingPolicy: policyOf(desired.billing),
    deliveryPolicy: policyOf(desired.delivery),
    deliveryPrice: decimal(desired.delivery_price, desired.currency_code),
    ...(desired.address ? { deliveryMethod: shippingTo(desired.address) } : {}),
    note: desired.note ?? "",
  };
}

/** SubscriptionLineInput. */
export function lineInput(line: DesiredContract["lines"][number], currency: string) {
  return {
    productVariantId: requireGid("ProductVariant", line.store_variant_id),
    quantity: line.quantity,
    currentPrice: decimal(line.price, currency),
    ...(line.selling_plan_id === null
      ? {}
      : { sellingPlanId: requireGid("SellingPlan", line.selling_plan_id) }),
    sellingPlanName: line.selling_plan_name,
  };
}

/** SubscriptionManualDiscountInput: an amount off a line as a whole. */
export function discountInput(amount: number, currency: string) {
  return {
    title: "Discount",
    value: { fixedAmount: { amount: Number(decimal(amount, currency)), appliesOnEachItem: false } },
  };
}

/** Noon in UTC is the same date in nearly every time zone. */
export function instantOf(date: CalendarDate): string {
  return `${date}T12:00:00Z`;
}

/** Minor units as the Decimal that Shopify accepts: 1250 USD → "12.50". */
export function decimal(minor: number, currency: string): string {
  const digits = exponentOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

function policyOf({ unit, count }: DesiredContract["billing"]) {
  return { interval: unit, intervalCount: count };
}

function shippingTo(address: NonNullable<DesiredContract["address"]>) {
  return {
    shipping: {
      address: {
        address1: address.address1,
        address2: address.address2,
        city: address.city,
        company: address.company,
        countryCode: address.country_code,
        firstName: address.first_name,
        lastName: address.last_name,
        phone: address.phone,
        provinceCode: address.province_code,
        zip: address.zip,
      },
    },
  };
}
