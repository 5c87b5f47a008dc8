import { later } from "../../../base/lib/time/dates.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import type { Part } from "../../subscriptions/part.ts";
import { selectAttempt } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";
import { isNews } from "../waiting.ts";
import { isStillOwed } from "./record-failure.ts";
import { isStillOpen } from "./settle.ts";

/**
 * Records once that a store has taken no requests for an hour; the attempt stays open, and goes on by itself. One under review
 * keeps the reason why people have to look, and a subscription that is paused, over or in another life waits for nothing.
 */
export async function noteThrottling(ctx: Ctx, attempt: BillingAttempt): Promise<void> {
  if (attempt.status === "REVIEW" || later(attempt.created_at, unrecordedMs) > ctx.now) return;
  const alongside = { now: selectAttempt(ctx, attempt.id) };
  await changeSubscription(
    ctx,
    attempt.subscription_id,
    { alongside },
    ({ row }, { now: [now] }): Part | undefined => {
      if (!isNews(row, code) || row.open_attempt_id !== attempt.id) return undefined;
      if (!isStillOpen(now, attempt) || !isStillOwed(row, attempt)) return undefined;
      const metadata = { billing_attempt_id: attempt.id, cycle: attempt.cycle, error_code: code };
      return {
        entry: { action: "billing_waiting", metadata },
        columns: {
          billing_blocked_reason: code,
          billing_waiting_since: row.billing_waiting_since ?? ctx.now,
        },
      };
    },
  );
}

const code = "throttled";
/** A shorter pause is not worth an entry. */
const unrecordedMs = hourMs;
