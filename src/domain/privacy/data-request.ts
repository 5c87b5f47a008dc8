import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId } from "../../stores/ids.ts";
import { findAllProfiles } from "./profiles-of-customer.ts";

/** Logs, by ids, that a customer has asked the merchant for the customer's data. */
export async function reportDataRequest(ctx: Ctx, customerId: string): Promise<JobOutcome> {
  const profiles = await findAllProfiles(ctx, customerId);
  ctx.log("customer_data_request", {
    alert: true,
    account_id: ctx.account.id,
    store_customer_id: plainId("Customer", customerId),
    profile_ids: profiles.map(({ id }) => id),
  });
  return "done";
}
