import { and, desc, eq, lt } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { build, first, type Params, prepare } from "../../db/statement.ts";
import { challengeExpired } from "../../dunning/policy.ts";
import type { ChargeAnswer } from "../../store/port.ts";
import { hasCharged, knownChargeOf } from "../known-charge.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";

/**
 * The charge of an earlier attempt at the same cycle that its customer has confirmed after its deadline here: a store that cannot
 * withdraw a challenge may have charged it since. It pays the cycle, and nothing else is charged.
 */
export async function lateConfirmation(ctx: Ctx, attempt: BillingAttempt): Promise<ChargeAnswer | undefined> {
  if (attempt.attempt_number === 1) return undefined;
  const { account_id, subscription_id, activation, cycle, attempt_number } = attempt;
  const expired = await first(
    ctx.db,
    expiredBefore({ account_id, subscription_id, activation, cycle, attempt_number }),
  );
  if (!expired) return undefined;
  const answer = await ctx.store.findCharge(knownChargeOf(expired));
  return hasCharged(answer) ? answer : undefined;
}

type OfCycle = {
  account_id: string;
  subscription_id: string;
  activation: number;
  cycle: number;
  attempt_number: number;
};

const expiredBefore = prepare((p: Params<OfCycle>) =>
  build
    .select()
    .from(attempts)
    .where(
      and(
        eq(attempts.account_id, p("account_id")),
        eq(attempts.subscription_id, p("subscription_id")),
        eq(attempts.activation, p("activation")),
        eq(attempts.cycle, p("cycle")),
        lt(attempts.attempt_number, p("attempt_number")),
        eq(attempts.status, "FAILED"),
        eq(attempts.error_code, challengeExpired.code),
      ),
    )
    .orderBy(desc(attempts.attempt_number))
    .limit(1),
);
