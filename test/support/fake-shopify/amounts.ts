import type { ContractLine, ContractTerms, Discount } from "./records.ts";

/** A Decimal or Float of Shopify in minor units. */
export function minorOf(amount: string | number, currency: string): number {
  return Math.round(Number(amount) * 10 ** decimalsOf(currency));
}

/** As REST and webhooks write it: "10.00". */
export function restAmount(minor: number, currency: string): string {
  return (minor / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency));
}

export function moneyOf(minor: number, currencyCode: string) {
  return {
    amount: graphqlAmount(minor, currencyCode),
    currencyCode,
  };
}

export function isUsable({ recurringCycleLimit, used }: Discount): boolean {
  return recurringCycleLimit === null || used < recurringCycleLimit;
}

export function isEntitled({ entitled }: Discount, { id }: ContractLine): boolean {
  return entitled === "all" || entitled.includes(id);
}

/** The total of each line. Each discount applies to what the discounts before it leave. */
export function lineTotals({ lines, discounts }: Pick<ContractTerms, "lines" | "discounts">): number[] {
  return discounts
    .filter((one) => one.target === "LINE_ITEM" && isUsable(one))
    .reduce(
      (totals, discount) => {
        const off = discountOn(totals, lines, discount);
        return totals.map((total, index) => total - off[index]!);
      },
      lines.map(({ price, quantity }) => price * quantity),
    );
}

/** The price of a delivery after the discounts on it, in minor units. */
export function deliveryOf({ discounts, deliveryPrice }: Pick<ContractTerms, "discounts" | "deliveryPrice">) {
  return discounts
    .filter((one) => one.target === "SHIPPING_LINE" && isUsable(one))
    .reduce(
      (price, { percentage, fixed }) =>
        price -
        (percentage === null ? Math.min(price, fixed?.amount ?? 0) : Math.round((price * percentage) / 100)),
      deliveryPrice,
    );
}

/** The total of an order of the contract. Tax is on everything and is rounded once. */
export function totalOf(
  terms: Pick<ContractTerms, "lines" | "discounts" | "deliveryPrice">,
  { taxRate, taxesIncluded }: { taxRate: number; taxesIncluded: boolean },
): { subtotal: number; discounts: number; total: number; tax: number } {
  const subtotal = sumOf(lineTotals(terms));
  const discounts = sumOf(terms.lines.map(({ price, quantity }) => price * quantity)) - subtotal;
  const sum = subtotal + deliveryOf(terms);
  if (taxesIncluded)
    return { subtotal, discounts, total: sum, tax: Math.round((sum * taxRate) / (1 + taxRate)) };
  const tax = Math.round(sum * taxRate);
  return { subtotal, discounts, total: sum + tax, tax };
}

/** Making a formatter takes longer than all that is computed with its answer. */
const knownDecimals = new Map<string, number>();

function decimalsOf(currency: string): number {
  const decimals = knownDecimals.get(currency) ?? readDecimals(currency);
  knownDecimals.set(currency, decimals);
  return decimals;
}

function readDecimals(currency: string): number {
  return (
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
  );
}

/** As GraphQL writes it: no trailing zeros after the first decimal, "10.0". */
function graphqlAmount(minor: number, currency: string): string {
  const text = String(minor / 10 ** decimalsOf(currency));
  return text.includes(".") ? text : `${text}.0`;
}

function sumOf(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Splits an amount over several totals in proportion to their size, and never more than they have. */
function spread(amount: number, amounts: number[]): number[] {
  let whole = sumOf(amounts);
  let left = Math.min(amount, whole);
  return amounts.map((one) => {
    const part = whole === 0 ? 0 : Math.round((left * one) / whole);
    whole -= one;
    left -= part;
    return part;
  });
}

/** The amount that a discount takes off each line, in minor units, given the totals after the discounts before it. */
function discountOn(totals: number[], lines: ContractLine[], discount: Discount): number[] {
  const { percentage, fixed } = discount;
  const open = totals.map((total, index) => (isEntitled(discount, lines[index]!) ? total : 0));
  if (percentage !== null) return open.map((total) => Math.round((total * percentage) / 100));
  if (!fixed) return open.map(() => 0);
  return fixed.each
    ? open.map((total, index) => Math.min(total, fixed.amount * lines[index]!.quantity))
    : spread(fixed.amount, open);
}
