import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { build, columnsEqual, first, type Params, prepare, statement } from "../../base/db/statement.ts";
import { syncContractJob } from "../../base/job.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox, dueBy } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import type { ContractStatus } from "../../stores/port/contracts.ts";
import {
  type ContractSync,
  contractSyncs,
  type Subscription,
  subscriptions,
} from "../subscriptions/tables.ts";
import { ownsContract } from "./owner.ts";

/** A sync with the store that is to be made, and the subscription's revision when that was read. */
export type PendingSync = ContractSync & { revision: number };

/** A status that we sent without learning the outcome: until that instant it may still take effect. */
export type UnknownStatus = { silent_status: ContractStatus; silent_until: Instant };

/** The sync state of a subscription's contract; none where the store keeps no contracts. */
export function findContractSync(ctx: Ctx, subscription_id: string): Promise<PendingSync | undefined> {
  return first(ctx.db, selectOfSubscription({ account_seq: ctx.account.seq, subscription_id }));
}

/** Puts the sync of contracts into the queue, to be run at once or after a delay. */
export function enqueueContractSync(ctx: Ctx, subscriptionIds: string[], delaySeconds = 0): Promise<void> {
  return ctx.send(
    subscriptionIds.map((id) => syncContractJob(ctx.account.id, id)),
    delaySeconds,
  );
}

/** Marks a contract as changed at the store, and enqueues its sync. Returns false for a contract of no subscription. */
export async function syncChangedContract(ctx: Ctx, store_contract_id: number): Promise<boolean> {
  const owner = await markContractChanged(ctx, store_contract_id);
  if (owner !== undefined) await enqueueContractSync(ctx, [owner]);
  return owner !== undefined;
}

/**
 * Marks a contract as changed at the store, so that its owner is synced, and returns the id of that subscription. A retry that waits
 * keeps its time. A sync that began before does not clear the mark.
 */
export async function markContractChanged(ctx: Ctx, store_contract_id: number): Promise<string | undefined> {
  const { next_action_at, version } = contractSyncs;
  const { realNow, account } = ctx;
  const [marked] = await commit({ db: ctx.db }, [
    statement(
      build
        .update(contractSyncs)
        .set({
          next_action_at: sql`CASE WHEN ${next_action_at} > ${dueBy(realNow)} THEN ${next_action_at} ELSE ${realNow} END`,
          version: sql`${version} + 1`,
        })
        .where(
          and(
            eq(contractSyncs.account_seq, account.seq),
            sql`${contractSyncs.subscription_id} IN (SELECT ${subscriptions.id} FROM ${subscriptions}
              WHERE ${ownsContract({ account_seq: account.seq, store_contract_id })})`,
          ),
        )
        .returning({ subscription_id: contractSyncs.subscription_id }),
    ),
  ]);
  return marked?.rows[0]?.subscription_id;
}

/** The status that the store agrees on; the payment method too where the contract was seen with it. */
export type Agreement = { status: ContractStatus | null; methodId?: string | undefined };

/** Records that the contract has the subscription's payment method, whoever chose it. */
export function updateMethodAgreed({ account_seq, id }: Subscription, agreed_method: string): Statement {
  return updateRow(contractSyncs, { account_seq, subscription_id: id }, { agreed_method });
}

/**
 * The store agrees with the subscription. The sync stays due where the subscription or its contract has changed since it was read: that
 * change is still to be synced.
 */
export function updateSynced(
  sync: ContractSync,
  row: Subscription,
  { status, methodId }: Agreement,
): Statement {
  const agreed = {
    agreed_status: status,
    renewed_since: syncs.unlessMarked(sync, "renewed_since", null),
    ...(methodId === undefined ? {} : { agreed_method: whileUnchanged(row, methodId) }),
    tries: 0,
  };
  return syncs.done(sync, agreed);
}

/** The sync is tried again later, unless it was marked anew since it was read: that is a newer change. */
export function updateRetry(
  sync: ContractSync,
  { tries, next_action_at }: SyncRetry,
  unknownStatus?: UnknownStatus,
): Statement {
  return syncs.later(sync, next_action_at, {
    tries: syncs.unlessMarked(sync, "tries", tries),
    ...unknownStatus,
  });
}

/**
 * Another sync has begun before this one ended. The contract may have what this one has sent, so that it is synced anew, whatever the
 * other one finds.
 */
export function updateOvertaken(
  { account_seq, subscription_id }: ContractSync,
  retry: SyncRetry,
  unknownStatus?: UnknownStatus,
): Statement {
  return statement(
    build
      .update(contractSyncs)
      .set({ ...retry, ...unknownStatus, version: sql`${contractSyncs.version} + 1` })
      .where(
        and(eq(contractSyncs.account_seq, account_seq), eq(contractSyncs.subscription_id, subscription_id)),
      ),
  );
}

/** The sync is tried again later, whatever was marked since it was read. */
export function updateRetryAnyway(
  { account_seq, subscription_id }: ContractSync,
  { tries, next_action_at }: SyncRetry,
): Statement {
  return updateRow(contractSyncs, { account_seq, subscription_id }, { tries, next_action_at });
}

/** A contract is held by a lease at its store's adapter, so that a sync has none of its own. */
const syncs = defineOutbox({
  table: contractSyncs,
  id: "subscription_id",
  due: "next_action_at",
  mark: ["version"],
});

/** A change here since then clears what was agreed, and is not to be undone. */
function whileUnchanged({ account_seq, id, revision }: Subscription, methodId: string) {
  return sql`CASE WHEN (SELECT ${subscriptions.revision} FROM ${subscriptions}
      WHERE ${subscriptions.account_seq} = ${account_seq} AND ${subscriptions.id} = ${id}) = ${revision}
    THEN ${methodId} ELSE ${contractSyncs.agreed_method} END`;
}

export type SyncRetry = { tries: number; next_action_at: Instant };

const selectOfSubscription = prepare((p: Params<{ account_seq: AccountSeq; subscription_id: string }>) =>
  build
    .select({ ...getTableColumns(contractSyncs), revision: subscriptions.revision })
    .from(contractSyncs)
    .innerJoin(
      subscriptions,
      and(
        eq(subscriptions.account_seq, contractSyncs.account_seq),
        eq(subscriptions.id, contractSyncs.subscription_id),
      ),
    )
    .where(columnsEqual(contractSyncs, p, "account_seq", "subscription_id")),
);

/**
 * Contracts whose sync is due, by real time: their message was lost, or the store did not agree. Reads across accounts, as
 * cron does.
 */
export const contractSweep = defineSweep({ ...syncs, size: 100 }, ({ account_id, subscription_id }) =>
  syncContractJob(account_id, subscription_id),
);
