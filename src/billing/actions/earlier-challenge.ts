import { and, desc, eq, getTableColumns, lt } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { build, type Params, prepare } from "../../db/statement.ts";
import { challengeExpired } from "../../dunning/policy.ts";
import type { ChargeAnswer } from "../../store/port.ts";
import { hasCharged, knownChargeOf } from "../known-charge.ts";
import { type BillingAttempt, billingAttempts } from "../tables.ts";

/**
 * The charge of an earlier attempt at the same cycle that its customer has confirmed after its deadline here: a store that cannot
 * withdraw a challenge may have charged it since. It pays the cycle, and nothing else is charged.
 */
export async function lateConfirmation(
  ctx: Ctx,
  expired: BillingAttempt | undefined,
): Promise<ChargeAnswer | undefined> {
  if (!expired) return undefined;
  const answer = await ctx.store.findCharge(knownChargeOf(expired));
  return hasCharged(answer) ? answer : undefined;
}

/** The last attempt at the same cycle before this one whose challenge has expired. */
export const expiredBefore = ({ account }: Ctx, attemptId: string): Statement<BillingAttempt> =>
  expired({ account_id: account.id, id: attemptId });

const present = alias(billingAttempts, "present");
const earlier = alias(billingAttempts, "earlier");

const expired = prepare((p: Params<{ account_id: string; id: string }>) =>
  build
    .select(getTableColumns(earlier))
    .from(present)
    .innerJoin(
      earlier,
      and(
        eq(earlier.account_id, present.account_id),
        eq(earlier.subscription_id, present.subscription_id),
        eq(earlier.activation, present.activation),
        eq(earlier.cycle, present.cycle),
        lt(earlier.attempt_number, present.attempt_number),
      ),
    )
    .where(
      and(
        eq(present.account_id, p("account_id")),
        eq(present.id, p("id")),
        eq(earlier.status, "FAILED"),
        eq(earlier.error_code, challengeExpired.code),
      ),
    )
    .orderBy(desc(earlier.attempt_number))
    .limit(1),
);
