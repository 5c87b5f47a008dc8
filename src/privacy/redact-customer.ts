import type { Ctx } from "../context.ts";
import { rows } from "../db/statement.ts";
import type { Outcome } from "../job.ts";
import { deleteProfile } from "../profiles/actions.ts";
import { cancelSubscription } from "../subscriptions/actions/cancel.ts";
import { stopDeliveries } from "../subscriptions/actions/stop-deliveries.ts";
import { erasePersonalData } from "./erase-personal-data.ts";
import { allProfilesOf } from "./profiles-of-customer.ts";

const pageSize = 100;

/** Nothing is sent to a customer who is to be forgotten, whatever is paid for. */
const stopping = (ctx: Ctx): Ctx => ({ ...ctx, account: { ...ctx.account, prepaid_on_end: "stop" } });

const cancelLiving = async (ctx: Ctx, profileId: string): Promise<void> => {
  const living = await rows<{ id: string; status: string }>(ctx.db, {
    sql: `SELECT id, status FROM subscriptions WHERE account_id = ? AND profile_id = ?
      AND (status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED') OR status = 'CANCELLED' AND next_delivery_date IS NOT NULL)
      ORDER BY created_at, id LIMIT ?`,
    params: [ctx.account.id, profileId, pageSize],
  });
  for (const { id, status } of living)
    if (status === "CANCELLED") await stopDeliveries(ctx, id);
    else await cancelSubscription(stopping(ctx), id, false, {});
  if (living.length === pageSize) await cancelLiving(ctx, profileId);
};

/**
 * Erases what is kept of a customer. First nothing more is charged nor delivered, then the profile is deleted, so that nothing can be
 * added to it, then its data goes, the store's id last: till then it is found again, so what was cut off goes on.
 */
export const redactCustomer = async (ctx: Ctx, customerId: string): Promise<Outcome> => {
  const profiles = await allProfilesOf(ctx, customerId);
  for (const { id, deleted_at } of profiles) {
    await cancelLiving(ctx, id);
    if (deleted_at === null) await deleteProfile(ctx, id);
    await erasePersonalData(ctx, id);
  }
  ctx.log("customer_redacted", {
    account_id: ctx.account.id,
    store_customer_id: customerId,
    profile_ids: profiles.map(({ id }) => id),
  });
  return "done";
};
