import { readBilledOrder } from "../documents.ts";
import type { Lab } from "../lab.ts";

export type BilledOrder = {
  test: boolean;
  sourceName: string | null;
  taxesIncluded: boolean;
  taxLines: { rate: number | null }[];
  totalPriceSet: { presentmentMoney: { amount: string; currencyCode: string } };
  totalTaxSet: { presentmentMoney: { amount: string; currencyCode: string } } | null;
};

export async function readOrder({ ask }: Lab, id: string): Promise<BilledOrder> {
  const { order } = (await ask(readBilledOrder, { id })) as { order: BilledOrder | null };
  if (!order) throw new Error("the order is not shown");
  return order;
}
