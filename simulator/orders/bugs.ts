import { orderOfCharge, placeOrder } from "../../src/domain/billing/order.ts";
import { billedContent, prepaidContent } from "../../src/domain/billing/order-content.ts";
import type { OrderLine } from "../../src/domain/orders/tables.ts";
import { linesOf } from "../../src/domain/subscriptions/row-codec.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs that charge what was agreed, and send something else, or elsewhere. */
export const orderBugs: SeededBug[] = [
  bug({
    name: "packed as it is later",
    what: "an order has what the subscription has become since its charge was begun",
    replaces: [
      replace(orderOfCharge, (original) => (ctx, row, content, charged) => {
        return original(ctx, row, { ...content, lines: row.lines }, charged);
      }),
    ],
  }),
  bug({
    name: "one of each",
    what: "an order has one of each line, however many were bought",
    replaces: [
      replace(billedContent, (original) => (snapshot, deliveries) => {
        const content = original(snapshot, deliveries);
        const lines = (JSON.parse(content.lines ?? "[]") as OrderLine[]).map((line) => ({
          ...line,
          quantity: 1,
        }));
        return { ...content, lines: JSON.stringify(lines) };
      }),
    ],
  }),
  bug({
    name: "bought once, sent again",
    what: "each delivery that is paid for has what was bought for the next order only",
    replaces: [
      replace(prepaidContent, (original) => (row) => {
        const lines = linesOf(row).map((line) => ({ ...line, is_one_time: false }));
        return original({ ...row, lines: JSON.stringify(lines) });
      }),
    ],
  }),
  bug({
    name: "sent to nowhere",
    what: "an order does not say where it is delivered",
    replaces: [
      replace(placeOrder, (original) => (ctx, row, ...placed) => {
        return original(ctx, { ...row, delivery_address: null }, ...placed);
      }),
    ],
  }),
  bug({
    name: "out of its slot",
    what: "an order does not say in which slot it is delivered",
    replaces: [
      replace(placeOrder, (original) => (ctx, row, content, ...sold) => {
        return original(ctx, row, { ...content, delivery_slot_id: null }, ...sold);
      }),
    ],
  }),
  {
    name: "a place is never free again",
    what: "a delivery that moves, is paused or becomes an order keeps the place that it had",
    rule: "a delivery takes one place",
    drops: ["subscriptions_delivery_update"],
  },
];

function bug(stated: Omit<SeededBug, "rule">): SeededBug {
  return { ...stated, rule: "an order has what was bought" };
}
