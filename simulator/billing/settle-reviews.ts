import { toMajor } from "../../src/base/lib/money.ts";
import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { type ReviewFinding, settleReview } from "../../src/domain/billing/actions/review.ts";
import type { SeenAttempt } from "../accounts/seen.ts";
import { spawn } from "../kernel/invocations.ts";
import type { World } from "../kernel/world.ts";
import { underReview } from "./check-reviews.ts";

/** Somebody looks at the attempts under review, compares them with the store, and settles what is certain. */
export async function settleReviews(world: World): Promise<void> {
  for (const attempt of underReview(world)) {
    const finding = findingOf(world, attempt);
    if (!finding) continue;
    world.count("reviews settled by a person");
    await spawn(world, "a person settles a review", { type: "admin", name: "Ada" }, (ctx) =>
      settleReview(ctx, { id: attempt.id, request: finding }),
    );
  }
}

/** A request that was given up arrives within an hour, if at all; then a person knows that it never will. */
const quietMs = 75 * minuteMs;

/**
 * The result that a person finds at the store for an attempt under review: its order, that there is no charge, or nothing
 * certain. The amount is stated where it is not the attempt's and where the order was deleted. No tax can be stated: such a
 * charge waits until the store surely answers for itself.
 */
function findingOf(
  world: World,
  { store_key, store_reference, last_sent_at, amount: asked }: SeenAttempt,
): ReviewFinding | undefined {
  const { entries, referenceOf } = world.store;
  const charge =
    entries.find((entry) => referenceOf(entry) === store_reference) ??
    entries.find(({ key }) => key === store_key);
  if (!charge) {
    const isQuiet = last_sent_at === null || world.clock - Date.parse(last_sent_at) > quietMs;
    return isQuiet ? { charged: false } : undefined;
  }
  if (charge.state !== "succeeded") return undefined;
  const { amount, tax, currency_code } = charge;
  const store_order_id = world.store.orderOf(charge);
  if (tax > 0) return world.isQuiesced ? { charged: true, store_order_id } : undefined;
  const isAsAsked = amount === asked && world.store.showsOrderOf(charge);
  return { charged: true, store_order_id, ...(isAsAsked ? {} : { amount: toMajor(amount, currency_code) }) };
}
