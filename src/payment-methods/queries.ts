import { and, desc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { build, first, type Params, prepare, rows } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { belongsToCustomer, linkCustomer } from "../profiles/customers.ts";
import { getProfile } from "../profiles/queries.ts";
import { isSameStoreId } from "../store/ids.ts";
import type { StorePaymentMethod } from "../store/port.ts";
import { type PaymentMethod, paymentMethods } from "./tables.ts";
import { type UpsertedPaymentMethod, upsertPaymentMethod } from "./upsert.ts";

type Owner = { account_id: string; profile_id: string };

const ofProfile = prepare((p: Params<Owner>) =>
  build
    .select()
    .from(paymentMethods)
    .where(
      and(eq(paymentMethods.account_id, p("account_id")), eq(paymentMethods.profile_id, p("profile_id"))),
    )
    .orderBy(desc(paymentMethods.is_default), desc(paymentMethods.created_at), desc(paymentMethods.id)),
);

const byId = prepare((p: Params<Owner & { id: string }>) =>
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

const byStoreId = prepare((p: Params<Owner & { store_payment_method_id: string }>) =>
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

/** Led by the store's id: sorted by the index of our own ids, every payment method of the account would be read. */
const ofStore = prepare((p: Params<{ account_id: string; store_payment_method_id: string }>) =>
  build
    .select()
    .from(paymentMethods)
    .where(
      and(
        eq(paymentMethods.account_id, p("account_id")),
        eq(paymentMethods.store_payment_method_id, p("store_payment_method_id")),
      ),
    )
    .orderBy(sql`+${paymentMethods.id}`),
);

/** A payment method of the store's, once for each profile that it is kept for. */
export const listKeptMethods = (ctx: Ctx, storeId: string): Promise<PaymentMethod[]> =>
  rows(ctx.db, ofStore({ account_id: ctx.account.id, store_payment_method_id: storeId }));

/** A profile's payment methods, its default first. */
export const listPaymentMethods = (ctx: Ctx, profileId: string): Promise<PaymentMethod[]> =>
  rows(ctx.db, ofProfile({ account_id: ctx.account.id, profile_id: profileId }));

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
  const found = await first(ctx.db, byId({ ...owner, id }));
  if (!found || found.status === "REVOKED") throw unknown("payment_method_id");
  return found;
};

/**
 * Where the store says whose a payment method is, it is taken for that customer's profile only: one that is known as theirs,
 * or has their e-mail address and is known as theirs from then on. Throws UNKNOWN_PAYMENT_METHOD.
 */
const requireOwner = async (
  ctx: Ctx,
  profileId: string,
  { store_customer_id, store_customer_email: email }: StorePaymentMethod,
): Promise<Statement[]> => {
  if (store_customer_id === null) return [];
  const profile = await getProfile(ctx, profileId);
  const known = profile.store_customer_id;
  if (known !== null && isSameStoreId(known, store_customer_id)) return [];
  if (await belongsToCustomer(ctx, profile, { store_customer_id, email }))
    return linkCustomer(ctx, profile, store_customer_id);
  throw unknown("store_payment_method_id");
};

/** A profile's payment method by the store's id, asked of the store. Throws UNKNOWN_PAYMENT_METHOD. */
export const requireStorePaymentMethod = async (
  ctx: Ctx,
  profileId: string,
  storeId: string,
): Promise<UpsertedPaymentMethod> => {
  const owner = { account_id: ctx.account.id, profile_id: profileId };
  const kept = await first(ctx.db, byStoreId({ ...owner, store_payment_method_id: storeId }));
  if (kept && kept.status !== "REVOKED") return { method: kept, writes: [] };
  const found = await ctx.store.findPaymentMethod(storeId);
  if (!found || found.status === "REVOKED") throw unknown("store_payment_method_id");
  const noted = await requireOwner(ctx, profileId, found);
  const { method, writes } = upsertPaymentMethod(ctx, profileId, found, kept);
  return { method, writes: [...noted, ...writes] };
};
