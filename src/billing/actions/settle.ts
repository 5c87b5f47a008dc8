import { and, eq } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { guard } from "../../db/decide.ts";
import { build, statement } from "../../db/statement.ts";
import { findAttempt, isOpen } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";

/** Whether an attempt is still to be settled, and by this claim. */
export const isStillOpen = async (ctx: Ctx, { id, claims }: BillingAttempt): Promise<boolean> => {
  const now = await findAttempt(ctx, id);
  return now !== undefined && isOpen(now) && now.claims === claims;
};

/** Ends an attempt, once: fails its batch where another has settled it, or claimed it since. */
export const settlement = (
  ctx: Ctx,
  { account_id, id, claims }: BillingAttempt,
  values: Partial<BillingAttempt> & Pick<BillingAttempt, "status">,
): Statement[] => [
  guard(
    `NOT EXISTS (SELECT 1 FROM billing_attempts WHERE account_id = ? AND id = ? AND claims = ?
      AND status IN ('PROCESSING', 'ACTION_REQUIRED', 'REVIEW'))`,
    [account_id, id, claims],
  ),
  statement(
    build
      .update(attempts)
      .set({
        ...values,
        lease_until: null,
        next_action_at: null,
        next_action_url: null,
        settled_at: ctx.now,
        updated_at: ctx.now,
      })
      .where(and(eq(attempts.account_id, account_id), eq(attempts.id, id))),
  ),
];
