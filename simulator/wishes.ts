import { changePaymentMethod } from "../src/billing/actions/payment-method.ts";
import { retryPayment } from "../src/billing/actions/retry-payment.ts";
import { shipNow } from "../src/billing/actions/ship-now.ts";
import type { Ctx } from "../src/context.ts";
import { DomainError } from "../src/errors.ts";
import { cancelSubscription } from "../src/subscriptions/actions/cancel.ts";
import { changeFrequency, reschedule } from "../src/subscriptions/actions/change.ts";
import { applyDiscount, removeDiscount } from "../src/subscriptions/actions/discounts.ts";
import { addLine, changeLine } from "../src/subscriptions/actions/lines.ts";
import { pauseSubscription } from "../src/subscriptions/actions/pause.ts";
import { reactivateSubscription, resumeSubscription } from "../src/subscriptions/actions/restart.ts";
import { skipSubscription, unskipSubscription } from "../src/subscriptions/actions/skip.ts";
import { addDays } from "../src/subscriptions/cadence.ts";
import { discountsOf, linesOf } from "../src/subscriptions/present.ts";
import { getSubscription } from "../src/subscriptions/queries.ts";
import { todayOf } from "../src/subscriptions/schedule.ts";
import { isExpected, spawn } from "./invocations.ts";
import { instantOf, type World } from "./world.ts";

/** What people do to a subscription; `n` is a small number that makes one such wish differ from another. */
type Wish = (ctx: Ctx, id: string, n: number, planId: string) => Promise<unknown>;

const inDays = (ctx: Ctx, days: number): string => addDays(todayOf(ctx), days);

const onDay = (ctx: Ctx, days: number) => ({ next_delivery_date: inDays(ctx, days) });

const changePrice: Wish = async (ctx, id, n) => {
  const { row } = await getSubscription(ctx, id);
  const [line] = linesOf(row);
  return line && changeLine(ctx, id, line.id, false, n % 2 ? { price: 10 + n } : { quantity: 1 + n });
};

const dropDiscount: Wish = async (ctx, id) => {
  const { row } = await getSubscription(ctx, id);
  const [discount] = discountsOf(row);
  return discount && removeDiscount(ctx, id, discount.id, false);
};

const oneTime = (planId: string, n: number) => ({
  store_product_id: "product-2",
  store_variant_id: `variant-${n}`,
  product_title: "Treat",
  selling_plan_id: planId,
  price: 3 + n,
  quantity: 1,
  is_one_time: true,
});

const tenPercent = (n: number) => ({
  title: "Thank you",
  value: 10,
  value_type: "PERCENTAGE" as const,
  target_type: "ORDER" as const,
  recurring_cycle_limit: 1 + n,
});

const wishes: Record<string, readonly [Wish, number]> = {
  "ship now": [(ctx, id) => shipNow(ctx, id, false, {}), 30],
  "ship later": [(ctx, id, n) => shipNow(ctx, id, false, { delivery_date: inDays(ctx, n) }), 4],
  "retry the payment": [(ctx, id) => retryPayment(ctx, id, false), 10],
  "pay with another method": [
    (ctx, id, n) => changePaymentMethod(ctx, id, false, { store_payment_method_id: `pm_${n}` }),
    8,
  ],
  pause: [(ctx, id) => pauseSubscription(ctx, id, false, {}), 8],
  "pause for days": [
    (ctx, id, n) => pauseSubscription(ctx, id, false, { pause_until: inDays(ctx, 1 + n) }),
    5,
  ],
  resume: [(ctx, id, n) => resumeSubscription(ctx, id, false, n < 3 ? {} : onDay(ctx, 2)), 10],
  cancel: [(ctx, id) => cancelSubscription(ctx, id, false, {}), 8],
  reactivate: [(ctx, id, n) => reactivateSubscription(ctx, id, false, n < 3 ? {} : onDay(ctx, 0)), 8],
  skip: [(ctx, id) => skipSubscription(ctx, id, false, { skip_weeks: 1 }), 6],
  unskip: [(ctx, id) => unskipSubscription(ctx, id, false), 3],
  "change the frequency": [
    (ctx, id, n) => changeFrequency(ctx, id, false, { interval: "DAY", interval_count: 1 + n }),
    6,
  ],
  "change the price": [changePrice, 12],
  "add a line once": [(ctx, id, n, planId) => addLine(ctx, id, false, oneTime(planId, n)), 4],
  "apply a discount": [(ctx, id, n) => applyDiscount(ctx, id, false, tenPercent(n)), 5],
  "drop a discount": [dropDiscount, 2],
  reschedule: [(ctx, id, n) => reschedule(ctx, id, false, { next_delivery_date: inDays(ctx, n) }), 5],
};

const named = Object.entries(wishes).map(([name, [, weight]]) => [name, weight] as const);
/** What somebody wishes who cannot decide, and who cannot pay. */
const fickle = [
  "ship now",
  "pause",
  "resume",
  "cancel",
  "reactivate",
  "retry the payment",
  "change the price",
];
const owing = ["ship now", "retry the payment", "pay with another method", "change the price", "cancel"];

const nameFor = ({ choices, mood }: World): string => {
  if (mood === "restless") return choices.pick(fickle);
  return mood === "poor" ? choices.pick(owing) : choices.weighted(named);
};

const people: Ctx["actor"][] = [
  { type: "api", name: "Key" },
  { type: "admin", name: "Ada" },
];

/** Somebody wishes for something, and once more where no answer comes that tells. */
export const makeWish = (world: World, subscriptionId: string, planId: string): Promise<void> => {
  const { choices } = world;
  const name = nameFor(world);
  const n = choices.below(4);
  const tries = 1 + choices.below(3);
  const [wish] = wishes[name]!;
  world.count("wishes");
  return spawn(world, `${name} (${n})`, choices.pick(people), async (ctx) => {
    for (let tried = 1; ; tried++) {
      const at = instantOf(world);
      try {
        return await wish({ ...ctx, now: at, realNow: at }, subscriptionId, n, planId);
      } catch (error) {
        const isRefusal = error instanceof DomainError && error.code !== "UNAVAILABLE";
        if (isRefusal || tried >= tries || !isExpected(world, error)) throw error;
      }
    }
  });
};
