import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { build, first, type Params, prepare, rows } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { type Ctx, isRehearsed } from "../../kit/context.ts";
import { isSameStoreId, plainId } from "../../stores/ids.ts";
import type { StorePaymentMethod } from "../../stores/port/payment-methods.ts";
import { belongsToCustomer, linkStatements, withoutGoneCustomer } from "../profiles/customers.ts";
import { getProfile } from "../profiles/queries.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { type PaymentMethod, paymentMethods } from "./tables.ts";
import { type UpsertedPaymentMethod, upsertPaymentMethod } from "./upsert.ts";

/** The rows of one payment method of the store: one for each profile that uses it. */
export function listMethodsOfStore(ctx: Ctx, storeId: string): Promise<PaymentMethod[]> {
  return rows(ctx.db, selectOfStore(byStore(ctx, storeId)));
}

/**
 * The payment methods of a subscription's customer, the default first, then the newest: as many as a page of the portal shows. They are read in
 * one trip with the subscription.
 */
export function selectMethodsOfCustomer({ account }: Ctx, subscription_id: string): Statement<PaymentMethod> {
  return selectOfCustomer({ account_seq: account.seq, subscription_id });
}

export function findMethod({ db, account }: Ctx, id: string): Promise<PaymentMethod | undefined> {
  return first(db, selectById({ account_seq: account.seq, id }));
}

/** The name of a payment method in a request: by our id, or by the store's. */
export type MethodName = { payment_method_id: string } | { store_payment_method_id: string };

/** Whose it is to be: a profile's, or a subscription's whose profile is being read in the same trip. */
type MethodOwner = { profile_id: string } | { subscription_id: string };

/**
 * The payment methods of that name, to be read in one trip with others. By the store's id those of the owner alone: any number of
 * customers may have one test card of the sandbox store.
 */
export function selectNamedMethods(
  { account }: Ctx,
  name: MethodName,
  owner: MethodOwner,
): Statement<PaymentMethod> {
  if ("payment_method_id" in name)
    return selectById({ account_seq: account.seq, id: name.payment_method_id });
  const its = byStore({ account }, name.store_payment_method_id);
  return "profile_id" in owner
    ? selectOfProfileByStoreId({ ...its, profile_id: owner.profile_id })
    : selectOfSubscriptionByStoreId({ ...its, subscription_id: owner.subscription_id });
}

/**
 * The profile's own payment method that a request names, of what `selectNamedMethods` finds. The store is asked for one that is named by
 * the store's id and is new or was revoked, and `writes` record its answer. One that belongs to nobody at the store becomes the
 * profile's, except in a dry run. Throws UNKNOWN_PAYMENT_METHOD.
 */
export async function requirePaymentMethod(
  ctx: Ctx,
  profileId: string,
  name: MethodName,
  { found }: { found: PaymentMethod[] },
): Promise<UpsertedPaymentMethod> {
  const own = found.find(({ profile_id }) => profile_id === profileId);
  if (!("payment_method_id" in name))
    return requireStorePaymentMethod(ctx, profileId, name.store_payment_method_id, { existing: own });
  if (!own || own.status === "REVOKED") throw newUnknownMethodError("payment_method_id");
  return { method: own, writes: [] };
}

async function requireStorePaymentMethod(
  ctx: Ctx,
  profileId: string,
  storeId: string,
  { existing }: { existing: PaymentMethod | undefined },
): Promise<UpsertedPaymentMethod> {
  if (existing && existing.status !== "REVOKED") return { method: existing, writes: [] };
  const found = await findOwnedMethod(ctx, profileId, storeId);
  if (!found || found.status === "REVOKED") throw newUnknownMethodError("store_payment_method_id");
  const noted = await requireOwner(ctx, profileId, found);
  const { method, writes } = upsertPaymentMethod(ctx, profileId, found, existing);
  return { method, writes: [...noted, ...writes] };
}

/** The store's payment method, with the profile's customer as its owner where it had none. */
async function findOwnedMethod(
  ctx: Ctx,
  profileId: string,
  storeId: string,
): Promise<StorePaymentMethod | undefined> {
  const found = await ctx.store.findPaymentMethod(storeId);
  if (!found || found.store_customer_id !== null || !ctx.store.attachPaymentMethod) return found;
  if (isRehearsed(ctx)) return { ...found, status: "VALID" };
  return ctx.store.attachPaymentMethod(storeId, await getProfile(ctx, profileId));
}

const methodsShown = 50;

const selectOfCustomer = prepare((p: Params<OfSubscription>) =>
  build
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.account_seq, p("account_seq")), eq(paymentMethods.profile_id, profileOf(p))))
    .orderBy(desc(paymentMethods.is_default), desc(paymentMethods.created_at), desc(paymentMethods.id))
    .limit(methodsShown),
);

type OfSubscription = { account_seq: AccountSeq; subscription_id: string };

function profileOf(p: Params<OfSubscription>) {
  return build
    .select({ profile_id: subscriptions.profile_id })
    .from(subscriptions)
    .where(and(eq(subscriptions.account_seq, p("account_seq")), eq(subscriptions.id, p("subscription_id"))));
}

const selectById = selectBy(paymentMethods, "account_seq", "id");

type ByStoreId = { account_seq: AccountSeq; store_id: string };

const selectOfProfileByStoreId = prepare((p: Params<ByStoreId & { profile_id: string }>) =>
  byStoreId(p, eq(paymentMethods.profile_id, p("profile_id"))),
);

const selectOfSubscriptionByStoreId = prepare((p: Params<ByStoreId & OfSubscription>) =>
  byStoreId(p, eq(paymentMethods.profile_id, profileOf(p))),
);

/** Led by the store's id: sorted by the index of our own ids, every payment method of the account would be read. */
const selectOfStore = prepare((p: Params<ByStoreId>) => byStoreId(p).orderBy(sql`+${paymentMethods.id}`));

function byStoreId(p: Params<ByStoreId>, whose?: SQL) {
  return build
    .select()
    .from(paymentMethods)
    .where(
      and(
        eq(paymentMethods.account_seq, p("account_seq")),
        whose,
        eq(paymentMethods.store_payment_method_id, p("store_id")),
      ),
    );
}

/**
 * If the store names a payment method's owner, only that customer's profile may use it: the profile with their customer
 * id, or the one with their e-mail address, which the returned writes then link to the customer. Throws
 * UNKNOWN_PAYMENT_METHOD.
 */
async function requireOwner(
  ctx: Ctx,
  profileId: string,
  { store_customer_id, store_customer_email: email }: StorePaymentMethod,
): Promise<Statement[]> {
  if (store_customer_id === null) return [];
  const profile = await getProfile(ctx, profileId);
  const known = profile.store_customer_id;
  if (known !== null && isSameStoreId("Customer", known, store_customer_id)) return [];
  const linkable = await withoutGoneCustomer(ctx, profile);
  if (await belongsToCustomer(ctx, linkable, { store_customer_id, email }))
    return linkStatements(ctx, linkable, store_customer_id);
  throw newUnknownMethodError("store_payment_method_id");
}

function byStore({ account }: Pick<Ctx, "account">, storeId: string): ByStoreId {
  return { account_seq: account.seq, store_id: plainId("CustomerPaymentMethod", storeId) };
}

function newUnknownMethodError(path: string): DomainError {
  return new DomainError("UNKNOWN_PAYMENT_METHOD", "The profile has no such payment method", [
    { path, message: "is not known" },
  ]);
}
