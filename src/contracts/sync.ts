import type { Ctx } from "../context.ts";
import { commit } from "../db/commit.ts";
import { later } from "../lib/dates.ts";
import {
  type ContractStatus,
  isEnded,
  type StoreContracts,
  StoreRefusalError,
  StoreThrottledError,
  UnknownOutcomeError,
} from "../store/port.ts";
import { cancelSubscription } from "../subscriptions/actions/cancel.ts";
import { changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { pauseSubscription } from "../subscriptions/actions/pause.ts";
import { resumeSubscription } from "../subscriptions/actions/restart.ts";
import { isOver } from "../subscriptions/lifecycle.ts";
import { getSubscription, type SubscriptionView } from "../subscriptions/queries.ts";
import type { ContractSync, Subscription } from "../subscriptions/tables.ts";
import { contractStatusOf, desiredContract } from "./desired-contract.ts";
import { linkContract } from "./link.ts";
import {
  enqueueContractSync,
  findContractSync,
  markSynced,
  type Pending,
  retryHorizon,
  scheduleRetry,
  scheduleRetryIfUnchanged,
  type UnknownStatus,
} from "./outbox.ts";

const hourMs = 3_600_000;

/** A status that was told without an answer may still come to be. */
class UnknownStatusError extends UnknownOutcomeError {
  readonly status: ContractStatus;

  constructor(message: string, status: ContractStatus) {
    super(message);
    this.status = status;
  }
}

const setStatus = (contracts: StoreContracts, id: number, status: ContractStatus): Promise<void> =>
  contracts.setStatus(id, status).catch((error) => {
    const mayArrive = error instanceof UnknownOutcomeError && !(error instanceof StoreThrottledError);
    throw mayArrive ? new UnknownStatusError(error.message, status) : error;
  });

/**
 * What somebody has done to the contract at the store, since the store last agreed, that the subscription takes over: a
 * contract that is over there cannot be had back; who pauses or resumes it there means it. What we have changed ourselves
 * meanwhile goes before. A status that we have told without an answer may be ours, come late: what has ended by it is made anew.
 */
const adoption = (ctx: Ctx, row: Subscription, status: ContractStatus, sync: ContractSync) => {
  const isLate =
    sync.silent_status === status && sync.silent_until !== null && sync.silent_until > ctx.realNow;
  if (isOver(row)) return undefined;
  if (isEnded(status) && isLate) return () => linkContract(ctx, row.id, row.store_contract_id);
  if (isEnded(status))
    return () => cancelSubscription(ctx, row.id, false, { reason: `${status.toLowerCase()} at the store` });
  const isOurs = sync.agreed_status === status || sync.agreed_status !== contractStatusOf[row.status];
  if (isOurs || isLate) return undefined;
  if (status === "PAUSED" && row.status === "ACTIVE")
    return () => pauseSubscription(ctx, row.id, false, { reason: "paused at the store" });
  if (status === "ACTIVE" && row.status === "PAUSED") return () => resumeSubscription(ctx, row.id, false, {});
  return undefined;
};

/** Makes the contract what the subscription is. Its contents are left alone while they are being charged. */
const tell = async (
  contracts: StoreContracts,
  id: number,
  view: SubscriptionView,
  status: ContractStatus,
): Promise<void> => {
  const wanted = contractStatusOf[view.row.status];
  if (isEnded(status)) return;
  if (status !== wanted) await setStatus(contracts, id, wanted);
  if (!isEnded(wanted) && view.row.open_attempt_id === null) await contracts.push(id, desiredContract(view));
};

/** That a refusal is over is a change of its own, after which the store is looked at once more. */
const agree = (
  ctx: Ctx,
  row: Subscription,
  status: ContractStatus | null,
  { next_action_at }: ContractSync,
): Promise<unknown> => {
  if (row.store_sync_error === null) return commit({ db: ctx.db }, [markSynced(row, status, next_action_at)]);
  const decision = {
    entry: { action: "integration_store_agreed" },
    columns: { store_sync_error: null },
  } as const;
  return changeSubscription(ctx, row.id, {}, () => decision);
};

/** What was made for a life that was over before it was linked is ended, too. */
const endUnlinked = async (
  ctx: Ctx,
  contracts: StoreContracts,
  view: SubscriptionView,
  sync: ContractSync,
): Promise<unknown> => {
  const left = await contracts.findOf(desiredContract(view));
  if (left !== undefined) await setStatus(contracts, left, contractStatusOf[view.row.status]);
  return agree(ctx, view.row, null, sync);
};

const bring = async (
  ctx: Ctx,
  contracts: StoreContracts,
  subscriptionId: string,
  sync: ContractSync,
): Promise<unknown> => {
  const view = await getSubscription(ctx, subscriptionId);
  const { row } = view;
  const id = row.store_contract_id;
  if (id === null) return isOver(row) ? endUnlinked(ctx, contracts, view, sync) : linkContract(ctx, row.id);
  const status = await contracts.findStatus(id);
  if (status === undefined)
    throw new StoreRefusalError(`The store has no contract ${id}`, ["CONTRACT_NOT_FOUND"]);
  const adopt = adoption(ctx, row, status, sync);
  if (adopt) return adopt();
  await tell(contracts, id, view, status);
  return agree(ctx, row, isEnded(status) ? status : contractStatusOf[row.status], sync);
};

const longestMessage = 500;

/**
 * A refusal shows in the subscription, and once in its history; whoever can cure it at the store has an hour, then longer. What
 * has changed since is told by itself.
 */
const refused = async (ctx: Ctx, sync: Pending, error: StoreRefusalError): Promise<void> => {
  const { subscription_id: id, account_id, tries } = sync;
  const store_sync_error = error.message.slice(0, longestMessage);
  const next = later(ctx.realNow, Math.min(24, 2 ** Math.min(tries, 5)) * hourMs);
  ctx.log("store_refused", { alert: true, subscription_id: id, codes: error.codes, tries });
  await commit({ db: ctx.db }, [
    scheduleRetryIfUnchanged({ account_id, id }, tries + 1, next, sync.next_action_at),
  ]);
  await changeSubscription(ctx, id, {}, ({ row }) => {
    if (row.revision !== sync.revision || row.store_sync_error === store_sync_error) return undefined;
    return {
      entry: { action: "integration_store_refused", metadata: { codes: error.codes } },
      columns: { store_sync_error },
      writes: [scheduleRetry(row, tries + 1, next)],
    };
  });
};

/** Six hours at most. */
const backoffSeconds = (tries: number): number => Math.min(21_600, 2 ** Math.min(tries + 1, 15));

/** UnknownStatus tells nothing, so it is told again: soon by a delayed message, and by the sweep should that be lost. */
const retryAfterNoResponse = async (ctx: Ctx, sync: Pending, error: UnknownOutcomeError): Promise<void> => {
  const { subscription_id, account_id, tries } = sync;
  const seconds = Math.max(
    backoffSeconds(tries),
    error instanceof StoreThrottledError ? error.retryAfter : 0,
  );
  const next = later(ctx.realNow, seconds * 1000);
  const silence: UnknownStatus | undefined =
    error instanceof UnknownStatusError
      ? { silent_status: error.status, silent_until: later(ctx.realNow, hourMs) }
      : undefined;
  ctx.log("store_outcome_unknown", { subscription_id, tries, why: error.message });
  const row = { account_id, id: subscription_id };
  await commit({ db: ctx.db }, [
    scheduleRetryIfUnchanged(row, tries + 1, next, sync.next_action_at, silence),
  ]);
  if (seconds < 60) await enqueueContractSync(ctx, [subscription_id], seconds);
};

/**
 * Brings the contract at the store and the subscription together, whatever has happened to either: the contract is made
 * and linked where there is none, told what it has not been told, and what was done to it at the store is taken over.
 * Repeating it, late, twice or at once, changes nothing.
 */
export const syncContract = async (ctx: Ctx, id: string): Promise<unknown> => {
  const { contracts } = ctx.store;
  if (!contracts) return linkContract(ctx, id);
  const sync = await findContractSync(ctx, id);
  if (!sync || sync.next_action_at === null || sync.next_action_at > retryHorizon(ctx)) return undefined;
  return contracts
    .withContractLease(id, () => bring(ctx, contracts, id, sync))
    .catch((error) => {
      if (error instanceof StoreRefusalError) return refused(ctx, sync, error);
      if (error instanceof UnknownOutcomeError) return retryAfterNoResponse(ctx, sync, error);
      throw error;
    });
};
