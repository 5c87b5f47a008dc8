import type { Ctx } from "../context.ts";
import type { Outcome } from "../job.ts";
import { allProfilesOf } from "./profiles-of-customer.ts";

/** A customer has asked the merchant for what is kept of them: told in the log, by ids (docs/operations.md). */
export const reportDataRequest = async (ctx: Ctx, customerId: string): Promise<Outcome> => {
  const profiles = await allProfilesOf(ctx, customerId);
  ctx.log("customer_data_request", {
    alert: true,
    account_id: ctx.account.id,
    store_customer_id: customerId,
    profile_ids: profiles.map(({ id }) => id),
  });
  return "done";
};
