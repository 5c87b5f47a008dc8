import { addDays } from "../../src/base/lib/time/calendar.ts";
import { changePaymentMethod } from "../../src/domain/billing/actions/payment-method.ts";
import { retryPayment } from "../../src/domain/billing/actions/retry-payment.ts";
import { shipNow } from "../../src/domain/billing/actions/ship-now.ts";
import { cancelSubscription } from "../../src/domain/subscriptions/actions/cancel.ts";
import { changeAddress, changeFrequency, reschedule } from "../../src/domain/subscriptions/actions/change.ts";
import { applyDiscount, removeDiscount } from "../../src/domain/subscriptions/actions/discounts.ts";
import { addLine, changeLine, removeLine } from "../../src/domain/subscriptions/actions/lines.ts";
import { pauseSubscription } from "../../src/domain/subscriptions/actions/pause.ts";
import {
  reactivateSubscription,
  resumeSubscription,
} from "../../src/domain/subscriptions/actions/restart.ts";
import {
  skipDeliveries,
  skipSubscription,
  unskipSubscription,
} from "../../src/domain/subscriptions/actions/skip.ts";
import { owesPayment } from "../../src/domain/subscriptions/lifecycle.ts";
import { getSubscription } from "../../src/domain/subscriptions/queries.ts";
import { discountsOf, linesOf } from "../../src/domain/subscriptions/row-codec.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { todayOf } from "../../src/kit/days.ts";
import { methodOf } from "../accounts/shop.ts";
import { addressOf, tenPercent, treat } from "../accounts/things.ts";
import { repetitionsOf } from "../billing/check-attempts.ts";
import { apiKeyOf } from "../http/api-key.ts";
import { askFirst } from "../http/client.ts";
import { spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import type { World } from "../kernel/world.ts";

/** A command of a person or program; the small number `n` varies it. */
export type Command = (ctx: Ctx, id: string, n: number, world: World) => Promise<unknown>;

/** Sends a random command, and repeats it where the outcome is unknown. */
export function sendCommand(world: World): Promise<void> {
  return sendNamed(world, nameFor(world));
}

/** Sends a command, and repeats it where the outcome is unknown. */
export function sendNamed(world: World, name: string): Promise<void> {
  const { choices, subscriptionId } = world;
  const n = choices.below(4);
  if (apiKeyOf(world)) return askFirst(world, name, n);
  const command = commandOf(name);
  const work = untilDone(world, (ctx) => command(ctx, subscriptionId, n, world));
  world.count("commands");
  return spawn(world, `${name} (${n})`, choices.pick(people), work);
}

export function commandOf(name: string): Command {
  return { ...commands, ...commandsAtShopify }[name]![0];
}

function inDays(ctx: Ctx, days: number): string {
  return addDays(todayOf(ctx), days);
}

function onDay(ctx: Ctx, days: number) {
  return { next_delivery_date: inDays(ctx, days) };
}

const changePrice: Command = async (ctx, id, n) => {
  const { row } = await getSubscription(ctx, id);
  const [line] = linesOf(row);
  return (
    line &&
    changeLine(ctx, {
      id,
      lineId: line.id,
      request: n % 2 ? { price: 10 + n } : { quantity: 1 + n },
    })
  );
};

/** Mostly the same number of deliveries at other intervals; sometimes a frequency that is not offered. */
const changeDays: Command = async (ctx, id, n) => {
  const { row } = await getSubscription(ctx, id);
  const deliveries = n === 3 ? 1 : row.deliveries_per_billing;
  return changeFrequency(ctx, {
    id,
    request: { interval: "DAY", interval_count: deliveries * (1 + n) },
  });
};

const dropDiscount: Command = async (ctx, id) => {
  const { row } = await getSubscription(ctx, id);
  const [discount] = discountsOf(row);
  return discount && removeDiscount(ctx, { id, discountId: discount.id });
};

const dropLine: Command = async (ctx, id) => {
  const { row } = await getSubscription(ctx, id);
  const line = linesOf(row).at(-1);
  return line && removeLine(ctx, { id, lineId: line.id });
};

/** The goods and their delivery cost nothing from now on, for some cycles. */
const giveAway: Command = async (ctx, id, n) => {
  for (const target of ["ORDER", "SHIPPING_LINE"] as const)
    await applyDiscount(ctx, { id, request: { ...tenPercent(n, target), value: 100 } });
};

const payOrShip: Command = async (ctx, id) => {
  const { row } = await getSubscription(ctx, id);
  const isOwed = owesPayment(row) && row.open_attempt_id === null;
  return isOwed ? retryPayment(ctx, { id }) : shipNow(ctx, { id, request: {} });
};

/** Bills the next cycle as well, however soon after the last. */
const shipAgain: Command = async (ctx, id, _, world) => {
  repetitionsOf(world).add(ctx.realNow);
  return shipNow(ctx, { id, request: { allow_repeat: true } });
};

const commands: Record<string, readonly [Command, number]> = {
  "ship now": [(ctx, id) => shipNow(ctx, { id, request: {} }), 30],
  "ship later, or again": [
    (ctx, id, n, world) =>
      n === 3
        ? shipAgain(ctx, id, n, world)
        : shipNow(ctx, { id, request: { delivery_date: inDays(ctx, n) } }),
    4,
  ],
  "retry the payment": [(ctx, id) => retryPayment(ctx, { id }), 10],
  "pay with another method": [
    (ctx, id, n, world) =>
      changePaymentMethod(ctx, {
        id,
        request: { store_payment_method_id: methodOf(world, n) },
      }),
    8,
  ],
  "pay what is owed, or ship": [payOrShip, 1],
  "ship again": [shipAgain, 1],
  pause: [(ctx, id) => pauseSubscription(ctx, { id, request: {} }), 8],
  "pause for days": [
    (ctx, id, n) => pauseSubscription(ctx, { id, request: { pause_until: inDays(ctx, 1 + n) } }),
    5,
  ],
  resume: [(ctx, id, n) => resumeSubscription(ctx, { id, request: n < 3 ? {} : onDay(ctx, 2) }), 10],
  cancel: [(ctx, id) => cancelSubscription(ctx, { id, request: {} }), 8],
  reactivate: [(ctx, id, n) => reactivateSubscription(ctx, { id, request: n < 3 ? {} : onDay(ctx, 0) }), 8],
  skip: [(ctx, id) => skipSubscription(ctx, { id, request: { skip_weeks: 1 } }), 6],
  "skip-deliveries": [(ctx, id) => skipDeliveries(ctx, { id, request: { count: 1 } }), 3],
  unskip: [(ctx, id) => unskipSubscription(ctx, { id }), 3],
  "change the frequency": [changeDays, 8],
  "change the price": [changePrice, 12],
  "add a line once": [(ctx, id, n) => addLine(ctx, { id, request: treat(`4200${n}`, n, true) }), 4],
  "apply a discount": [(ctx, id, n) => applyDiscount(ctx, { id, request: tenPercent(n, "ORDER") }), 5],
  "drop a discount": [dropDiscount, 2],
  "give it away": [giveAway, 4],
  reschedule: [(ctx, id, n) => reschedule(ctx, { id, request: { next_delivery_date: inDays(ctx, n) } }), 5],
};

/** Commands that change the contract at Shopify, or that Shopify refuses. */
const commandsAtShopify: typeof commands = {
  "change the address": [
    (ctx, id, n) =>
      changeAddress(ctx, {
        id,
        request: addressOf(n),
      }),
    8,
  ],
  "add a line": [(ctx, id, n) => addLine(ctx, { id, request: treat(`4300${n}`, n, false) }), 6],
  "add a line that the store does not have": [
    (ctx, id, n) => addLine(ctx, { id, request: treat("unknown", n, n % 2 === 0) }),
    3,
  ],
  "drop a line": [dropLine, 12],
  "apply a discount on the delivery": [
    (ctx, id, n) => applyDiscount(ctx, { id, request: tenPercent(n, "SHIPPING_LINE") }),
    3,
  ],
};

function commandsOf({ platform }: World): typeof commands {
  return platform === "shopify" ? { ...commands, ...commandsAtShopify } : commands;
}

function named(world: World) {
  return Object.entries(commandsOf(world)).map(([name, [, weight]]) => [name, weight] as const);
}

/** Commands of a customer who keeps changing their mind. */
const fickle = [
  "ship now",
  "pause",
  "resume",
  "cancel",
  "reactivate",
  "retry the payment",
  "change the price",
  "apply a discount",
];
/** Commands where payments are declined. */
const owing = [
  "ship now",
  "retry the payment",
  "pay with another method",
  "change the price",
  "give it away",
  "cancel",
];
/** Commands where customers are challenged, and try to pay anew. */
const trying = [
  ...Array.from({ length: 16 }, () => "pay what is owed, or ship"),
  "pay with another method",
  "change the price",
  "skip",
  "pause",
  "resume",
  "cancel",
  "reactivate",
];

function nameFor(world: World): string {
  const { choices, scenario } = world;
  if (scenario === "restless") return choices.pick(fickle);
  if (scenario === "challenged") return choices.pick(trying);
  return scenario === "poor" || scenario === "gateway on and off"
    ? choices.pick(owing)
    : choices.weighted(named(world));
}

const people: Ctx["actor"][] = [
  { type: "api", name: "Key" },
  { type: "admin", name: "Ada" },
];
