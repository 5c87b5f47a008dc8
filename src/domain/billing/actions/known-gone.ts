import type { Ctx } from "../../../kit/context.ts";
import { whyGone } from "../../../stores/gone-method.ts";
import { isSameStoreId } from "../../../stores/ids.ts";
import { traitsOf } from "../../../stores/platforms.ts";
import { type ChargeAnswer, StoreRefusalError, UnknownOutcomeError } from "../../../stores/port.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import type { Claimed } from "./claim.ts";

type Status = PaymentMethod["status"];

/**
 * The customer's failure of an attempt whose payment method is known to be gone, which the store has said once more: such an attempt is not
 * sent. Undefined where it may be sent. One that was sent before, and not answered, is asked about instead.
 */
export async function findGone(
  ctx: Ctx,
  { attempt, known, method }: Claimed,
): Promise<ChargeAnswer | undefined> {
  const { store_key, amount, unanswered } = attempt;
  const isFirst = unanswered === 1 && known.reference === null;
  if (method === undefined || method === "VALID" || amount === 0 || !isFirst) return undefined;
  const status = await lookAgain(ctx, attempt, method);
  const why = whyGone({ status });
  return why && { outcome: "declined", reference: store_key, ...why, isRefused: true };
}

/** The status of a payment method by the store's word; VALID where the store does not say, or charges another one. */
async function lookAgain(ctx: Ctx, attempt: BillingAttempt, known: Status): Promise<Status> {
  // The sandbox declines what has expired by itself, and no customer can take a payment method away there.
  if (!traitsOf(ctx.account).keepsMethods) return known === "REVOKED" ? known : "VALID";
  try {
    return await askForStatus(ctx, attempt);
  } catch (error) {
    if (error instanceof StoreRefusalError || error instanceof UnknownOutcomeError) return "VALID";
    throw error;
  }
}

async function askForStatus({ store }: Ctx, attempt: BillingAttempt): Promise<Status> {
  const { store_payment_method_id: id, store_contract_id } = snapshotOf(attempt);
  if (id === null) return "VALID";
  const contract = await store.contracts?.findState(store_contract_id);
  const charged = contract?.store_payment_method_id ?? id;
  if (!isSameStoreId("CustomerPaymentMethod", charged, id)) return "VALID";
  return (await store.findPaymentMethod(id))?.status ?? "REVOKED";
}
