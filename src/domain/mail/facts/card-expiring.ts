import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { findExpiring } from "../../billing/due/expiring-methods.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { EventRow } from "../../events/queries.ts";
import type { Profile } from "../../profiles/tables.ts";
import type { MailFacts } from "../render/facts.ts";
import { nextChargeOf } from "./next-charge.ts";
import { SilenceError } from "./silence.ts";
import { factsOfSubscription, portalPage, subscriptionUrl } from "./subscription.ts";

type Facts = MailFacts["card_expiring"];

/** A card that is about to expire; silence once another pays instead, it was renewed or taken away, or its time is over. */
export async function prepareCardExpiring(
  ctx: Ctx,
  event: EventRow,
  { first_name }: Profile,
): Promise<Facts> {
  const { payment_method_id: id, expires_on } = parseStored(event.metadata) ?? {};
  const found = await findExpiring(ctx, String(id), String(expires_on));
  const [first, ...others] = found;
  if (!first) throw new SilenceError("outdated");
  return {
    first_name,
    timezone: ctx.account.timezone,
    card: { brand: first.brand, last4: first.last4 },
    expires_on: String(expires_on),
    subscriptions: await Promise.all(found.map(({ subscription_id }) => prepareOne(ctx, subscription_id))),
    card_url:
      others.length === 0 ? subscriptionUrl(ctx, first.subscription_id, "/payment-method") : portalPage(ctx),
  };
}

async function prepareOne(ctx: Ctx, id: string): Promise<Facts["subscriptions"][number]> {
  const prospect = await readProspect(ctx, id);
  const { view } = prospect;
  const { number, lines, currency_code } = factsOfSubscription(ctx, prospect);
  const charge = nextChargeOf(prospect);
  const isAhead = charge !== undefined && charge.billing >= view.today;
  return {
    number,
    lines,
    next_charge: isAhead ? { date: charge.billing, amount: charge.amounts.total, currency_code } : null,
  };
}
