import { DomainError } from "../../base/errors.ts";
import { type JobOutcome, refreshContractJob } from "../../base/job.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId } from "../../stores/ids.ts";
import { type ContractStatus, isEnded } from "../../stores/port/contracts.ts";
import { AccessDeniedError } from "../../stores/port.ts";
import {
  findSubscriptionOfContract,
  ImportRefusedError,
  importContract,
  subscriptionExists,
} from "../contracts/import.ts";
import { enqueueContractSync, syncChangedContract } from "../contracts/outbox.ts";
import { findOwnerOfContract } from "../contracts/owner.ts";
import type { UnsupportedReason } from "../contracts/tables.ts";
import {
  forgetUnsupported,
  noteUnsupported,
  takeUnsupportedToLookAt,
  unsupportedPage,
} from "../contracts/unsupported.ts";
import { refreshOrder } from "./orders.ts";

/** Enqueues the reconciliation of a contract and the subscription that has it, or had it in the life before, unless the store has refused it and a retry is scheduled. */
export async function refreshContract(ctx: Ctx, storeId: string): Promise<JobOutcome> {
  const id = Number(plainId("SubscriptionContract", storeId));
  return (await syncChangedContract(ctx, id)) ? "done" : importUnknown(ctx, id);
}

/**
 * Looks again at a page of the contracts that could not be taken over, and were not looked at since an instant: they may have changed or ended,
 * and their webhooks been lost. Returns whether there are no more.
 */
export async function lookAgainAtUnsupported(ctx: Ctx, since: Instant): Promise<boolean> {
  const ids = await takeUnsupportedToLookAt(ctx, since);
  const jobs = ids.map((id) => refreshContractJob(ctx.account.id, id));
  if (jobs.length > 0) await ctx.send(jobs);
  return jobs.length < unsupportedPage;
}

/** Takes a contract over if that is possible now. One that has been, by an import that died before it noted that, is no longer listed. */
export async function lookAgain(ctx: Ctx, id: number): Promise<void> {
  if (await findOwnerOfContract(ctx, id)) await forgetUnsupported(ctx, id);
  else await importUnknown(ctx, id);
}

const importable = new Set<ContractStatus>(["ACTIVE", "PAUSED"]);

/** A contract that was not created here comes from the store's checkout: it becomes a subscription, which its order then joins. */
async function importUnknown(ctx: Ctx, id: number): Promise<JobOutcome> {
  const contract = await ctx.store.contracts?.find(id).catch((error) => {
    if (error instanceof AccessDeniedError) return error;
    throw error;
  });
  if (contract instanceof AccessDeniedError) {
    await noteUnsupported(ctx, { id, contract: undefined, reason: "ACCESS", message: contract.message });
    return "done";
  }
  if (!contract || isEnded(contract.status)) await forgetUnsupported(ctx, id);
  if (!contract || !importable.has(contract.status)) return "done";
  const { subscription_id, store_origin_order_id } = contract;
  const wasCreatedHere = subscription_id !== null && store_origin_order_id === null;
  if (wasCreatedHere && (await subscriptionExists(ctx, subscription_id))) {
    await enqueueContractSync(ctx, [subscription_id]);
    return "done";
  }
  try {
    await importContract(ctx, id, contract);
    await forgetUnsupported(ctx, id);
  } catch (error) {
    await noteUnsupported(ctx, { id, contract, ...refusalIn(error) });
  }
  if (store_origin_order_id === null || !(await findSubscriptionOfContract(ctx, id))) return "done";
  return refreshOrder(ctx, store_origin_order_id);
}

const temporaryCodes = new Set<string>(["UNAVAILABLE", "VERSION_CONFLICT"]);

/** Another try cannot import a contract that does not fit a subscription: the merchant is told why. Throws any other error. */
function refusalIn(error: unknown): { reason: UnsupportedReason; message: string } {
  if (error instanceof ImportRefusedError) return { reason: error.reason, message: error.message };
  if (!(error instanceof DomainError) || temporaryCodes.has(error.code)) throw error;
  const reason = error.code === "UNKNOWN_PAYMENT_METHOD" ? "PAYMENT_METHOD" : "OTHER";
  return { reason, message: error.message };
}
