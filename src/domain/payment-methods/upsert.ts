import { getTableColumns, type Placeholder, sql } from "drizzle-orm";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, type Params, prepare } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import type { StorePaymentMethod } from "../../stores/port/payment-methods.ts";
import { type PaymentMethod, paymentMethods } from "./tables.ts";

/** A profile's payment method, and the writes that store it: none for one that is stored already. */
export type UpsertedPaymentMethod = { method: PaymentMethod; writes: Statement[] };

/** Inserts a payment method of a profile with the details that the store has now, or updates the existing one. */
export function upsertPaymentMethod(
  ctx: Ctx,
  profile_id: string,
  { store_customer_id: _id, store_customer_email: _email, is_default, ...shown }: StorePaymentMethod,
  existing: PaymentMethod | undefined,
): UpsertedPaymentMethod {
  const method: PaymentMethod = {
    ...shown,
    id: existing?.id ?? ctx.newId(),
    account_seq: ctx.account.seq,
    profile_id,
    is_default: is_default || existing?.is_default === 1 ? 1 : 0,
    created_at: existing?.created_at ?? ctx.now,
    updated_at: ctx.now,
    expiry_seen_of: null,
    expiry_next_on: null,
  };
  return { method, writes: [guardUnchanged(method, existing), insertOrUpdate(method)] };
}

/** The columns that the store may change. */
const changing = ["brand", "last4", "exp_month", "exp_year", "is_default", "status", "updated_at"] as const;

const insertOrUpdate = prepare((p: Params<PaymentMethod>) => {
  const names = Object.keys(getTableColumns(paymentMethods)) as (keyof PaymentMethod)[];
  return build
    .insert(paymentMethods)
    .values(
      Object.fromEntries(names.map((name) => [name, p(name)])) as Record<keyof PaymentMethod, Placeholder>,
    )
    .onConflictDoUpdate({
      target: [paymentMethods.account_seq, paymentMethods.profile_id, paymentMethods.store_payment_method_id],
      set: Object.fromEntries(changing.map((name) => [name, sql`${p(name)}`])),
    });
});

/** Fails the batch where the payment method has changed, or has been inserted, since it was read. */
function guardUnchanged(
  { id, account_seq, profile_id, store_payment_method_id }: PaymentMethod,
  existing: PaymentMethod | undefined,
): Statement {
  return existing
    ? guard(
        `NOT EXISTS (SELECT 1 FROM payment_methods WHERE account_seq = ? AND id = ? AND brand IS ? AND last4 IS ?
          AND exp_month IS ? AND exp_year IS ? AND status = ?)`,
        [
          account_seq,
          existing.id,
          existing.brand,
          existing.last4,
          existing.exp_month,
          existing.exp_year,
          existing.status,
        ],
      )
    : guard(
        `EXISTS (SELECT 1 FROM payment_methods
          WHERE account_seq = ? AND profile_id = ? AND store_payment_method_id = ? AND id <> ?)`,
        [account_seq, profile_id, store_payment_method_id, id],
      );
}
