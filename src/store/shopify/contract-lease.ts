import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { commit } from "../../db/commit.ts";
import { build, statement } from "../../db/statement.ts";
import { later } from "../../lib/dates.ts";
import { StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import { shopifyContracts as leases } from "./tables.ts";

/** Longer than all that is asked of Shopify at a stretch. */
const leaseMs = 120_000;
const busySeconds = 5;

/** A request that was given up may still be done. */
const mayArrive = (error: unknown): boolean =>
  error instanceof UnknownOutcomeError && !(error instanceof StoreThrottledError);

/**
 * One at a time does something with a subscription's contract. Throws StoreThrottledError where somebody else is at it; whoever
 * has crashed, or has had no answer, is waited for as long as its lease.
 */
export const withContractLease = async <T>(
  db: Db,
  account_id: string,
  subscription_id: string,
  realNow: string,
  work: () => Promise<T>,
): Promise<T> => {
  const lease_until = later(realNow, leaseMs);
  const [taken] = await commit({ db }, [
    statement(
      build
        .insert(leases)
        .values({ account_id, subscription_id, lease_until })
        .onConflictDoUpdate({
          target: [leases.account_id, leases.subscription_id],
          set: { lease_until },
          setWhere: sql`${leases.lease_until} <= ${realNow}`,
        })
        .returning({ subscription_id: leases.subscription_id }),
    ),
  ]);
  if (taken?.rows.length !== 1) throw new StoreThrottledError("The contract is in use", busySeconds);
  const mine = and(
    eq(leases.account_id, account_id),
    eq(leases.subscription_id, subscription_id),
    eq(leases.lease_until, lease_until),
  );
  const release = () =>
    commit({ db }, [statement(build.update(leases).set({ lease_until: realNow }).where(mine))]);
  const [done] = await Promise.allSettled([work()]);
  if (done.status === "fulfilled" || !mayArrive(done.reason)) await release();
  if (done.status === "rejected") throw done.reason;
  return done.value;
};
