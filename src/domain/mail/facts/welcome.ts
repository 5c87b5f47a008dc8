import type { Ctx } from "../../../kit/context.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { EventRow } from "../../events/queries.ts";
import type { MailFacts } from "../render/facts.ts";
import { nextDatesOf } from "./next-charge.ts";
import { SilenceError } from "./silence.ts";
import { cancellingOf, factsOfSubscription } from "./subscription.ts";

/** A new subscription; silence for one that was moved in from elsewhere, whose customer knows it, and once it is over. */
export async function prepareWelcome(ctx: Ctx, event: EventRow): Promise<MailFacts["welcome"]> {
  const prospect = await readProspect(ctx, event.loggable_id);
  const { view } = prospect;
  if (view.row.migration_source_ref !== null) throw new SilenceError("imported");
  if (view.row.status === "CANCELLED" || view.row.status === "EXPIRED") throw new SilenceError("outdated");
  return {
    ...factsOfSubscription(ctx, prospect),
    next_charge_date: nextDatesOf(prospect).charge,
    cancelling: cancellingOf(ctx, view),
  };
}
