import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { EventRow } from "../../events/queries.ts";
import type { MailFacts } from "../render/facts.ts";
import { lastMomentBefore, nextChargeOf } from "./next-charge.ts";
import { SilenceError } from "./silence.ts";
import { cancellingOf, cardOf, factsOfSubscription } from "./subscription.ts";

/** The charge that a reminder is about, as billing itself projects it; silence once it was made, moved, skipped or called off. */
export async function prepareUpcomingCharge(
  ctx: Ctx,
  event: EventRow,
): Promise<MailFacts["upcoming_charge"]> {
  const date = parseStored(event.metadata)?.billing_date;
  const prospect = await readProspect(ctx, event.loggable_id);
  const { view } = prospect;
  const charge = nextChargeOf(prospect);
  if (!charge || charge.billing !== date || charge.billing <= view.today) throw new SilenceError("outdated");
  return {
    ...factsOfSubscription(ctx, prospect),
    amount: charge.amounts.total,
    charge_date: charge.billing,
    change_until: lastMomentBefore(ctx, charge.billing),
    cancelling: cancellingOf(ctx, view),
    card: cardOf(view.method),
  };
}
