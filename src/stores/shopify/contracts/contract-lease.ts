import { sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { commit } from "../../../base/db/commit.ts";
import { guard } from "../../../base/db/guard.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import { build, type Params, prepare } from "../../../base/db/statement.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { StoreThrottledError, UnknownOutcomeError } from "../../port.ts";
import { shopifyContracts as leases } from "../tables.ts";

type LeaseInput = { db: Db; accountSeq: AccountSeq; subscriptionId: string; realNow: Instant };

/**
 * Runs `work` while nobody else changes or charges a subscription's contract. Throws StoreThrottledError if somebody else does. If
 * the holder crashes or has no answer, the lease is kept until it expires. A batch with `isHeld` is refused once somebody else has taken the
 * lease, as the holder was too slow.
 */
export async function withContractLease<T>(
  { db, accountSeq: account_seq, subscriptionId: subscription_id, realNow }: LeaseInput,
  work: (isHeld: Statement) => Promise<T>,
): Promise<T> {
  const lease_until = later(realNow, leaseMs);
  const [taken] = await commit({ db }, [insertLease({ account_seq, subscription_id, lease_until, realNow })]);
  if (taken?.rows.length !== 1) throw new StoreThrottledError("The contract is in use", retryAfterSeconds);
  const mine = { account_seq, subscription_id, lease_until };
  const release = () => commit({ db }, [updateRow(leases, mine, { lease_until: realNow })]);
  const isHeld = guard(
    "NOT EXISTS (SELECT 1 FROM shopify_contracts WHERE account_seq = ? AND subscription_id = ? AND lease_until = ?)",
    [account_seq, subscription_id, lease_until],
  );
  const [result] = await Promise.allSettled([work(isHeld)]);
  if (result.status === "fulfilled" || !mayArrive(result.reason)) await release();
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/** Longer than any sequence of requests to Shopify takes. */
const leaseMs = 120_000;
const retryAfterSeconds = 5;

/** Takes a lease that is free, or was left. */
const insertLease = prepare(
  (p: Params<{ account_seq: AccountSeq; subscription_id: string; lease_until: Instant; realNow: Instant }>) =>
    build
      .insert(leases)
      .values({
        account_seq: p("account_seq"),
        subscription_id: p("subscription_id"),
        lease_until: p("lease_until"),
      })
      .onConflictDoUpdate({
        target: [leases.account_seq, leases.subscription_id],
        set: { lease_until: sql`${p("lease_until")}` },
        setWhere: sql`${leases.lease_until} <= ${p("realNow")}`,
      })
      .returning({ subscription_id: leases.subscription_id }),
);

/** Shopify may still process a request that had no answer. */
function mayArrive(error: unknown): boolean {
  return error instanceof UnknownOutcomeError && !(error instanceof StoreThrottledError);
}
