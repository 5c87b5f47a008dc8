import type { Ctx } from "../../../kit/context.ts";
import type { DesiredContract } from "../../../stores/port/contracts.ts";
import { ownMethodIds } from "../../contracts/chosen-method.ts";
import { findContractSync } from "../../contracts/outbox.ts";
import { getSubscription } from "../../subscriptions/queries.ts";
import { desiredContractOf, snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { ifAnswered } from "./if-answered.ts";

/**
 * The differences of the contract at the store from the one that the attempt is to charge, in the store's words. Undefined for a
 * store without contracts, and for one that does not say.
 */
export async function findContractDifferences(
  ctx: Ctx,
  attempt: BillingAttempt,
): Promise<string[] | undefined> {
  const { contracts } = ctx.store;
  if (!contracts) return undefined;
  const desired = await findDesiredContract(ctx, attempt);
  return ifAnswered(ctx, contracts.findDifferences(snapshotOf(attempt).store_contract_id, desired));
}

/** The contract as the attempt is to charge it. */
export async function findDesiredContract(ctx: Ctx, attempt: BillingAttempt): Promise<DesiredContract> {
  const view = await getSubscription(ctx, attempt.subscription_id);
  const sync = await findContractSync(ctx, attempt.subscription_id);
  return desiredContractOf(
    view,
    snapshotOf(attempt),
    sync ? ownMethodIds(view.method, sync, ctx.realNow) : null,
  );
}
