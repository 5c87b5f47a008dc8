import { globalId } from "./ids.ts";
import { fulfillmentPayload, orderPayload, refundPayload } from "./order-payloads.ts";
import { contractLines, makeOrder, orderLine } from "./orders.ts";
import type { Order, OrderLine, Tracking } from "./records.ts";
import { takeReturn } from "./returns.ts";
import { contractOf, customerOf, type FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

type SoldOrder = {
  /** Undefined for the order of a guest. */
  customer?: string;
  /** In minor units, as are all amounts. */
  total: number;
  subtotal?: number;
  discounts?: number;
  tax?: number;
  tags?: string[];
  sourceName?: string | null;
  isTest?: boolean;
  paid?: boolean;
  /** The contracts whose lines it has; without any it has one line of a one-time purchase. */
  contracts?: (string | number)[];
};

/** Creates orders without billing, and changes all orders; each action sends the app webhooks. */
export function orderActions(store: FakeStore) {
  const order = (id: string): Order => {
    const found = store.orders.find((one) => one.id === id);
    if (!found) throw new Error(`The fake store has no order ${id}`);
    return found;
  };
  const notify = (changed: Order, ...topics: string[]): void => {
    for (const topic of [...topics, "orders/updated"]) emit(store, topic, orderPayload(changed));
  };
  return {
    order,
    addOrder(sold: SoldOrder): string {
      const { customer, contracts = [], subtotal = sold.total, discounts = 0, paid = true } = sold;
      const lines = contracts.flatMap((contract) => contractLines(store, contractOf(store, contract)));
      const created = makeOrder(store, {
        customer: customer === undefined ? null : customerOf(store, customer),
        lines: lines.length > 0 ? lines : [oneTimeLine(store, subtotal)],
        total: sold.total,
        subtotal,
        discounts,
        tax: sold.tax ?? 0,
        tags: sold.tags ?? [],
        sourceName: sold.sourceName === undefined ? "web" : sold.sourceName,
        isTest: sold.isTest ?? false,
        isPaid: paid,
      });
      return created.id;
    },
    payOrder(id: string): void {
      const paid = order(id);
      paid.isPaid = true;
      notify(paid, "orders/paid");
    },
    /** Ships everything that remains, or only a part of it. */
    fulfill(id: string, { part = false, tracking }: { part?: boolean; tracking?: Tracking } = {}): void {
      const sent = order(id);
      const number = store.nextNumber("Fulfillment");
      const fulfillment = {
        id: globalId("Fulfillment", number),
        number,
        status: "SUCCESS" as const,
        tracking: tracking ? [tracking] : [],
        createdAt: store.now(),
      };
      sent.fulfillments.push(fulfillment);
      sent.fulfillmentStatus = part ? "PARTIALLY_FULFILLED" : "FULFILLED";
      emit(store, "fulfillments/create", fulfillmentPayload(sent, fulfillment));
      notify(sent, part ? "orders/partially_fulfilled" : "orders/fulfilled");
    },
    /** Sets the tracking of the newest fulfillment. */
    track(id: string, tracking: Tracking): void {
      const sent = order(id);
      const fulfillment = sent.fulfillments.at(-1);
      if (!fulfillment) throw new Error(`${id} has no fulfillment`);
      fulfillment.tracking = [tracking];
      emit(store, "fulfillments/update", fulfillmentPayload(sent, fulfillment));
      notify(sent);
    },
    refund(id: string, amount: number): void {
      const refunded = order(id);
      if (!refunded.isPaid || refunded.refunded + amount > refunded.total)
        throw new Error(`${id} cannot be refunded by ${amount}`);
      refunded.refunded += amount;
      const refund = { id: globalId("Refund", store.nextNumber("Refund")), amount, at: store.now() };
      emit(store, "refunds/create", refundPayload(refunded, refund));
      notify(refunded);
    },
    /** Items come back and no money goes: a refund all the same (schema `WebhookSubscriptionTopic.REFUNDS_CREATE`). */
    returnItems(id: string): void {
      const returned = order(id);
      const refund = { id: globalId("Refund", store.nextNumber("Refund")), amount: 0, at: store.now() };
      emit(store, "refunds/create", { ...refundPayload(returned, refund), transactions: [] });
      notify(returned);
    },
    /** Takes a return of the order's goods a step further; an order's webhook does not tell of it. No money is paid back by it. */
    return(id: string, step: Parameters<typeof takeReturn>[2]): void {
      takeReturn(store, order(id), step);
    },
    cancelOrder(id: string): void {
      const cancelled = order(id);
      cancelled.cancelledAt = store.now();
      notify(cancelled, "orders/cancelled");
    },
  };
}

function oneTimeLine(store: FakeStore, price: number): OrderLine {
  return orderLine(store, {
    variantId: globalId("ProductVariant", 41_900),
    quantity: 1,
    price,
    total: price,
    contract: null,
    sellingPlanName: null,
  });
}
