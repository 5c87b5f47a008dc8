import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Db, Statement } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, first, type Params, prepare, statement } from "../db/statement.ts";
import { sweep } from "../db/sweep.ts";
import type { Job } from "../job.ts";
import { type Instant, later } from "../lib/dates.ts";
import type { ContractStatus } from "../store/port.ts";
import {
  type ContractSync,
  contractSyncs,
  type Subscription,
  subscriptions,
} from "../subscriptions/tables.ts";

const ofSubscription = prepare((p: Params<{ account_id: string; subscription_id: string }>) =>
  build
    .select({ ...getTableColumns(contractSyncs), revision: subscriptions.revision })
    .from(contractSyncs)
    .innerJoin(
      subscriptions,
      and(
        eq(subscriptions.account_id, contractSyncs.account_id),
        eq(subscriptions.id, contractSyncs.subscription_id),
      ),
    )
    .where(
      and(
        eq(contractSyncs.account_id, p("account_id")),
        eq(contractSyncs.subscription_id, p("subscription_id")),
      ),
    ),
);

/** What the store has still to be told, and the subscription's revision at that moment. */
export type Pending = ContractSync & { revision: number };

/** What the store has still to be told of a subscription; none where nobody else keeps contracts. */
export const findContractSync = (ctx: Ctx, subscription_id: string): Promise<Pending | undefined> =>
  first(ctx.db, ofSubscription({ account_id: ctx.account.id, subscription_id }));

type Of = Pick<Subscription, "account_id" | "id">;

const update = ({ account_id, id }: Of, values: Partial<Record<keyof ContractSync, unknown>>): Statement =>
  statement(
    build
      .update(contractSyncs)
      .set(values as Partial<ContractSync>)
      .where(and(eq(contractSyncs.account_id, account_id), eq(contractSyncs.subscription_id, id))),
  );

/**
 * The store agrees with the subscription as it was at this revision, and when it was to be told at this instant: what has
 * changed since is still to be told, what the store has told of since is still to be looked at.
 */
export const markSynced = (
  row: Subscription,
  status: ContractStatus | null,
  toldAt: Instant | null,
): Statement =>
  update(row, {
    agreed_status: status,
    tries: 0,
    next_action_at: sql`CASE WHEN (SELECT ${subscriptions.revision} FROM ${subscriptions}
      WHERE ${subscriptions.account_id} = ${row.account_id} AND ${subscriptions.id} = ${row.id}) = ${row.revision}
      AND ${contractSyncs.next_action_at} IS ${toldAt} THEN NULL ELSE ${contractSyncs.next_action_at} END`,
  });

/** A status that was told without an answer, and may still come to be. */
export type UnknownStatus = { silent_status: ContractStatus; silent_until: Instant };

/** The store does not agree: it is told again at an instant. */
export const scheduleRetry = (row: Of, tries: number, next_action_at: Instant): Statement =>
  update(row, { tries, next_action_at });

/** As scheduleRetry, unless the store is to be told of something since this was to be told (`toldAt`). */
export const scheduleRetryIfUnchanged = (
  row: Of,
  tries: number,
  next_action_at: Instant,
  toldAt: Instant | null,
  silence?: UnknownStatus,
): Statement => {
  const unmoved = sql`${contractSyncs.next_action_at} IS ${toldAt}`;
  return update(row, {
    tries: sql`CASE WHEN ${unmoved} THEN ${tries} ELSE ${contractSyncs.tries} END`,
    next_action_at: sql`CASE WHEN ${unmoved} THEN ${next_action_at} ELSE ${contractSyncs.next_action_at} END`,
    ...silence,
  });
};

/** What is to be told later than this is being given time; what is to be told by then may be told at this moment. */
export const retryHorizon = (ctx: Ctx): Instant => later(ctx.realNow, 90_000);

/**
 * The store has told of a change: it is looked at, once more where somebody is at it, unless the store is being given time.
 * Answers whose contract it is.
 */
export const markContractChanged = async (
  ctx: Ctx,
  store_contract_id: number,
): Promise<string | undefined> => {
  const { realNow, account } = ctx;
  const [noticed] = await commit({ db: ctx.db }, [
    {
      sql: `UPDATE contract_syncs SET next_action_at = CASE
          WHEN next_action_at > ? THEN next_action_at WHEN next_action_at = ? THEN ? ELSE ? END
        WHERE account_id = ? AND subscription_id =
          (SELECT id FROM subscriptions WHERE account_id = ? AND store_contract_id = ?)
        RETURNING subscription_id AS id`,
      params: [
        ...[retryHorizon(ctx), realNow, later(realNow, 1), realNow],
        ...[account.id, account.id, store_contract_id],
      ],
    },
  ]);
  return (noticed?.rows as { id: string }[] | undefined)?.[0]?.id;
};

/** Contracts that are to be told of again, by real time: their message was lost, or their store has not agreed. */
export const sweepContracts = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const outbox = { table: contractSyncs, id: "subscription_id", size: 100 } as const;
  const swept = await sweep(db, outbox, realNow);
  return swept.map((found) => ({ type: "sync_contract", ...found }));
};

/** Has subscriptions and their contracts at the store brought together, some seconds later if told. */
export const enqueueContractSync = (ctx: Ctx, subscriptionIds: string[], delaySeconds = 0): Promise<void> =>
  ctx.send(
    subscriptionIds.map((subscription_id) => ({
      type: "sync_contract",
      account_id: ctx.account.id,
      subscription_id,
    })),
    delaySeconds,
  );
