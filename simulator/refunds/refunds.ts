import { raw, rows } from "../../src/base/db/statement.ts";
import { toMajor } from "../../src/base/lib/money.ts";
import { cancelOrder } from "../../src/domain/own-orders/cancel.ts";
import { fulfillOrder } from "../../src/domain/own-orders/fulfill.ts";
import { getOwnOrder } from "../../src/domain/own-orders/queries.ts";
import { refundOrder } from "../../src/domain/own-orders/refunds.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import type { Part, World } from "../kernel/world.ts";
import { stripeOf } from "../stores/stripe/opened.ts";
import { checkRefunds } from "./check-refunds.ts";

/**
 * Staff ship, refund and cancel the orders of the schedule's account, often the same one several times at once, while it is billed and the
 * store pends, fails, refuses and does not answer. The merchant pays back at the store as well, where it is one that others use.
 */
export function refunds(world: World): Part {
  const { choices } = world;
  const stripe = stripeOf(world);
  let left = 6 + choices.below(18);

  const hasCharged = (): boolean => world.store.entries.some(({ state }) => state === "succeeded");
  const ask = (name: string, work: (ctx: Ctx, id: string) => Promise<unknown>): Promise<void> => {
    const nth = choices.below(4);
    world.count("requests about orders");
    const onOrder = async (ctx: Ctx) => {
      const orders = await rows(ctx.db, chargedOrders(ctx));
      const order = orders[nth % Math.max(1, orders.length)];
      if (order) await work(ctx, order.id);
    };
    return spawn(world, name, { type: "admin", name: "Ada" }, untilDone(world, onOrder));
  };

  return {
    acts: [
      {
        name: "refunds",
        weight: (_, isBusy) => (left > 0 && hasCharged() ? (isBusy ? 12 : 20) : 0),
        async act() {
          left--;
          const step = choices.weighted([
            ["refund", 12],
            ["cancel", 2],
            ["ship", 1],
            ["at the store", stripe ? 2 : 0],
          ] as const);
          if (step === "at the store") return stripe?.refunds.payBackAtStripe();
          if (step === "ship")
            return ask("ship an order", (ctx, id) =>
              fulfillOrder(ctx, { id, request: { fulfillment_status: "FULFILLED" } }),
            );
          if (step === "cancel")
            return ask("cancel an order", (ctx, id) => cancelOrder(ctx, { id, reason: null, refunds: true }));
          const parts = 1 + choices.below(3);
          const tabs = choices.chance(400) ? 3 : 1;
          for (let tab = 0; tab < tabs; tab++)
            await ask("refund an order", async (ctx, id) => {
              const { row } = await getOwnOrder(ctx, id);
              const amount = toMajor(Math.ceil(row.total / parts), row.currency_code);
              return refundOrder(ctx, { id, ...(parts === 1 ? {} : { amount }) });
            });
        },
      },
    ],

    check: () => checkRefunds(world),
  };
}

/** The account's orders that a charge has paid for, oldest first. */
function chargedOrders({ account }: Ctx) {
  return raw<{ id: string }>(
    "SELECT id FROM orders WHERE account_seq = ? AND billing_attempt_id IS NOT NULL AND total > 0 ORDER BY seq LIMIT 4",
    account.seq,
  );
}
