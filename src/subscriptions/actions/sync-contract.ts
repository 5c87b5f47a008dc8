import type { Ctx } from "../../context.ts";
import { commit } from "../../db/commit.ts";
import { later } from "../../lib/dates.ts";
import {
  type ContractStatus,
  StoreBusyError,
  type StoreContracts,
  StoreRefusalError,
  StoreSilenceError,
} from "../../store/port.ts";
import { agreed, findContractSync, givenTime, putOff } from "../contract-syncs.ts";
import { contractStatusOf, contractWish } from "../contract-wish.ts";
import { isOver } from "../lifecycle.ts";
import { getSubscription, type SubscriptionView } from "../queries.ts";
import type { ContractSync, Subscription } from "../tables.ts";
import { cancelSubscription } from "./cancel.ts";
import { linkContract } from "./link-contract.ts";
import { pauseSubscription } from "./pause.ts";
import { perform } from "./perform.ts";
import { resumeSubscription } from "./restart.ts";

const hourMs = 3_600_000;

const isEnded = (status: ContractStatus): boolean => status === "CANCELLED" || status === "EXPIRED";

/**
 * What somebody has done to the contract at the store, since the store last agreed, that the subscription takes over: a
 * contract that is over there cannot be had back; who pauses or resumes it there means it. What we have changed ourselves
 * meanwhile goes before. While a request of ours may still arrive, it may have been ours: what has ended by it is made anew.
 */
const adoption = (ctx: Ctx, row: Subscription, status: ContractStatus, sync: ContractSync) => {
  const isSilent = sync.silent_until !== null && sync.silent_until > ctx.realNow;
  if (isOver(row)) return undefined;
  if (isEnded(status) && isSilent) return () => linkContract(ctx, row.id, row.store_contract_id);
  if (isEnded(status))
    return () => cancelSubscription(ctx, row.id, false, { reason: `${status.toLowerCase()} at the store` });
  const isOurs = sync.agreed_status === status || sync.agreed_status !== contractStatusOf[row.status];
  if (isOurs || isSilent) return undefined;
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
  if (status !== wanted) await contracts.setStatus(id, wanted);
  if (!isEnded(wanted) && view.row.open_attempt_id === null) await contracts.push(id, contractWish(view));
};

/** That a refusal is over is a change of its own, after which the store is looked at once more. */
const agree = (
  ctx: Ctx,
  row: Subscription,
  status: ContractStatus | null,
  { next_action_at }: ContractSync,
): Promise<unknown> => {
  if (row.store_sync_error === null) return commit({ db: ctx.db }, [agreed(row, status, next_action_at)]);
  const decision = { action: "integration_store_agreed", after: { store_sync_error: null } } as const;
  return perform(ctx, row.id, false, () => decision);
};

/** What was made for a life that was over before it was linked is ended, too. */
const endUnlinked = async (
  ctx: Ctx,
  contracts: StoreContracts,
  view: SubscriptionView,
  sync: ContractSync,
): Promise<unknown> => {
  const left = await contracts.findOf(contractWish(view));
  if (left !== undefined) await contracts.setStatus(left, contractStatusOf[view.row.status]);
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

/** A refusal shows in the subscription, and once in its history; whoever can cure it at the store has an hour, then longer. */
const refused = async (ctx: Ctx, id: string, tries: number, error: StoreRefusalError): Promise<void> => {
  const store_sync_error = error.message.slice(0, longestMessage);
  const next = later(ctx.realNow, Math.min(24, 2 ** Math.min(tries, 5)) * hourMs);
  ctx.log("store_refused", { alert: true, subscription_id: id, codes: error.codes, tries });
  await perform(ctx, id, false, ({ row }) => ({
    action: "integration_store_refused",
    metadata: { codes: error.codes },
    after: { store_sync_error },
    writes: row.store_sync_error === store_sync_error ? [] : [putOff(row, tries + 1, next)],
  }));
  await commit({ db: ctx.db }, [putOff({ account_id: ctx.account.id, id }, tries + 1, next)]);
};

/** Silence tells nothing, so it is told again: soon by a delayed message, and by the sweep should that be lost. */
const unheard = async (ctx: Ctx, id: string, tries: number, error: StoreSilenceError): Promise<void> => {
  const isBusy = error instanceof StoreBusyError;
  const backoff = Math.min(3600, 2 ** Math.min(tries + 1, 12));
  const seconds = isBusy ? Math.max(error.retryAfter, backoff) : backoff;
  const next = later(ctx.realNow, seconds * 1000);
  const silent = isBusy ? undefined : later(ctx.realNow, hourMs);
  ctx.log("store_silent", { subscription_id: id, tries, why: error.message });
  await commit({ db: ctx.db }, [putOff({ account_id: ctx.account.id, id }, tries + 1, next, silent)]);
  if (seconds >= 60) return;
  await ctx.send([{ type: "sync_contract", account_id: ctx.account.id, subscription_id: id }], seconds);
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
  if (!sync || sync.next_action_at === null || sync.next_action_at > givenTime(ctx)) return undefined;
  return contracts
    .hold(id, () => bring(ctx, contracts, id, sync))
    .catch((error) => {
      if (error instanceof StoreRefusalError) return refused(ctx, id, sync.tries, error);
      if (error instanceof StoreSilenceError) return unheard(ctx, id, sync.tries, error);
      throw error;
    });
};
