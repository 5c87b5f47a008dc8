import type { Contract, ContractLine, LineDiscount } from "./records.ts";

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** A Decimal or Float of Shopify's as minor units. */
export const minorOf = (amount: string | number, currency: string): number =>
  Math.round(Number(amount) * 10 ** decimalsOf(currency));

/** As REST and webhooks show it: "10.00". */
export const restAmount = (minor: number, currency: string): string =>
  (minor / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency));

/** As GraphQL shows it: no zeros at the end but the first decimal, "10.0". */
const graphqlAmount = (minor: number, currency: string): string => {
  const text = String(minor / 10 ** decimalsOf(currency));
  return text.includes(".") ? text : `${text}.0`;
};

export const moneyOf = (minor: number, currencyCode: string) => ({
  amount: graphqlAmount(minor, currencyCode),
  currencyCode,
});

export const isUsable = ({ recurringCycleLimit, used }: LineDiscount): boolean =>
  recurringCycleLimit === null || used < recurringCycleLimit;

const discountOn = (amount: number, quantity: number, { percentage, fixed }: LineDiscount): number => {
  if (percentage !== null) return Math.round((amount * percentage) / 100);
  return fixed ? Math.min(amount, fixed.amount * (fixed.each ? quantity : 1)) : 0;
};

/** What a line comes to; each discount is taken off what those before it have left. */
export const lineTotal = ({ price, quantity, discounts }: ContractLine): number =>
  discounts
    .filter(isUsable)
    .reduce((left, discount) => left - discountOn(left, quantity, discount), price * quantity);

/** What an order of the contract comes to; tax is on everything, rounded once. */
export const totalOf = (
  { lines, deliveryPrice }: Contract,
  { taxRate, taxesIncluded }: { taxRate: number; taxesIncluded: boolean },
): { total: number; tax: number } => {
  const sum = lines.reduce((total, line) => total + lineTotal(line), deliveryPrice);
  if (taxesIncluded) return { total: sum, tax: Math.round((sum * taxRate) / (1 + taxRate)) };
  const tax = Math.round(sum * taxRate);
  return { total: sum + tax, tax };
};
