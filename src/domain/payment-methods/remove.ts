import { requirePermission } from "../../base/accounts/portal-settings.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { commitUnless } from "../../kit/commit-unless.ts";
import { type Ctx, isRehearsed } from "../../kit/context.ts";
import { explainRefusal, requireAbility } from "./enter.ts";
import { findMethod } from "./queries.ts";
import { type PaymentMethod, paymentMethods } from "./tables.ts";

/**
 * Takes a payment method from the customer who acts, for good. It is revoked here first, so that nothing is paid with it any more; a
 * repetition takes it away at the store too, where the first has not come that far. Throws INVALID_STATE while a subscription uses it.
 */
export async function removePaymentMethod(ctx: Ctx, id: string): Promise<PaymentMethod> {
  requirePermission(ctx, "can_change_payment_method");
  const method = await findMethod(ctx, id);
  if (!method || method.profile_id !== ctx.actor.profile_id) throw notFound("Payment method");
  const remove = requireAbility(ctx.store.removePaymentMethod);
  await revokeUnused(ctx, method);
  if (isRehearsed(ctx)) return method;
  await remove(method.store_payment_method_id).catch(explainRefusal);
  return { ...method, status: "REVOKED" };
}

async function revokeUnused(ctx: Ctx, method: PaymentMethod): Promise<void> {
  if (method.status === "REVOKED") return;
  const { account_seq, id, profile_id } = method;
  const revoke = updateRow(paymentMethods, { account_seq, id }, { status: "REVOKED", updated_at: ctx.now });
  const isUsed = `EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ? AND profile_id = ? AND payment_method_id = ?
      AND (status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED') OR open_attempt_id IS NOT NULL))`;
  const params = [account_seq, profile_id, id];
  await commitUnless(ctx, { broken: isUsed, params, refuse: inUse }, [revoke]);
}

function inUse(): DomainError {
  return new DomainError("INVALID_STATE", "Cannot remove the payment method: a subscription is paid with it");
}
