import type { CalendarDate } from "../../lib/dates.ts";
import { exponentOf } from "../../lib/money.ts";
import type { DesiredContract } from "../port.ts";
import { requireGid } from "./ids.ts";

/** Marks a contract as one of our subscriptions', so that it is found again and never made twice. */
export const contractMark = "perennial_subscription_id";

/** Minor units as the Decimal that Shopify takes: 1250 USD → "12.50". */
const decimal = (minor: number, currency: string): string => {
  const digits = exponentOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
};

/** SubscriptionLineInput. */
export const lineInput = (line: DesiredContract["lines"][number], currency: string) => ({
  productVariantId: requireGid("ProductVariant", line.store_variant_id),
  quantity: line.quantity,
  currentPrice: decimal(line.price, currency),
  sellingPlanId: requireGid("SellingPlan", line.selling_plan_id),
  sellingPlanName: line.selling_plan_name,
});

/** SubscriptionManualDiscountInput: what is off a line as a whole. */
export const discountInput = (amount: number, currency: string) => ({
  title: "Discount",
  value: { fixedAmount: { amount: Number(decimal(amount, currency)), appliesOnEachItem: false } },
});

const linesOf = ({ lines, currency_code: currency }: DesiredContract) =>
  lines.map((line) => ({
    line: lineInput(line, currency),
    ...(line.discount_amount > 0 ? { discounts: [discountInput(line.discount_amount, currency)] } : {}),
  }));

const shippingTo = (address: NonNullable<DesiredContract["address"]>) => ({
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
});

/** Noon in UTC is the same day nearly everywhere. */
export const instantOf = (date: CalendarDate): string => `${date}T12:00:00Z`;

const policyOf = ({ unit, count }: DesiredContract["billing"]) => ({ interval: unit, intervalCount: count });

/** What SubscriptionContractAtomicCreate and SubscriptionDraftInput have in common. Billing is ours, so it counts no cycles. */
export const contractTerms = (desired: Omit<DesiredContract, "next_billing_date">) => ({
  ...(desired.store_payment_method_id === null
    ? {}
    : { paymentMethodId: requireGid("CustomerPaymentMethod", desired.store_payment_method_id) }),
  billingPolicy: policyOf(desired.billing),
  deliveryPolicy: policyOf(desired.delivery),
  deliveryPrice: decimal(desired.delivery_price, desired.currency_code),
  ...(desired.address ? { deliveryMethod: shippingTo(desired.address) } : {}),
  note: desired.note ?? "",
});

/** SubscriptionContractAtomicCreateInput: the contract as the subscription wants it. */
export const contractInput = (desired: DesiredContract) => ({
  customerId: requireGid("Customer", desired.store_customer_id ?? ""),
  currencyCode: desired.currency_code,
  nextBillingDate: instantOf(desired.next_billing_date),
  contract: {
    status: "ACTIVE",
    ...contractTerms(desired),
    customAttributes: [{ key: contractMark, value: desired.subscription_id }],
  },
  lines: linesOf(desired),
});
