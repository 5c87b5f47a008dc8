import type { Ctx } from "../../../kit/context.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { EventRow } from "../../events/queries.ts";
import { missingFieldsOf } from "../../subscriptions/address/complete-address.ts";
import { isAddressMissing } from "../../subscriptions/lifecycle.ts";
import type { MailFacts } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";
import { factsOfSubscription, subscriptionUrl } from "./subscription.ts";

/** A delivery that waits for its address; silence once that is there, or billing waits no longer. */
export async function prepareAddressMissing(
  ctx: Ctx,
  event: EventRow,
): Promise<MailFacts["address_missing"]> {
  const prospect = await readProspect(ctx, event.loggable_id);
  const { row } = prospect.view;
  if (!isAddressMissing(row)) throw new SilenceError("outdated");
  return {
    ...factsOfSubscription(ctx, prospect),
    missing: missingFieldsOf(row),
    address_url: subscriptionUrl(ctx, row.id, "/address"),
  };
}
