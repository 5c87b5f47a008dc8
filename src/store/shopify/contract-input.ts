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
export const contractTerms = (wish: Omit<DesiredContract, "next_billing_date">) => ({
  ...(wish.store_payment_method_id === null
    ? {}
    : { paymentMethodId: requireGid("CustomerPaymentMethod", wish.store_payment_method_id) }),
  billingPolicy: policyOf(wish.billing),
  deliveryPolicy: policyOf(wish.delivery),
  deliveryPrice: decimal(wish.delivery_price, wish.currency_code),
  ...(wish.address ? { deliveryMethod: shippingTo(wish.address) } : {}),
  note: wish.note ?? "",
});

/** SubscriptionContractAtomicCreateInput: the contract as the subscription wants it. */
export const contractInput = (wish: DesiredContract) => ({
  customerId: requireGid("Customer", wish.store_customer_id ?? ""),
  currencyCode: wish.currency_code,
  nextBillingDate: instantOf(wish.next_billing_date),
  contract: {
    status: "ACTIVE",
    ...contractTerms(wish),
    customAttributes: [{ key: contractMark, value: wish.subscription_id }],
  },
  lines: linesOf(wish),
});
