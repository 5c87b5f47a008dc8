import { insertRow } from "../../src/base/db/row-writes.ts";
import { makeRefund } from "../../src/domain/own-orders/make-refund.ts";
import { orderChange } from "../../src/domain/own-orders/order-entry.ts";
import { amountLeft } from "../../src/domain/own-orders/queries.ts";
import { refundKey } from "../../src/domain/own-orders/refund-key.ts";
import { refundSweep } from "../../src/domain/own-orders/refund-outbox.ts";
import { insertRefund } from "../../src/domain/own-orders/refunds.ts";
import { orderRefunds } from "../../src/domain/own-orders/tables.ts";
import { lookAtRefunds } from "../../src/domain/store-sync/look-at-refunds.ts";
import { subscriptionsOfOrder } from "../../src/domain/subscriptions/of-order.ts";
import { StoreRefusalError } from "../../src/stores/port.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs that pay money back twice, too much, or unseen. */
export const refundBugs: SeededBug[] = [
  bug({
    name: "a new key for each try of a refund",
    what: "a refund whose answer is lost is paid once more",
    rule: "no more is refunded than was paid",
    replaces: [
      replace(makeRefund, (original) => (ctx, id) => {
        const refund: typeof ctx.store.refund = (asked) =>
          ctx.store.refund!({ ...asked, key: refundKey(ctx.newId()) });
        return original({ ...ctx, store: { ...ctx.store, refund } }, id);
      }),
    ],
  }),
  bug({
    name: "what is being paid back is there to be paid back",
    what: "an order is refunded as often as it is asked for before the first refund is paid",
    rule: "no more is refunded than was paid",
    replaces: [
      replace(amountLeft, (original) => (order) => original({ ...order, pendingAmount: 0 })),
      replace(insertRefund, () => (refund) => [insertRow(orderRefunds, refund)]),
    ],
  }),
  bug({
    name: "no answer is a failed refund",
    what: "a refund that was paid is told as failed, and asked for again",
    rule: "a refund that was paid is recorded once",
    replaces: [
      replace(makeRefund, (original) => (ctx, id) => {
        const refund: typeof ctx.store.refund = (asked) =>
          ctx.store.refund!(asked).catch(({ message }) => {
            throw new StoreRefusalError(message);
          });
        return original({ ...ctx, store: { ...ctx.store, refund } }, id);
      }),
    ],
  }),
  bug({
    name: "lost refunds are not looked for",
    what: "a refund whose message is lost is never paid",
    rule: "a refund comes to its end",
    replaces: [replace(refundSweep, (original) => ({ ...original, jobOf: () => undefined }))],
  }),
  bug({
    name: "the night looks at no refunds",
    what: "what a lost webhook was about, or a restore has undone, stays to be paid back once more",
    rule: "a refund that was paid is recorded once",
    replaces: [replace(lookAtRefunds, () => async () => ({ next: null, recorded: 0, open: [] }))],
    platform: "stripe",
  }),
  bug({
    name: "a refund changes nothing of its order",
    what: "an order is shown as paid, whatever was paid back of it",
    rule: "an order says what was refunded",
    replaces: [
      replace(
        orderChange,
        (original) => (order, action, _columns, metadata) => original(order, action, {}, metadata),
      ),
    ],
  }),
  bug({
    name: "revenue that was paid back",
    what: "a subscription's revenue has what was paid back of its orders",
    rule: "total_revenue = the orders' sum",
    replaces: [replace(subscriptionsOfOrder, () => async () => [])],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "refunds" };
}
