import { commit } from "../../base/db/commit.ts";
import { isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { doublingPause } from "../../base/lib/backoff.ts";
import { later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { dueBy } from "../../kit/outbox/outbox.ts";
import { isChosenAtStore } from "../../stores/chosen-method.ts";
import { isSameStoreId } from "../../stores/ids.ts";
import {
  type ContractState,
  type ContractStatus,
  isEnded,
  type StoreContracts,
} from "../../stores/port/contracts.ts";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../../stores/port.ts";
import { cancelSubscription } from "../subscriptions/actions/cancel.ts";
import { changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { pauseSubscription } from "../subscriptions/actions/pause.ts";
import { resumeSubscription } from "../subscriptions/actions/restart.ts";
import { isHeld, isOver } from "../subscriptions/lifecycle.ts";
import { getSubscription, type SubscriptionView } from "../subscriptions/queries.ts";
import type { ContractSync, Subscription } from "../subscriptions/tables.ts";
import { ownMethodIds, payableMethodId } from "./chosen-method.ts";
import { contractStatusOf, desiredContract } from "./desired-contract.ts";
import { linkContract } from "./link.ts";
import {
  type Agreement,
  enqueueContractSync,
  findContractSync,
  type PendingSync,
  type SyncRetry,
  type UnknownStatus,
  updateOvertaken,
  updateRetry,
  updateRetryAnyway,
  updateSynced,
} from "./outbox.ts";

/**
 * Reconciles a subscription and its contract at the store, whatever has changed in either: creates and links a missing
 * contract, sends what the store does not have yet, and takes over what somebody did to the contract there. It is
 * idempotent: running it late, twice or concurrently gives the same result.
 */
export async function syncContract(ctx: Ctx, id: string, actions: SyncActions): Promise<unknown> {
  const { contracts } = ctx.store;
  if (!contracts) return linkContract(ctx, id);
  let sync = await findDueSync(ctx, id);
  if (!sync) return undefined;
  try {
    return await contracts.withContractLease(id, async (isHeld) => {
      // Read again: a sync that had the lease before may have done all of this, and a mark since then be of the same instant.
      sync = await findDueSync(ctx, id);
      return sync && reconcile(ctx, { contracts, sync, isHeld, actions });
    });
  } catch (error) {
    if (sync && error instanceof StoreRefusalError) return recordRefusal(ctx, sync, error);
    if (sync && error instanceof UnknownOutcomeError) return retryAfterNoResponse(ctx, sync, error);
    throw error;
  }
}

async function findDueSync(ctx: Ctx, id: string): Promise<PendingSync | undefined> {
  const sync = await findContractSync(ctx, id);
  const isDue = sync && sync.next_action_at !== null && sync.next_action_at <= dueBy(ctx.realNow);
  return isDue ? sync : undefined;
}

/** The effects of a change at the store in slices that know of contracts, and that this one must not know. */
type SyncActions = {
  /** Switches a subscription to a payment method that was chosen at the store; false if that is not its customer's. */
  takeOverPaymentMethod: (ctx: Ctx, id: string, storePaymentMethodId: string) => Promise<boolean>;
};

const longestMessage = 500;

/** The store may still apply a status whose request got no answer. */
class UnknownStatusError extends UnknownOutcomeError {
  readonly status: ContractStatus;

  constructor(message: string, status: ContractStatus) {
    super(message);
    this.status = status;
  }
}

/** Another sync has begun since: what this one has sent may be what the contract has, whatever the other one found. */
class OvertakenError extends UnknownStatusError {}

type Reconciliation = {
  contracts: StoreContracts;
  sync: ContractSync;
  /** Refuses a batch once another sync has begun. */
  isHeld: Statement;
  actions: SyncActions;
};

async function reconcile(ctx: Ctx, reconciliation: Reconciliation): Promise<unknown> {
  const { contracts, sync, actions } = reconciliation;
  const view = await getSubscription(ctx, sync.subscription_id);
  const { row } = view;
  if (isHeld(row)) return undefined;
  const id = row.store_contract_id;
  if (id === null) return isOver(row) ? endUnlinked(ctx, reconciliation, view) : linkContract(ctx, row.id);
  const state = await contracts.findState(id);
  if (!state) throw new StoreRefusalError(`The store has no contract ${id}`, ["CONTRACT_NOT_FOUND"]);
  const { status, store_payment_method_id: chosen } = state;
  const takeOver = changeAtStore(ctx, view, state, reconciliation);
  if (takeOver) return takeOver();
  const own = ownMethodIds(view.method, sync, ctx.realNow);
  const isChosen = !isOver(row) && isChosenAtStore(chosen, own);
  if (isChosen && (await actions.takeOverPaymentMethod(ctx, row.id, chosen))) return undefined;
  const isPushed = await push(contracts, { id, view, status, own });
  const methodId = isChosen ? undefined : agreedMethodId(view, chosen, isPushed);
  const agreed = { status: isEnded(status) ? status : contractStatusOf[row.status], methodId };
  return recordAgreement(ctx, row, agreed, reconciliation);
}

/** The payment method that both have: the contents were sent, or the contract had it already. */
function agreedMethodId(
  { method }: SubscriptionView,
  current: string | null,
  isPushed: boolean,
): string | undefined {
  const payable = payableMethodId(method);
  const isThere =
    isPushed ||
    (payable !== null && current !== null && isSameStoreId("CustomerPaymentMethod", payable, current));
  return isThere ? (payable ?? undefined) : undefined;
}

/**
 * The action that takes over what somebody did to the contract since the store last agreed. A contract that ended there
 * cannot be restored, so the subscription ends too, and what the store has created late for it; a pause or a resumption there is meant for the subscription. Our own
 * changes since then go first. A pause or a resumption that we sent without an answer may arrive late and be ours. We never end the contract
 * of a life that goes on. One that was cancelled because the app was uninstalled, or by a cancellation that was undone since, is created anew.
 */
function changeAtStore(
  ctx: Ctx,
  view: SubscriptionView,
  { status, changed_at }: ContractState,
  { contracts, sync }: Reconciliation,
) {
  const { row } = view;
  const isLate =
    sync.silent_status === status && sync.silent_until !== null && sync.silent_until > ctx.realNow;
  const isAbandoned =
    status === "CANCELLED" && (isLate || (sync.renewed_since !== null && changed_at >= sync.renewed_since));
  if (isOver(row)) return undefined;
  if (isAbandoned) return () => linkContract(ctx, row.id, row.store_contract_id);
  if (isEnded(status))
    return async () => {
      await endLiving(contracts, view, status);
      return cancelSubscription(ctx, {
        id: row.id,
        request: { reason: `${status.toLowerCase()} at the store` },
      });
    };
  const isOurs = sync.agreed_status === status || sync.agreed_status !== contractStatusOf[row.status];
  if (isOurs || isLate) return undefined;
  if (status === "PAUSED" && row.status === "ACTIVE")
    return () => pauseSubscription(ctx, { id: row.id, request: { reason: "paused at the store" } });
  if (status === "ACTIVE" && row.status === "PAUSED")
    return () => resumeSubscription(ctx, { id: row.id, request: {} });
  return undefined;
}

type Push = { id: number; view: SubscriptionView; status: ContractStatus; own: string[] | null };

/** Sends the subscription's status and contents. The contents stay as they are, and false is returned, while they are being charged. */
async function push(contracts: StoreContracts, { id, view, status, own }: Push): Promise<boolean> {
  const desired = contractStatusOf[view.row.status];
  if (isEnded(status)) return false;
  if (status !== desired) await setStatus(contracts, id, desired);
  if (isEnded(desired) || view.row.open_attempt_id !== null) return false;
  await contracts.push(id, desiredContract({ ...view, ownMethodIds: own }));
  return true;
}

function setStatus(contracts: StoreContracts, id: number, status: ContractStatus): Promise<void> {
  return contracts.setStatus(id, status).catch((error) => {
    const mayArrive = error instanceof UnknownOutcomeError && !(error instanceof StoreThrottledError);
    throw mayArrive ? new UnknownStatusError(error.message, status) : error;
  });
}

/** Ends the contracts of a subscription which was over before one was linked: what the store has created late, and that of its last life. */
async function endUnlinked(
  ctx: Ctx,
  reconciliation: Reconciliation,
  view: SubscriptionView,
): Promise<unknown> {
  await endLiving(reconciliation.contracts, view, contractStatusOf[view.row.status]);
  return recordAgreement(ctx, view.row, { status: null }, reconciliation);
}

async function endLiving(
  contracts: StoreContracts,
  view: SubscriptionView,
  status: ContractStatus,
): Promise<void> {
  for (const living of await contracts.listLiving(desiredContract(view)))
    await setStatus(contracts, living, status);
}

/** The end of a refusal is a change of the subscription, after which its contract is synced once more. */
function recordAgreement(
  ctx: Ctx,
  row: Subscription,
  agreement: Agreement,
  { sync, isHeld }: Reconciliation,
): Promise<unknown> {
  if (row.store_sync_error === null)
    return commit({ db: ctx.db }, [isHeld, updateSynced(sync, row, agreement)]).catch((error) => {
      if (!isGuard(error)) throw error;
      throw new OvertakenError("Another sync has begun meanwhile", contractStatusOf[row.status]);
    });
  const decision = {
    entry: { action: "store_sync_agreed" },
    columns: { store_sync_error: null },
  } as const;
  return changeSubscription(ctx, row.id, {}, () => decision);
}

/**
 * The subscription shows the refusal, and its history has it once. The next try comes in an hour, then later and later, so
 * that somebody can mend the cause at the store; a change of the subscription is synced at once.
 */
async function recordRefusal(ctx: Ctx, sync: PendingSync, error: StoreRefusalError): Promise<void> {
  const { subscription_id: id, tries } = sync;
  const store_sync_error = error.message.slice(0, longestMessage);
  const delayMs = doublingPause({ first: hourMs, longest: dayMs }, tries);
  const retry: SyncRetry = { tries: tries + 1, next_action_at: later(ctx.realNow, delayMs) };
  ctx.log("store_refused", { alert: true, subscription_id: id, codes: error.codes, tries });
  await commit({ db: ctx.db }, [updateRetry(sync, retry)]);
  await changeSubscription(ctx, id, {}, ({ row }) => {
    if (row.revision !== sync.revision || row.store_sync_error === store_sync_error) return undefined;
    return {
      entry: { action: "store_sync_refused", metadata: { codes: error.codes } },
      columns: { store_sync_error },
      writes: [updateRetryAnyway(sync, retry)],
    };
  });
}

/** Tries again after an unknown outcome: soon by a delayed message, or by the sweep where that message is lost. */
async function retryAfterNoResponse(ctx: Ctx, sync: PendingSync, error: UnknownOutcomeError): Promise<void> {
  const { subscription_id, tries } = sync;
  const throttledSeconds = error instanceof StoreThrottledError ? error.retryAfter : 0;
  const seconds = Math.max(doublingPause({ first: 2, longest: 21_600 }, tries), throttledSeconds);
  const retry: SyncRetry = { tries: tries + 1, next_action_at: later(ctx.realNow, seconds * 1000) };
  const unknownStatus: UnknownStatus | undefined =
    error instanceof UnknownStatusError
      ? { silent_status: error.status, silent_until: later(ctx.realNow, hourMs) }
      : undefined;
  ctx.log("store_outcome_unknown", { subscription_id, tries, cause: error.message });
  const postpone = error instanceof OvertakenError ? updateOvertaken : updateRetry;
  await commit({ db: ctx.db }, [postpone(sync, retry, unknownStatus)]);
  if (seconds < 60) await enqueueContractSync(ctx, [subscription_id], seconds);
}
