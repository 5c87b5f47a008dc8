import { type NumberedBy, numbersIn } from "./numbers.ts";
import { orderNumbers } from "./tables.ts";

const numberRecord = numbersIn({
  table: orderNumbers,
  number: orderNumbers.order_number,
  record: orderNumbers.store_order_id,
});

/** The number of an order at a store that numbers none: `#12`. */
export async function numberOrder(by: NumberedBy, storeOrderId: string): Promise<string> {
  return `#${await numberRecord(by, storeOrderId)}`;
}
