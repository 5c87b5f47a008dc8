import { and, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { build, columnsEqual, type Params, prepare } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { challengeExpired } from "../../retries/policy.ts";
import { attemptColumns } from "../charge-content.ts";
import { type Charged, hasCharged, knownChargeOf } from "../known-charge.ts";
import { type BillingAttempt, billingAttempts } from "../tables.ts";

/** A challenge that was given up here, and the charge that it became when its customer confirmed it later. */
export type ConfirmedChallenge = { expired: BillingAttempt; charge: Charged };

/**
 * The first of these expired challenges whose customer has confirmed it after its deadline here: a store that cannot withdraw a
 * challenge may have charged it since. All are asked, because a cycle may have several, and the customer may confirm any of them.
 */
export async function findConfirmed(
  ctx: Ctx,
  challenges: BillingAttempt[],
): Promise<ConfirmedChallenge | undefined> {
  for (const expired of challenges) {
    const charge = await ctx.store.findCharge(knownChargeOf(expired));
    if (hasCharged(charge)) return { expired, charge };
  }
  return undefined;
}

/**
 * The other attempts at the same cycle whose challenges have expired, the last first. There is no limit: each has waited for days, so
 * that even a cycle that is owed for a year has few.
 */
export function selectExpiredBeside({ account }: Ctx, attemptId: string): Statement<BillingAttempt> {
  return selectExpiredOfCycle({ account_seq: account.seq, id: attemptId });
}

/** Whether an attempt is a challenge that was given up here. */
export function isExpired({ status, error_code }: Pick<BillingAttempt, "status" | "error_code">): boolean {
  return status === "FAILED" && error_code === challengeExpired.code;
}

/** `isExpired` as a condition. It is written out, as SQLite uses the partial indexes of these attempts only where it sees the values. */
export function expiredCondition({ status, error_code }: Record<"status" | "error_code", SQLiteColumn>): SQL {
  return sql`${status} = 'FAILED' AND ${error_code} = ${sql.raw(`'${challengeExpired.code}'`)}`;
}

const present = alias(billingAttempts, "present");
const expired = alias(billingAttempts, "expired");

const selectExpiredOfCycle = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select(attemptColumns(expired))
    .from(present)
    .innerJoin(
      expired,
      and(
        eq(expired.account_seq, present.account_seq),
        eq(expired.subscription_id, present.subscription_id),
        eq(expired.activation, present.activation),
        eq(expired.cycle, present.cycle),
        ne(expired.id, present.id),
        expiredCondition(expired),
      ),
    )
    .where(columnsEqual(present, p, "account_seq", "id"))
    .orderBy(desc(expired.attempt_number)),
);
