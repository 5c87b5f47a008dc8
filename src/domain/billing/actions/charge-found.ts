import { invalid } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { isSameStoreId } from "../../../stores/ids.ts";
import type { StoreOrder } from "../../../stores/port.ts";
import { knownChargeOf } from "../known-charge.ts";
import type { BillingAttempt } from "../tables.ts";
import { ifAnswered } from "./if-answered.ts";
import type { RecordedCharge } from "./record-success.ts";

/**
 * The store's account of an order that a person names for a charge: the charge itself, if it made that order, else the order.
 * Nothing where the store cannot be asked. Where the amount is needed, throws VALIDATION_FAILED if the store has no such order,
 * and if it was charged in another currency. A person who states the amount may name an order that was deleted at the store.
 */
export async function chargeFound(
  ctx: Ctx,
  attempt: BillingAttempt,
  storeOrderId: string,
  needsAmount: boolean,
): Promise<Found> {
  const charge = await ifAnswered(ctx, ctx.store.findCharge(knownChargeOf(attempt)));
  const charged = charge?.outcome === "succeeded" ? charge : undefined;
  if (charged && isSameStoreId("Order", charged.store_order_id, storeOrderId)) {
    const { reference, store_order_id, store_order_number, amount, tax_amount, fees_amount } = charged;
    if (needsAmount) requireCurrency(attempt, charged.currency_code);
    return { reference, store_order_id, store_order_number, amount, tax_amount, fees_amount };
  }
  const { records } = ctx.store;
  const order =
    records &&
    (await ifAnswered(
      ctx,
      findOrder(() => records.findOrder(storeOrderId)),
    ));
  if (order === "absent" && needsAmount) throw invalid([absent]);
  if (order && order !== "absent") {
    if (needsAmount) requireCurrency(attempt, order.currency_code);
    const { store_order_id, store_order_number, total } = order;
    return { store_order_id, store_order_number, amount: total };
  }
  return charged && charged.currency_code === attempt.currency_code
    ? { amount: charged.amount, tax_amount: charged.tax_amount, fees_amount: charged.fees_amount }
    : {};
}

const absent = {
  path: "store_order_id",
  message: "the store has no such order; if it was deleted there, state the amount as well",
};

type Found = Partial<Omit<RecordedCharge, "currency_code">>;

async function findOrder(find: () => Promise<StoreOrder | undefined>): Promise<StoreOrder | "absent"> {
  return (await find()) ?? "absent";
}

function requireCurrency({ currency_code }: BillingAttempt, charged: string): void {
  if (charged === currency_code) return;
  const message = `is required: the store has charged in ${charged}, the subscription is in ${currency_code}`;
  throw invalid([{ path: "amount", message }]);
}
