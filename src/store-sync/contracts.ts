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
import { shortId } from "../store/ids.ts";
import type { ContractStatus } from "../store/port.ts";
import { refreshOrder } from "./orders.ts";

const passing = new Set<string>(["UNAVAILABLE", "VERSION_CONFLICT"]);

/** A contract that cannot be a subscription here is nobody's fault that trying again could mend. */
const notTakenOver = (ctx: Ctx, store_contract_id: number, error: unknown): void => {
  if (!(error instanceof ImportRefusedError || error instanceof DomainError)) throw error;
  if (error instanceof DomainError && passing.has(error.code)) throw error;
  ctx.log("contract_not_taken_over", { alert: true, store_contract_id, why: error.message });
};

const adoptable = new Set<ContractStatus>(["ACTIVE", "PAUSED"]);

/** A contract that nobody here has made comes from the store's checkout: it becomes a subscription, and its order that one's. */
const takeOver = async (ctx: Ctx, id: number): Promise<Outcome> => {
  const contract = await ctx.store.contracts?.find(id);
  if (!contract || !adoptable.has(contract.status)) return "done";
  const { subscription_id, store_origin_order_id } = contract;
  const isMadeHere = subscription_id !== null && store_origin_order_id === null;
  if (isMadeHere && (await subscriptionExists(ctx, subscription_id))) {
    await enqueueContractSync(ctx, [subscription_id]);
    return "done";
  }
  await importContract(ctx, id, contract).catch((error) => notTakenOver(ctx, id, error));
  if (store_origin_order_id === null || !(await findSubscriptionOfContract(ctx, id))) return "done";
  return refreshOrder(ctx, store_origin_order_id);
};

/** Brings a contract and its subscription together, unless the store has refused and is being given time. */
export const refreshContract = async (ctx: Ctx, storeId: string): Promise<Outcome> => {
  const id = Number(shortId(storeId));
  const noticed = await markContractChanged(ctx, id);
  if (noticed === undefined) return takeOver(ctx, id);
  await enqueueContractSync(ctx, [noticed]);
  return "done";
};
