import { requirePermission } from "../../base/accounts/portal-settings.ts";
import { commit } from "../../base/db/commit.ts";
import { isGuard } from "../../base/db/guard.ts";
import { retryOnConflict, StaleError } from "../../base/db/retry-on-conflict.ts";
import { rows } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { isSameStoreId } from "../../stores/ids.ts";
import type { PaymentMethodSetup } from "../../stores/port/payment-methods.ts";
import { StoreRefusalError } from "../../stores/port.ts";
import { linkStatements, withoutGoneCustomer } from "../profiles/customers.ts";
import { findProfile, findProfilesOfCustomer, getProfile } from "../profiles/queries.ts";
import type { Profile } from "../profiles/tables.ts";
import { selectNamedMethods } from "./queries.ts";
import type { PaymentMethod } from "./tables.ts";
import { upsertPaymentMethod } from "./upsert.ts";

/** The customer who acts begins to enter a payment method in their browser. Throws FORBIDDEN, and INVALID_STATE where the store takes none so. */
export async function beginPaymentMethod(ctx: Ctx): Promise<PaymentMethodSetup> {
  const profile = await requireMayEnter(ctx);
  const begin = requireAbility(ctx.store.beginPaymentMethod);
  return begin(profile).catch(explainRefusal);
}

/** The address of a page of the store's on which the customer who acts enters a payment method. Throws as beginPaymentMethod does. */
export async function beginPaymentMethodPage(
  ctx: Ctx,
  pages: { done: string; left: string },
): Promise<string> {
  const profile = await requireMayEnter(ctx);
  const begin = requireAbility(ctx.store.beginPaymentMethodPage);
  return begin(profile, pages).catch(explainRefusal);
}

/**
 * The payment method that a profile's customer has entered, which is stored; undefined if they have not, or it was another's. `id` is that of
 * the setup, or of the store's page. Repeating it changes nothing.
 */
export function finishPaymentMethod(
  ctx: Ctx,
  profileId: string,
  id: string,
): Promise<PaymentMethod | undefined> {
  const finish = requireAbility(ctx.store.finishPaymentMethod);
  return retryOnConflict(async () => {
    const profile = await findProfile(ctx, profileId);
    if (!profile) return undefined;
    const found = await finish(profile, id).catch(explainRefusal);
    if (!found || found.status === "REVOKED") return undefined;
    const linked = await linkIfUnlinked(ctx, profile, found.store_customer_id);
    if (!linked) return undefined;
    const named = { store_payment_method_id: found.store_payment_method_id };
    const [existing] = await rows(ctx.db, selectNamedMethods(ctx, named, { profile_id: profileId }));
    const { method, writes } = upsertPaymentMethod(ctx, profileId, found, existing);
    await commit(ctx, [...linked, ...writes]).catch((error) => {
      throw isGuard(error) ? new StaleError() : error;
    });
    return method;
  }, maxTries);
}

/** The number of times that it is decided anew: the store tells of a new payment method by several webhooks at once, besides the customer's own request. */
const maxTries = 8;

/** The customer's profile. The merchant may have forbidden that they change how they pay. */
function requireMayEnter(ctx: Ctx): Promise<Profile> {
  requirePermission(ctx, "can_change_payment_method");
  return getProfile(ctx, ctx.actor.profile_id ?? "");
}

/** Throws INVALID_STATE for what the connected store cannot do. */
export function requireAbility<Ability>(ability: Ability | undefined): Ability {
  if (ability) return ability;
  throw new DomainError("INVALID_STATE", "The connected store takes no payment methods here");
}

export function explainRefusal(error: unknown): never {
  if (!(error instanceof StoreRefusalError)) throw error;
  throw new DomainError("INVALID_STATE", "The connected store refuses it");
}

/** The statements that link the profile to the customer that was made for it at the store; undefined if it is another customer's by now. */
async function linkIfUnlinked(ctx: Ctx, profile: Profile, customerId: string | null) {
  const { store_customer_id: known } = profile;
  if (customerId === null) return [];
  if (known !== null && isSameStoreId("Customer", known, customerId)) return [];
  if ((await withoutGoneCustomer(ctx, profile)).store_customer_id !== null) return undefined;
  if ((await findProfilesOfCustomer(ctx, customerId)).length > 0) return undefined;
  return linkStatements(ctx, profile, customerId);
}
