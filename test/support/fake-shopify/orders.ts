import { lineTotals, totalOf } from "./amounts.ts";
import { variantOf } from "./catalog.ts";
import { globalId } from "./ids.ts";
import { orderPayload } from "./order-payloads.ts";
import type { Contract, Order, OrderLine } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

type NewOrder = Partial<Order> & Pick<Order, "customer" | "lines" | "subtotal" | "total" | "sourceName">;

/** Creates an order. Unless the input says otherwise it is paid, and nothing else has happened to it. */
export function makeOrder(store: FakeStore, input: NewOrder): Order {
  const number = store.nextNumber("Order");
  const order: Order = {
    id: globalId("Order", number),
    number,
    name: `#${1001 + store.orders.length}`,
    discounts: 0,
    tax: 0,
    duties: 0,
    fees: 0,
    taxesIncluded: store.settings.taxesIncluded,
    currency: store.settings.currency,
    tags: [],
    discountCodes: [],
    isTest: false,
    isPaid: true,
    refunded: 0,
    fulfillmentStatus: "UNFULFILLED",
    fulfillments: [],
    returns: [],
    createdAt: store.now(),
    cancelledAt: null,
    isDeleted: false,
    ...input,
  };
  store.orders.push(order);
  emit(store, "orders/create", orderPayload(order));
  if (order.isPaid) emit(store, "orders/paid", orderPayload(order));
  return order;
}

export function orderLine(store: FakeStore, line: Omit<OrderLine, "id" | "number" | "title">): OrderLine {
  const number = store.nextNumber("LineItem");
  const { title } = variantOf(store, line.variantId);
  return { ...line, id: globalId("LineItem", number), number, title };
}

/** The contract's current lines. */
export function contractLines(store: FakeStore, contract: Contract): OrderLine[] {
  const totals = lineTotals(contract);
  return contract.lines.map(({ variantId, quantity, price, sellingPlanName }, index) =>
    orderLine(store, { variantId, quantity, price, total: totals[index]!, contract, sellingPlanName }),
  );
}

/** An order of all of the contract's lines. */
export function orderOfContract(
  store: FakeStore,
  contract: Contract,
  { isPaid, sourceName }: Pick<Order, "isPaid" | "sourceName">,
): Order {
  return makeOrder(store, {
    customer: contract.customer,
    lines: contractLines(store, contract),
    ...totalOf(contract, store.settings),
    currency: contract.currency,
    isPaid,
    sourceName,
  });
}
