/** A charge whose answer was lost has one order, recorded once, in whatever order it becomes known. */
import { expect, test, vi } from "vitest";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { deliver, entriesOf, read } from "../../support/shops.ts";
import { attemptsOf, ordersOf, shipNow } from "../../support/worker.ts";
import { hookedShop, sendAccepted } from "./hooks.ts";

const shop = useShop(hookedShop);

/** The events that may bring the outcome of a charge: its message again, the order's webhook, the attempt's, cron. */
const events = ["message", "order", "attempt", "cron"] as const;
type Event = (typeof events)[number] | "attempt again";

function orders(left: readonly Event[]): Event[][] {
  return left.length === 0
    ? [[]]
    : left.flatMap((event) =>
        orders(left.filter((other) => other !== event)).map((rest) => [event, ...rest]),
      );
}

/** Every order. The attempt's webhook comes again later, which tells nothing new: at each of the later places by turns. */
const distinct = orders(events).map((order, nth) => {
  const next = order.indexOf("attempt") + 1;
  const places = order.length - next + 1;
  return order.toSpliced(next + (nth % places), 0, "attempt again");
});

test.each(distinct.map((order) => [order.join(", "), order] as const))(
  "a charge whose answer was lost, and then: %s: one order, recorded once",
  async (_name, order) => {
    const id = await subscribed(shop);
    await shop.store.webhooks();
    shop.store.fail({ kind: "network", effect: "done", times: 1, on: "CreateAttempt" });
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain({ soon: false });
    const [message] = shop.worker.sent().filter(({ type }) => type === "charge");
    shop.worker.forget();
    shop.store.settle();
    const hooks = await shop.store.webhooks();
    const hookOf = (topic: string) => hooks.find((hook) => hook.topic === topic)!;
    const happen: Record<Event, () => Promise<unknown>> = {
      message: () => deliver([message!], { bindings: shop.worker.bindings }),
      order: () => sendAccepted(shop, hookOf("orders/create")),
      attempt: () => sendAccepted(shop, hookOf("subscription_billing_attempts/success")),
      "attempt again": () => sendAccepted(shop, hookOf("subscription_billing_attempts/success")),
      cron: () => shop.worker.tick(),
    };
    for (const [nth, event] of order.entries()) {
      vi.useFakeTimers({ now: Date.now() + 90_000 * (nth + 1), toFake: ["Date"] });
      await happen[event]();
      await shop.worker.drain();
    }
    expect(shop.store.charges).toHaveLength(1);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await ordersOf(shop.merchant, id)).toMatchObject([{ total: 24.9 }]);
    expect(await read(shop.merchant, id)).toMatchObject({ total_revenue: 24.9, current_billing_cycle: 2 });
    const placed = (await entriesOf(id)).filter(({ action }) => action === "billing_succeeded");
    expect(placed).toHaveLength(1);
  },
);
