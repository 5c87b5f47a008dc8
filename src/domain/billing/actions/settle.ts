import { guard } from "../../../base/db/guard.ts";
import type { Statement } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import type { Ctx } from "../../../kit/context.ts";
import { isOpen } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";

/** Ends an attempt once: the batch fails if another consumer has settled it, or claimed it since. */
export function settlementStatements(
  ctx: Ctx,
  { account_seq, id, claims }: BillingAttempt,
  values: Partial<BillingAttempt> & Pick<BillingAttempt, "status">,
): Statement[] {
  return [
    guardClaim({ account_seq, id, claims }),
    updateRow(
      attempts,
      { account_seq, id },
      {
        ...values,
        lease_until: null,
        next_action_at: null,
        next_action_url: null,
        settled_at: ctx.now,
        updated_at: ctx.now,
      },
    ),
  ];
}

/** Whether an attempt, as it was read anew, is still open, and still in the hands of this claim. */
export function isStillOpen(now: BillingAttempt | undefined, { claims }: BillingAttempt): boolean {
  return now !== undefined && isOpen(now) && now.claims === claims;
}

/** Fails its batch unless the attempt is open, and in the hands of this claim. */
export function guardClaim({
  account_seq,
  id,
  claims,
}: Pick<BillingAttempt, "account_seq" | "id" | "claims">): Statement {
  return guard(
    `NOT EXISTS (SELECT 1 FROM billing_attempts WHERE account_seq = ? AND id = ? AND claims = ?
      AND status IN ('PROCESSING', 'ACTION_REQUIRED', 'REVIEW'))`,
    [account_seq, id, claims],
  );
}
