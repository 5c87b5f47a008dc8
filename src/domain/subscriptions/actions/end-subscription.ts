import type { Ctx } from "../../../kit/context.ts";
import { calendarOf, settleOwedOnCancel } from "../dates/index.ts";
import { unpaused, withoutWait } from "../lifecycle.ts";
import { combine, type Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import type { Subscription } from "../tables.ts";
import { endOfBillingStatements } from "./end-of-billing.ts";

/** Why a subscription ends: what its row keeps, and what the entry says besides. */
type Why = {
  columns?: Pick<Partial<Subscription>, "cancellation_reason" | "cancellation_reason_id">;
  metadata?: Record<string, unknown>;
};

/** The decision that cancels a subscription now. Deliveries that are paid for come or lapse as the account's prepaid_on_end says. */
export function endSubscription(
  ctx: Ctx,
  view: SubscriptionView,
  { columns = {}, metadata = {} }: Why = {},
): Part {
  const { row } = view;
  return combine(settleOwedOnCancel(row, ctx.account.prepaid_on_end, calendarOf(view)), {
    entry: { action: "subscription_cancelled", metadata },
    columns: {
      ...unpaused,
      ...withoutWait(row),
      status: "CANCELLED",
      cancelled_at: ctx.now,
      ...columns,
    },
    writes: endOfBillingStatements(ctx, row),
  });
}

/** The decision that cancels a subscription on the day that was agreed on. */
export function endAsAgreed(ctx: Ctx, view: SubscriptionView): Part {
  const { ends_on, ends_after_cycle } = view.row;
  return endSubscription(ctx, view, {
    metadata: { ends_on, ...(ends_after_cycle === null ? {} : { ends_after_cycle }) },
  });
}
