import { type Finding, settleReview } from "../src/billing/actions/review.ts";
import { spawn } from "./invocations.ts";
import type { World } from "./world.ts";

/** A request that was given up arrives within an hour, if at all; then a person knows that it never will. */
const quietMs = 75 * 60_000;

type UnderReview = ReturnType<World["watch"]["underReview"]>[number];

/** What a person finds at the store about an attempt under review: its order, that there is no charge, or nothing certain. */
const findingOf = (world: World, { store_key, last_sent_at, amount }: UnderReview): Finding | undefined => {
  const charge = world.store.entries.find(({ key }) => key === store_key);
  if (charge) {
    /** A person names no amount: a charge of another than the attempt's is left to the store's own answer. */
    const isSettled = charge.state === "succeeded" && charge.amount === amount;
    return isSettled ? { charged: true, store_order_id: world.store.orderOf(charge) } : undefined;
  }
  const isQuiet = last_sent_at === null || world.clock - Date.parse(last_sent_at) > quietMs;
  return isQuiet ? { charged: false } : undefined;
};

/** Somebody looks at the attempts under review, compares them with the store, and settles what is certain. */
export const settleReviews = async (world: World): Promise<void> => {
  for (const attempt of world.watch.underReview()) {
    const finding = findingOf(world, attempt);
    if (!finding) continue;
    world.count("reviews settled by a person");
    await spawn(world, "a person settles a review", { type: "admin", name: "Ada" }, (ctx) =>
      settleReview(ctx, attempt.id, false, finding),
    );
  }
};
