import { eq } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { refundOrderJob } from "../../base/job.ts";
import { doublingPause } from "../../base/lib/backoff.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { findRefund } from "./queries.ts";
import { type OrderRefund, orderRefunds as refunds } from "./tables.ts";

/** Takes a pending refund that is due, so that nobody else asks about it; undefined if it is not due, or somebody else has it. */
export async function takeRefund(ctx: Ctx, id: string): Promise<OrderRefund | undefined> {
  const { realNow } = ctx;
  const refund = await findRefund(ctx, id);
  if (!refund) return undefined;
  const until = later(realNow, leaseMs);
  const set = { tries: refund.tries + 1, lease_until: until, next_action_at: until };
  const [taken] = await commit({ db: ctx.db }, [outbox.takeDue(refund, set, realNow)]);
  return taken.rows[0];
}

/** The store is asked again later and later, up to every two hours, for as long as its answer is not known. */
export async function lookLater(
  ctx: Ctx,
  refund: OrderRefund,
  { seconds, reference }: { seconds?: number; reference?: string } = {},
): Promise<void> {
  const pause = doublingPause({ first: minuteMs, longest: 2 * hourMs }, refund.tries - 1);
  const at = later(ctx.realNow, seconds === undefined ? pause : seconds * 1000);
  await commit({ db: ctx.db }, [updateWaiting(refund, at, reference)]);
  if (seconds !== undefined) await ctx.send([refundOrderJob(ctx.account.id, refund.id)], seconds);
}

function updateWaiting(refund: OrderRefund, at: Instant, reference: string | undefined): Statement {
  return outbox.later(refund, at, reference === undefined ? {} : { store_reference: reference });
}

/** Longer than a request to a store takes, with all that comes before it. */
const leaseMs = 2 * minuteMs;

/** A refund is taken by the number of its tries, and is over once its outcome is recorded. */
const outbox = defineOutbox({
  table: refunds,
  id: "id",
  due: "next_action_at",
  lease: "lease_until",
  open: eq(refunds.status, "PENDING"),
  fence: ["tries"],
});

/** Refunds that are due, by real time: a message was lost, or a look is due again. Reads across accounts, as cron does. */
export const refundSweep = defineSweep({ ...outbox, size: 100 }, ({ account_id, id }) =>
  refundOrderJob(account_id, id),
);
