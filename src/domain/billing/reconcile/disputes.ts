import { eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { commit } from "../../../base/db/commit.ts";
import { build, first, type Params, prepare } from "../../../base/db/statement.ts";
import type { Job } from "../../../base/job.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { reconciliations } from "../tables.ts";

/** The look at the account's disputes, from those on that were opened since the last look that left none. */
export async function nextLookAtDisputes({ db, account, realNow }: Ctx): Promise<Job> {
  const found = await first(db, selectStoredSince({ account_seq: account.seq }));
  const since = found?.disputes_since ?? later(realNow, -overlapMs);
  return { type: "reconcile_disputes", account_id: account.id, since, begun_at: realNow, after: null };
}

/**
 * A look has left no dispute: the next begins behind it. One from before a restore, which has begun later than the account is to be looked at
 * from, leaves that as it is.
 */
export async function markLookedAt(
  { db, account }: Ctx,
  { since, begun_at }: { since: Instant; begun_at: Instant },
): Promise<void> {
  await commit({ db }, [
    updatePosition({ account_seq: account.seq, since, next: later(begun_at, -overlapMs) }),
  ]);
}

/** The store may show a dispute some time after it was opened. */
const overlapMs = 3 * dayMs;

const { account_seq, disputes_since } = reconciliations;

const selectStoredSince = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select({ disputes_since })
    .from(reconciliations)
    .where(eq(account_seq, p("account_seq"))),
);

const updatePosition = prepare((p: Params<{ account_seq: AccountSeq; since: Instant; next: Instant }>) =>
  build
    .update(reconciliations)
    .set({
      disputes_since: sql`CASE WHEN ${disputes_since} < ${p("since")} THEN ${disputes_since} ELSE ${p("next")} END`,
    })
    .where(eq(account_seq, p("account_seq"))),
);
