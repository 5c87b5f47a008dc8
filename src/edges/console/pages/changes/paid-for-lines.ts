import { toMajor, toMinor } from "../../../../base/lib/money.ts";

type Amounts = { line_total: number; discount_amount: number };
type Order = { currency_code: string; discount_amount: number; lines: Amounts[] | null };

/**
 * The part of an order's payment that each of its lines comes to, in major units: its price less its own discounts, and less its share of those
 * on the whole order. The shares add up to the minor unit. Shipping, and tax on top, belong to no line.
 */
export function paidForLines({ currency_code, discount_amount, lines }: Order): number[] {
  const minor = (amount: number) => toMinor(amount, currency_code) ?? 0;
  const own = (lines ?? []).map((line) => Math.max(0, minor(line.line_total) - minor(line.discount_amount)));
  const goods = own.reduce((sum, amount) => sum + amount, 0);
  const ofLines = (lines ?? []).reduce((sum, line) => sum + minor(line.discount_amount), 0);
  const ofOrder = Math.min(goods, Math.max(0, minor(discount_amount) - ofLines));
  let [before, given] = [0, 0];
  return own.map((amount) => {
    before += amount;
    const share = goods === 0 ? 0 : Math.round((ofOrder * before) / goods) - given;
    given += share;
    return toMajor(amount - share, currency_code);
  });
}
