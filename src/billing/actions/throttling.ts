import type { Ctx } from "../../context.ts";
import { later } from "../../lib/dates.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import type { BillingAttempt } from "../tables.ts";
import { isNews } from "../waiting.ts";
import { stillOpen } from "./settle.ts";

const code = "throttled";
/** A store that takes no requests for a while is nothing to tell of, unless the while is longer. */
const quietMs = 3_600_000;

/** Tells once that a store has taken no requests for an hour; the attempt stays open, and goes on by itself. */
export const noteThrottling = async (ctx: Ctx, attempt: BillingAttempt): Promise<void> => {
  if (later(attempt.created_at, quietMs) > ctx.now) return;
  await perform(ctx, attempt.subscription_id, false, async ({ row }): Promise<Decision | undefined> => {
    if (!isNews(row, code) || row.open_attempt_id !== attempt.id) return undefined;
    if (!(await stillOpen(ctx, attempt))) return undefined;
    return {
      action: "billing_waiting",
      metadata: { billing_attempt_id: attempt.id, cycle: attempt.cycle, error_code: code },
      after: { billing_blocked_reason: code, billing_waiting_since: row.billing_waiting_since ?? ctx.now },
    };
  });
};
