import type { Ctx } from "../../../kit/context.ts";
import type { EventRow } from "../../events/queries.ts";
import { getSubscription } from "../../subscriptions/queries.ts";
import type { MailFacts } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";
import { cancellingOf, factsOfSubscription } from "./subscription.ts";

/** A new subscription; silence for one that was moved in from elsewhere, whose customer knows it, and once it is over. */
export async function prepareWelcome(ctx: Ctx, event: EventRow): Promise<MailFacts["welcome"]> {
  const view = await getSubscription(ctx, event.loggable_id);
  if (view.row.migration_source_ref !== null) throw new SilenceError("imported");
  if (view.row.status === "CANCELLED" || view.row.status === "EXPIRED") throw new SilenceError("outdated");
  return {
    ...factsOfSubscription(ctx, view),
    next_charge_date: view.row.next_billing_date,
    cancelling: cancellingOf(ctx, view),
  };
}
