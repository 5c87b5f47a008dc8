import { rows } from "../../base/db/statement.ts";
import type { ErrorDetail } from "../../base/errors.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import type { Ctx } from "../../kit/context.ts";
import { todayOf } from "../../kit/days.ts";
import { isSameStoreId } from "../../stores/ids.ts";
import type { StorePaymentMethod } from "../../stores/port/payment-methods.ts";
import { selectNamedMethods } from "../payment-methods/queries.ts";
import { type UpsertedPaymentMethod, upsertPaymentMethod } from "../payment-methods/upsert.ts";
import type { Profile } from "../profiles/tables.ts";
import type { PlannedCustomer } from "./planned/customer.ts";

type Owner = { customer: PlannedCustomer; profile: Profile | undefined };

/** The store's objection to a payment method of a customer: it has none of this id, it has expired, or it is somebody else's. */
export async function paymentFault(ctx: Ctx, id: string, owner: Owner): Promise<ErrorDetail | undefined> {
  return faultOf(ctx, await askStore(ctx, () => ctx.store.findPaymentMethod(id)), owner);
}

/** The customer's payment method with the writes that store it, or what the store says against it. Throws UnknownOutcomeError where that does not answer. */
export async function paymentOf(
  ctx: Ctx,
  id: string,
  { profileId, ...owner }: Owner & { profileId: string },
): Promise<UpsertedPaymentMethod | { fault: ErrorDetail }> {
  const named = selectNamedMethods(ctx, { store_payment_method_id: id }, { profile_id: profileId });
  const [existing] = owner.profile ? await rows(ctx.db, named) : [];
  const found = await askStore(ctx, () => ctx.store.findPaymentMethod(id));
  const fault = faultOf(ctx, found, owner);
  return fault ? { fault } : upsertPaymentMethod(ctx, profileId, found!, existing);
}

const path = "store_payment_method_id";

/**
 * An import gives it to nobody, as a request that creates a subscription does: the store says only then whether it lets itself be given, and
 * what is taken back from a customer can never be used again, so that no import could be undone.
 */
const ofNobody = "belongs to no customer at the store: attach it to theirs there first";

/** Asks the store about a row, and notes that it has answered: where it does not, nothing is said against the row. */
export async function askStore<T>({ jobRow }: Ctx, ask: () => Promise<T>): Promise<T> {
  const answer = await ask();
  if (jobRow) jobRow.hasStoreAnswered = true;
  return answer;
}

function faultOf(ctx: Ctx, found: StorePaymentMethod | undefined, owner: Owner): ErrorDetail | undefined {
  if (found?.store_customer_id === null && ctx.store.attachPaymentMethod) return { path, message: ofNobody };
  if (!found || found.status === "REVOKED") return { path, message: "is not known to the store" };
  if (found.status === "EXPIRED" || hasExpired(ctx, found)) return { path, message: "has expired" };
  return isOf(found, owner) ? undefined : { path, message: "belongs to another customer" };
}

function hasExpired(ctx: Ctx, { exp_month, exp_year }: StorePaymentMethod): boolean {
  if (exp_month === null || exp_year === null) return false;
  return `${exp_year}-${String(exp_month).padStart(2, "0")}` < todayOf(ctx).slice(0, 7);
}

/** A store that does not say whose it is leaves that to the merchant. */
function isOf(
  { store_customer_id, store_customer_email }: StorePaymentMethod,
  { customer, profile }: Owner,
): boolean {
  if (store_customer_id === null) return true;
  const known = profile?.store_customer_id ?? customer.store_customer_id;
  if (known !== null) return isSameStoreId("Customer", known, store_customer_id);
  const email = profile?.email_folded ?? customer.email_folded;
  return store_customer_email !== null && emailKey(store_customer_email) === email;
}
