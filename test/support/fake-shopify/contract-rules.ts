import type { Attribute, ContractStatus, Policy, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";

type DiscountInput = {
  title?: string | null;
  recurringCycleLimit?: number | null;
  value?: {
    percentage?: number | null;
    fixedAmount?: { amount?: number | null; appliesOnEachItem?: boolean | null } | null;
  } | null;
};

/** SubscriptionContractAtomicCreateInput, as graphql-js has coerced it. */
export type ContractInput = {
  customerId: string;
  currencyCode: string;
  nextBillingDate: string;
  discountCodes: string[];
  lines: {
    line: {
      productVariantId: string;
      quantity: number;
      currentPrice: string;
      sellingPlanId?: string | null;
      sellingPlanName?: string | null;
      customAttributes?: Attribute[] | null;
      pricingPolicy?: unknown;
    };
    discounts?: DiscountInput[] | null;
  }[];
  contract: {
    status?: ContractStatus | null;
    paymentMethodId?: string | null;
    billingPolicy?: Policy | null;
    deliveryPolicy?: Policy | null;
    deliveryMethod?: unknown;
    deliveryPrice?: string | null;
    customAttributes?: Attribute[] | null;
    note?: string | null;
  };
};

const error = (code: string, field: (string | number)[], message: string): UserError => ({
  code,
  field: ["input", ...field.map(String)],
  message,
});

const lineErrors = (store: FakeStore, { lines }: ContractInput): UserError[] => {
  if (lines.length === 0) return [error("INVALID_LINES", ["lines"], "Must have at least one line")];
  return lines.flatMap(({ line, discounts }, index) => {
    const at = ["lines", index];
    const { productVariantId: variant, quantity, currentPrice } = line;
    const isVariant =
      /^gid:\/\/shopify\/ProductVariant\/\d+$/.test(variant) && !store.unknownVariants.has(variant);
    return [
      ...(isVariant
        ? []
        : [error("INVALID", [...at, "line", "productVariantId"], "Product variant is invalid")]),
      ...(quantity > 0
        ? []
        : [error("GREATER_THAN", [...at, "line", "quantity"], "Quantity must be greater than 0")]),
      ...(Number(currentPrice) >= 0
        ? []
        : [
            error(
              "GREATER_THAN_OR_EQUAL_TO",
              [...at, "line", "currentPrice"],
              "Current price must be greater than or equal to 0",
            ),
          ]),
      ...(discounts ?? []).flatMap((discount, nth) => discountErrors(discount, [...at, "discounts", nth])),
    ];
  });
};

const discountErrors = ({ value }: DiscountInput, at: (string | number)[]): UserError[] => {
  const percentage = value?.percentage ?? null;
  const amount = value?.fixedAmount?.amount ?? null;
  if ((percentage === null) === (amount === null))
    return [
      error(
        "INVALID_ADJUSTMENT_VALUE",
        [...at, "value"],
        "Value must be either a fixed amount or a percentage",
      ),
    ];
  if (percentage !== null && (percentage < 0 || percentage > 100))
    return [error("NOT_IN_RANGE", [...at, "value", "percentage"], "Percentage must be between 0 and 100")];
  if (amount !== null && amount < 0)
    return [
      error("GREATER_THAN_OR_EQUAL_TO", [...at, "value", "fixedAmount"], "Amount must not be negative"),
    ];
  return [];
};

/** Days for days and weeks, months for months and years: those two can be compared among themselves alone. */
const lengthOf = ({ interval, intervalCount }: Policy): [unit: string, length: number] => {
  const [unit, factor] = { DAY: ["day", 1], WEEK: ["day", 7], MONTH: ["month", 1], YEAR: ["month", 12] }[
    interval
  ] as [string, number];
  return [unit, factor * intervalCount];
};

const policyErrors = ({ contract }: ContractInput): UserError[] => {
  const { billingPolicy, deliveryPolicy } = contract;
  if (!billingPolicy) return [error("BLANK", ["contract", "billingPolicy"], "Billing policy can't be blank")];
  if (!deliveryPolicy)
    return [error("BLANK", ["contract", "deliveryPolicy"], "Delivery policy can't be blank")];
  const tooShort = (["billingPolicy", "deliveryPolicy"] as const).filter(
    (name) => contract[name]!.intervalCount < 1,
  );
  if (tooShort.length > 0)
    return tooShort.map((name) =>
      error("GREATER_THAN", ["contract", name, "intervalCount"], "Interval count must be greater than 0"),
    );
  const [[billingUnit, billing], [deliveryUnit, delivery]] = [
    lengthOf(billingPolicy),
    lengthOf(deliveryPolicy),
  ];
  if (billingUnit !== deliveryUnit || billing % delivery !== 0)
    return [
      error(
        "DELIVERY_MUST_BE_MULTIPLE_OF_BILLING",
        ["contract", "deliveryPolicy"],
        "Delivery interval must be a multiple of the billing interval",
      ),
    ];
  const { minCycles, maxCycles } = billingPolicy;
  return minCycles && maxCycles && maxCycles < minCycles
    ? [
        error(
          "SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES",
          ["contract", "billingPolicy", "maxCycles"],
          "Max cycles must be greater than min cycles",
        ),
      ]
    : [];
};

const paymentErrors = (store: FakeStore, { contract, customerId }: ContractInput): UserError[] => {
  const at = ["contract", "paymentMethodId"];
  if (!contract.paymentMethodId)
    return [error("MISSING_CUSTOMER_PAYMENT_METHOD", at, "Customer payment method is required")];
  const method = store.methods.get(contract.paymentMethodId);
  if (!method || method.revokedAt) return [error("INVALID", at, "Customer payment method is invalid")];
  return method.customer.id === customerId
    ? []
    : [
        error(
          "CUSTOMER_MISMATCH",
          at,
          "The payment method customer must be the same as the contract customer",
        ),
      ];
};

const deliveryErrors = (store: FakeStore, { contract, lines }: ContractInput): UserError[] => {
  const ships = lines.some(({ line }) => !store.digital.has(line.productVariantId));
  if (ships && !contract.deliveryMethod)
    return [
      error(
        "DELIVERY_METHOD_REQUIRED",
        ["contract", "deliveryMethod"],
        "The delivery method can't be blank if any lines require shipping",
      ),
    ];
  if (ships && contract.deliveryPrice == null)
    return [error("BLANK", ["contract", "deliveryPrice"], "Delivery price can't be blank")];
  return [];
};

/** Why Shopify would not make this contract. */
export const contractErrors = (store: FakeStore, input: ContractInput): UserError[] => {
  if (!store.customers.has(input.customerId))
    return [error("CUSTOMER_DOES_NOT_EXIST", ["customerId"], "Customer does not exist")];
  const { currency, currencies } = store.settings;
  return [
    ...([currency, ...currencies].includes(input.currencyCode)
      ? []
      : [error("CURRENCY_NOT_ENABLED", ["currencyCode"], "Currency is not enabled")]),
    ...lineErrors(store, input),
    ...policyErrors(input),
    ...paymentErrors(store, input),
    ...deliveryErrors(store, input),
  ];
};
