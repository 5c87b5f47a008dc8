import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { guard } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import type { StorePaymentMethod } from "../store/port.ts";
import { type PaymentMethod, paymentMethods } from "./tables.ts";

/** A profile's payment method and the writes that keep it: none where it is kept already. */
export type UpsertedPaymentMethod = { method: PaymentMethod; writes: Statement[] };

/** Keeps a payment method for a profile as the store has it now, where it is kept already in its place. */
export const upsertPaymentMethod = (
  ctx: Ctx,
  profile_id: string,
  { store_customer_id: _id, store_customer_email: _email, is_default, ...shown }: StorePaymentMethod,
  kept: PaymentMethod | undefined,
): UpsertedPaymentMethod => {
  const method: PaymentMethod = {
    ...shown,
    id: kept?.id ?? ctx.newId(),
    account_id: ctx.account.id,
    profile_id,
    is_default: is_default || kept?.is_default === 1 ? 1 : 0,
    created_at: kept?.created_at ?? ctx.now,
    updated_at: ctx.now,
  };
  const { id, account_id, profile_id: _profile, created_at, store_payment_method_id, ...set } = method;
  const upsert = build
    .insert(paymentMethods)
    .values(method)
    .onConflictDoUpdate({
      target: [paymentMethods.account_id, paymentMethods.profile_id, paymentMethods.store_payment_method_id],
      set,
    });
  return { method, writes: [unmoved(method, kept), statement(upsert)] };
};

/** Fails the batch where the profile's payment method is no longer as it was read, or is kept meanwhile. */
function unmoved(
  { id, account_id, profile_id, store_payment_method_id }: PaymentMethod,
  kept: PaymentMethod | undefined,
): Statement {
  return kept
    ? guard(
        `NOT EXISTS (SELECT 1 FROM payment_methods WHERE account_id = ? AND id = ? AND brand IS ? AND last4 IS ?
          AND exp_month IS ? AND exp_year IS ? AND status = ?)`,
        [account_id, kept.id, kept.brand, kept.last4, kept.exp_month, kept.exp_year, kept.status],
      )
    : guard(
        `EXISTS (SELECT 1 FROM payment_methods
          WHERE account_id = ? AND profile_id = ? AND store_payment_method_id = ? AND id <> ?)`,
        [account_id, profile_id, store_payment_method_id, id],
      );
}
