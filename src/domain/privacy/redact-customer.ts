import { and, asc, eq, inArray, isNotNull, or } from "drizzle-orm";
import { build, rows, statement } from "../../base/db/statement.ts";
import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { onItsOwn } from "../../kit/on-its-own.ts";
import { plainId } from "../../stores/ids.ts";
import { eraseCustomerOfUnsupported } from "../contracts/unsupported.ts";
import { removeProfile } from "../profiles/actions.ts";
import type { Profile } from "../profiles/tables.ts";
import { cancelSubscription } from "../subscriptions/actions/cancel.ts";
import { stopDeliveries } from "../subscriptions/actions/stop-deliveries.ts";
import { type Subscription, subscriptions } from "../subscriptions/tables.ts";
import { erasePersonalData } from "./erase-personal-data.ts";
import { findAllProfiles } from "./profiles-of-customer.ts";

/**
 * Erases a customer. The subscriptions end first, so that nothing more is charged or delivered; then the profile is deleted, so
 * that nothing can be added to it; then its data is erased. The store's customer id is erased last: until then a repetition
 * finds the profile again, and continues where this was interrupted.
 */
export async function redactCustomer(ctx: Ctx, customerId: string): Promise<JobOutcome> {
  const profiles = await findAllProfiles(ctx, customerId);
  for (const profile of profiles) await redactProfile(ctx, profile);
  await eraseCustomerOfUnsupported(ctx, customerId);
  ctx.log("customer_redacted", {
    account_id: ctx.account.id,
    store_customer_id: plainId("Customer", customerId),
    profile_ids: profiles.map(({ id }) => id),
  });
  return "done";
}

/**
 * Erases a profile; a customer of the store may have several. A record that cannot be ended or erased keeps none of the others; it is thrown
 * in the end, so that all of it is tried again.
 */
export async function redactProfile(
  ctx: Ctx,
  { id, deleted_at }: Pick<Profile, "id" | "deleted_at">,
): Promise<void> {
  const areEnded = await endSubscriptions(ctx, id);
  if (deleted_at === null && areEnded) await removeProfile(ctx, id);
  const isErased = await erasePersonalData(ctx, id);
  if (!areEnded || !isErased) throw new Error("Some records of a customer could not be erased");
}

const pageSize = 100;

/** Ends what is active of a profile; false where some of it cannot be ended. */
async function endSubscriptions(ctx: Ctx, profileId: string): Promise<boolean> {
  const active = await rows(ctx.db, activeSubscriptions(ctx, profileId));
  let ended = 0;
  for (const subscription of active) {
    const names = { task: "erase_customer", subscription_id: subscription.id };
    if (await onItsOwn(ctx, names, () => endOne(ctx, subscription))) ended++;
  }
  if (ended < active.length) return false;
  return active.length < pageSize || endSubscriptions(ctx, profileId);
}

async function endOne(ctx: Ctx, { id, status }: Pick<Subscription, "id" | "status">): Promise<true> {
  if (status === "CANCELLED") await stopDeliveries(ctx, id);
  else await cancelSubscription(withoutPrepaidDeliveries(ctx), { id, request: {} });
  return true;
}

/** A cancelled subscription is active as long as prepaid deliveries remain. */
function activeSubscriptions({ account }: Ctx, profileId: string) {
  const { id, status, created_at, next_delivery_date } = subscriptions;
  return statement(
    build
      .select({ id, status })
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.account_seq, account.seq),
          eq(subscriptions.profile_id, profileId),
          or(
            inArray(status, ["ACTIVE", "PAUSED", "PAYMENT_FAILED"]),
            and(eq(status, "CANCELLED"), isNotNull(next_delivery_date)),
          ),
        ),
      )
      .orderBy(asc(created_at), asc(id))
      .limit(pageSize),
  );
}

/** Nothing is sent to a customer whose data is erased, even if it has been paid for. */
function withoutPrepaidDeliveries(ctx: Ctx): Ctx {
  return { ...ctx, account: { ...ctx.account, prepaid_on_end: "stop" } };
}
