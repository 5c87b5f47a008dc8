import { minorOf } from "../../../src/stores/shopify/responses.ts";
import { confirmed, contradicted, type Outcome, untestable } from "../../store-check/outcome.ts";
import { makeContract, usualContents } from "../new-contract.ts";
import { bill, type Charging, newKey, requireOrder } from "./bill.ts";
import { type BilledOrder, readOrder } from "./order.ts";

/**
 * Whether tax is on everything, the delivery included, and is rounded once. The first contract shows the rate and what is taxed; the
 * second has three lines of a price at which the sum of rounded parts is another one.
 */
export async function checkTaxes(lab: Charging): Promise<Outcome> {
  const first = await billedOrder(lab, usualContents);
  const [goods, delivery] = [1700, usualContents.deliveryPrice];
  const { rate, included, tax } = taxesOf(first);
  if (rate === 0) return untestable("the store charges no tax at this address");
  const whole = taxOn(goods + delivery, rate, included);
  const onGoods = taxOn(goods, rate, included);
  if (tax === onGoods && whole !== onGoods) return contradicted("the delivery is not taxed");
  if (tax !== whole) return contradicted(`a tax of ${tax} instead of ${whole} at ${rate}`);
  const price = ambiguousPrice(rate, included);
  if (price === undefined) return untestable(`at ${rate} each rounding leads to the same sum`);
  const lines = [1, 2, 3].map(() => ({ quantity: 1, price }));
  const second = taxesOf(await billedOrder(lab, { lines }));
  const once = taxOn(3 * price, rate, included);
  if (second.tax === once) return confirmed(`3 × ${price} at ${rate}: ${once}`);
  return contradicted(`3 × ${price} at ${rate}: ${second.tax} instead of ${once}`);
}

async function billedOrder(lab: Charging, contents: Parameters<typeof makeContract>[1]) {
  return readOrder(lab, requireOrder(await bill(lab, await makeContract(lab, contents), newKey())));
}

function taxesOf({ taxLines, taxesIncluded: included, totalTaxSet }: BilledOrder) {
  const rate = taxLines.reduce((sum, line) => sum + (line.rate ?? 0), 0);
  return { rate, included, tax: totalTaxSet ? minorOf(totalTaxSet.presentmentMoney) : 0 };
}

function taxOn(amount: number, rate: number, included: boolean): number {
  return Math.round(included ? (amount * rate) / (1 + rate) : amount * rate);
}

/** A price of which three parts are taxed otherwise than their sum. */
function ambiguousPrice(rate: number, included: boolean): number | undefined {
  const prices = Array.from({ length: 100 }, (_, index) => 101 + index);
  return prices.find((price) => 3 * taxOn(price, rate, included) !== taxOn(3 * price, rate, included));
}
