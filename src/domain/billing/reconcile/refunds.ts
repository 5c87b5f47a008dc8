import type { Job } from "../../../base/job.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { longestUnrecordedMs } from "../unrecorded.ts";

/**
 * The look at the store's refunds beside a comparison since an instant. A refund may fail weeks after it was made, and its charge may be
 * recorded as late, so those of the 30 days before are looked at, too.
 */
export function lookAtRefundsSince(
  { account }: Ctx,
  compared: Instant,
): Extract<Job, { type: "reconcile_refunds" }> {
  const since = later(compared, -longestUnrecordedMs);
  return { type: "reconcile_refunds", account_id: account.id, since, after: null };
}
