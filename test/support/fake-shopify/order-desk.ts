import { globalId } from "./ids.ts";
import { fulfillmentPayload, orderPayload, refundPayload } from "./order-payloads.ts";
import { contractLines, makeOrder, orderLine } from "./orders.ts";
import type { Order, OrderLine, Tracking } from "./records.ts";
import { contractOf, customerOf, type FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

type SoldOrder = {
  /** A guest's, where there is none. */
  customer?: string;
  /** Minor units, all of them. */
  total: number;
  subtotal?: number;
  discounts?: number;
  tax?: number;
  tags?: string[];
  sourceName?: string | null;
  isTest?: boolean;
  paid?: boolean;
  /** Those whose lines it has; where there are none, it has one line that is sold once. */
  contracts?: (string | number)[];
};

const once = (store: FakeStore, price: number): OrderLine =>
  orderLine(store, {
    variantId: globalId("ProductVariant", 41_900),
    quantity: 1,
    price,
    total: price,
    contract: null,
    sellingPlanName: null,
  });

/** Orders that are sold without billing, and what becomes of all orders; the app is told of it. */
export const orderDesk = (store: FakeStore) => {
  const order = (id: string): Order => {
    const found = store.orders.find((one) => one.id === id);
    if (!found) throw new Error(`The fake store has no order ${id}`);
    return found;
  };
  const told = (changed: Order, ...topics: string[]): void => {
    for (const topic of [...topics, "orders/updated"]) emit(store, topic, orderPayload(changed));
  };
  return {
    order,
    addOrder(sold: SoldOrder): string {
      const { customer, contracts = [], subtotal = sold.total, discounts = 0, paid = true } = sold;
      const lines = contracts.flatMap((contract) => contractLines(store, contractOf(store, contract)));
      const made = makeOrder(store, {
        customer: customer === undefined ? null : customerOf(store, customer),
        lines: lines.length > 0 ? lines : [once(store, subtotal)],
        total: sold.total,
        subtotal,
        discounts,
        tax: sold.tax ?? 0,
        tags: sold.tags ?? [],
        sourceName: sold.sourceName === undefined ? "web" : sold.sourceName,
        isTest: sold.isTest ?? false,
        isPaid: paid,
      });
      return made.id;
    },
    payOrder(id: string): void {
      const paid = order(id);
      paid.isPaid = true;
      told(paid, "orders/paid");
    },
    /** Sends what is left of it, or but a part. */
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
      told(sent, part ? "orders/partially_fulfilled" : "orders/fulfilled");
    },
    /** Where the newest of its parcels is. */
    track(id: string, tracking: Tracking): void {
      const sent = order(id);
      const fulfillment = sent.fulfillments.at(-1);
      if (!fulfillment) throw new Error(`Nothing of ${id} has been sent`);
      fulfillment.tracking = [tracking];
      emit(store, "fulfillments/update", fulfillmentPayload(sent, fulfillment));
      told(sent);
    },
    refund(id: string, amount: number): void {
      const given = order(id);
      if (!given.isPaid || given.refunded + amount > given.total)
        throw new Error(`There is no ${amount} of ${id} to give back`);
      given.refunded += amount;
      const refund = { id: globalId("Refund", store.nextNumber("Refund")), amount, at: store.now() };
      emit(store, "refunds/create", refundPayload(given, refund));
      told(given);
    },
    cancelOrder(id: string): void {
      const cancelled = order(id);
      cancelled.cancelledAt = store.now();
      told(cancelled, "orders/cancelled");
    },
  };
};
