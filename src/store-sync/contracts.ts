import type { Ctx } from "../context.ts";
import {
  findSubscriptionOfContract,
  ImportRefusedError,
  importContract,
  subscriptionExists,
} from "../contracts/import.ts";
import { enqueueContractSync, markContractChanged } from "../contracts/outbox.ts";
import { DomainError } from "../errors.ts";
import type { Outcome } from "../job.ts";
import { plainId } from "../store/ids.ts";
import type { ContractStatus } from "../store/port.ts";
import { refreshOrder } from "./orders.ts";

/** Enqueues the reconciliation of a contract and its subscription, unless the store has refused it and a retry is scheduled. */
export async function refreshContract(ctx: Ctx, storeId: string): Promise<Outcome> {
  const id = Number(plainId("SubscriptionContract", storeId));
  const subscriptionId = await markContractChanged(ctx, id);
  if (subscriptionId === undefined) return importUnknown(ctx, id);
  await enqueueContractSync(ctx, [subscriptionId]);
  return "done";
}

const importable = new Set<ContractStatus>(["ACTIVE", "PAUSED"]);

/** A contract that was not created here comes from the store's checkout: it becomes a subscription, which its order then joins. */
async function importUnknown(ctx: Ctx, id: number): Promise<Outcome> {
  const contract = await ctx.store.contracts?.find(id);
  if (!contract || !importable.has(contract.status)) return "done";
  const { subscription_id, store_origin_order_id } = contract;
  const wasCreatedHere = subscription_id !== null && store_origin_order_id === null;
  if (wasCreatedHere && (await subscriptionExists(ctx, subscription_id))) {
    await enqueueContractSync(ctx, [subscription_id]);
    return "done";
  }
  await importContract(ctx, id, contract).catch((error) => logRefusal(ctx, id, error));
  if (store_origin_order_id === null || !(await findSubscriptionOfContract(ctx, id))) return "done";
  return refreshOrder(ctx, store_origin_order_id);
}

const temporaryCodes = new Set<string>(["UNAVAILABLE", "VERSION_CONFLICT"]);

/** Another try cannot import a contract that does not fit a subscription, so it is logged for the merchant. */
function logRefusal(ctx: Ctx, store_contract_id: number, error: unknown): void {
  if (!(error instanceof ImportRefusedError || error instanceof DomainError)) throw error;
  if (error instanceof DomainError && temporaryCodes.has(error.code)) throw error;
  ctx.log("contract_not_taken_over", { alert: true, store_contract_id, why: error.message });
}
