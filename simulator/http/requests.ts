import { raw, read } from "../../src/base/db/statement.ts";
import { addDays } from "../../src/base/lib/time/calendar.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { owesPayment } from "../../src/domain/subscriptions/lifecycle.ts";
import { discountsOf, linesOf } from "../../src/domain/subscriptions/row-codec.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";
import { methodOf } from "../accounts/shop.ts";
import { addressOf, tenPercent, treat } from "../accounts/things.ts";
import { instantOf, type World } from "../kernel/world.ts";

/** A request as a client makes it: its path below the subscription's own, and its body. */
export type HttpRequest = { method: "POST" | "PUT" | "DELETE"; on: string; body?: object };

/** All that a client knows when it makes a request; the small number `n` varies it. */
type Known = { world: World; n: number; row: Subscription; inDays: (days: number) => string };
type Make = (known: Known) => HttpRequest | undefined;

/** The request that a command is over HTTP; undefined where there is nothing to ask for. */
export async function requestOf(world: World, name: string, n: number): Promise<HttpRequest | undefined> {
  const { database, account, subscriptionId } = world;
  const [[row]] = await read(database, [
    raw<Subscription>(
      "SELECT * FROM subscriptions WHERE account_seq = ? AND id = ?",
      account.seq,
      subscriptionId,
    ),
  ]);
  const today = dateIn(instantOf(world), account.timezone);
  return row && requests[name]?.({ world, n, row, inDays: (days) => addDays(today, days) });
}

function post(on: string, body: (known: Known) => object = () => ({})): Make {
  return (known) => ({ method: "POST", on, body: body(known) });
}

function put(on: string, body: (known: Known) => object): Make {
  return (known) => ({ method: "PUT", on, body: body(known) });
}

const shipNow = post("ship-now");

const requests: Record<string, Make> = {
  "ship now": shipNow,
  "ship later, or again": post("ship-now", ({ n, inDays }) =>
    n === 3 ? { allow_repeat: true } : { delivery_date: inDays(n) },
  ),
  "retry the payment": post("retry-payment"),
  "pay with another method": put("payment-method", ({ world, n }) => ({
    store_payment_method_id: methodOf(world, n),
  })),
  "pay what is owed, or ship": (known) =>
    owesPayment(known.row) && known.row.open_attempt_id === null
      ? post("retry-payment")(known)
      : shipNow(known),
  pause: post("pause"),
  "pause for days": post("pause", ({ n, inDays }) => ({ pause_until: inDays(1 + n) })),
  resume: post("resume", ({ n, inDays }) => (n < 3 ? {} : { next_delivery_date: inDays(2) })),
  cancel: post("cancel"),
  reactivate: post("reactivate", ({ n, inDays }) => (n < 3 ? {} : { next_delivery_date: inDays(0) })),
  skip: post("skip", () => ({ skip_weeks: 1 })),
  "skip-deliveries": post("skip-deliveries"),
  unskip: post("unskip"),
  "change the frequency": put("frequency", ({ n, row }) => ({
    interval: "DAY",
    interval_count: (n === 3 ? 1 : row.deliveries_per_billing) * (1 + n),
  })),
  "change the price": ({ n, row }) => {
    const [line] = linesOf(row);
    const body = n % 2 ? { price: 10 + n } : { quantity: 1 + n };
    return line && { method: "PUT", on: `lines/${line.id}`, body };
  },
  "add a line once": post("lines", ({ n }) => treat(`4200${n}`, n, true)),
  "add a line": post("lines", ({ n }) => treat(`4300${n}`, n, false)),
  "add a line that the store does not have": post("lines", ({ n }) => treat("unknown", n, n % 2 === 0)),
  "drop a line": ({ row }) => {
    const line = linesOf(row).at(-1);
    return line && { method: "DELETE", on: `lines/${line.id}` };
  },
  "apply a discount": post("discounts", ({ n }) => tenPercent(n, "ORDER")),
  "apply a discount on the delivery": post("discounts", ({ n }) => tenPercent(n, "SHIPPING_LINE")),
  "drop a discount": ({ row }) => {
    const [discount] = discountsOf(row);
    return discount && { method: "DELETE", on: `discounts/${discount.id}` };
  },
  "give it away": post("discounts", ({ n }) => ({
    ...tenPercent(n, n % 2 ? "ORDER" : "SHIPPING_LINE"),
    value: 100,
  })),
  reschedule: put("schedule", ({ n, inDays }) => ({ next_delivery_date: inDays(n) })),
  "change the address": put("delivery-address", ({ n }) => addressOf(n)),
};
