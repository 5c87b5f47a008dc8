import { and, desc, eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { guard } from "../db/decide.ts";
import { build, first, prepare, rows, statement } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { getProfile } from "../profiles/queries.ts";
import { isSameStoreId } from "../store/ids.ts";
import type { StorePaymentMethod } from "../store/port.ts";
import { type PaymentMethod, paymentMethods } from "./tables.ts";

type Owner = { account_id: string; profile_id: string };

const ofProfile = prepare<Owner>((p) =>
  build
    .select()
    .from(paymentMethods)
    .where(
      and(eq(paymentMethods.account_id, p("account_id")), eq(paymentMethods.profile_id, p("profile_id"))),
    )
    .orderBy(desc(paymentMethods.is_default), desc(paymentMethods.created_at), desc(paymentMethods.id)),
);

const byId = prepare<Owner & { id: string }>((p) =>
  build
    .select()
    .from(paymentMethods)
    .where(
      and(
        eq(paymentMethods.account_id, p("account_id")),
        eq(paymentMethods.id, p("id")),
        eq(paymentMethods.profile_id, p("profile_id")),
      ),
    ),
);

const byStoreId = prepare<Owner & { store_payment_method_id: string }>((p) =>
  build
    .select()
    .from(paymentMethods)
    .where(
      and(
        eq(paymentMethods.account_id, p("account_id")),
        eq(paymentMethods.profile_id, p("profile_id")),
        eq(paymentMethods.store_payment_method_id, p("store_payment_method_id")),
      ),
    ),
);

/** A profile's payment methods, its default first. */
export const listPaymentMethods = (ctx: Ctx, profileId: string): Promise<PaymentMethod[]> =>
  rows<PaymentMethod>(ctx.db, ofProfile({ account_id: ctx.account.id, profile_id: profileId }));

const unknown = (path: string): DomainError =>
  new DomainError("UNKNOWN_PAYMENT_METHOD", "The profile has no such payment method", [
    { path, message: "is not known" },
  ]);

/** A profile's payment method by our id. Throws UNKNOWN_PAYMENT_METHOD, also for one that the store has revoked. */
export const requirePaymentMethod = async (
  ctx: Ctx,
  profileId: string,
  id: string,
): Promise<PaymentMethod> => {
  const owner = { account_id: ctx.account.id, profile_id: profileId };
  const found = await first<PaymentMethod>(ctx.db, byId({ ...owner, id }));
  if (!found || found.status === "REVOKED") throw unknown("payment_method_id");
  return found;
};

/** A profile's payment method and the writes that keep it: none where it is kept already. */
export type KeptPaymentMethod = { method: PaymentMethod; writes: Statement[] };

/** Where the store says whose a payment method is, it is taken for that customer's profile only. */
const isOf = async (
  ctx: Ctx,
  profileId: string,
  { store_customer_id }: StorePaymentMethod,
): Promise<boolean> => {
  if (store_customer_id === null) return true;
  const profile = await getProfile(ctx, profileId);
  return profile.store_customer_id !== null && isSameStoreId(profile.store_customer_id, store_customer_id);
};

/** A profile's payment method by the store's id, asked of the store. Throws UNKNOWN_PAYMENT_METHOD. */
export const requireStorePaymentMethod = async (
  ctx: Ctx,
  profileId: string,
  storeId: string,
): Promise<KeptPaymentMethod> => {
  const owner = { account_id: ctx.account.id, profile_id: profileId };
  const kept = await first<PaymentMethod>(ctx.db, byStoreId({ ...owner, store_payment_method_id: storeId }));
  if (kept && kept.status !== "REVOKED") return { method: kept, writes: [] };
  const found = await ctx.store.findPaymentMethod(storeId);
  if (!found || found.status === "REVOKED" || !(await isOf(ctx, profileId, found)))
    throw unknown("store_payment_method_id");
  const { store_customer_id: _owner, ...card } = found;
  const method: PaymentMethod = {
    ...owner,
    ...card,
    id: kept?.id ?? ctx.newId(),
    is_default: found.is_default ? 1 : 0,
    created_at: kept?.created_at ?? ctx.now,
    updated_at: ctx.now,
  };
  const { id, account_id, profile_id, store_payment_method_id, created_at, ...shown } = method;
  const upsert = build
    .insert(paymentMethods)
    .values(method)
    .onConflictDoUpdate({
      target: [paymentMethods.account_id, paymentMethods.profile_id, paymentMethods.store_payment_method_id],
      set: shown,
    });
  const keptMeanwhile = guard(
    `EXISTS (SELECT 1 FROM payment_methods
      WHERE account_id = ? AND profile_id = ? AND store_payment_method_id = ? AND id <> ?)`,
    [account_id, profile_id, store_payment_method_id, id],
  );
  return { method, writes: [keptMeanwhile, statement(upsert)] };
};
