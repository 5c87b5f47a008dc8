import { type OfferedFrequency, portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import { DomainError } from "../../base/errors.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import type { Ctx } from "../../kit/context.ts";
import { todayOf } from "../../kit/days.ts";
import { changeFrequency } from "../subscriptions/actions/change.ts";
import type { Command } from "../subscriptions/actions/change-subscription.ts";
import { applyDiscount } from "../subscriptions/actions/discounts.ts";
import { changeLine } from "../subscriptions/actions/lines.ts";
import { pauseSubscription } from "../subscriptions/actions/pause.ts";
import { skipDeliveries } from "../subscriptions/actions/skip.ts";
import { deliveriesOwed } from "../subscriptions/dates/index.ts";
import { changeOfLines } from "../subscriptions/lines/line-choices.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { lineToSwap, type Offer, type Terms, textIn } from "./offers.ts";

/** An offer, and what of it was chosen. */
export type TakenOffer = Pick<Offer, "label"> & Terms & { choice?: OfferedFrequency; line_id: string | null };

/** Has the action behind an offer do what it offers. Each refuses as it does for anybody, but for reasons and frequencies, which are the offer's. */
export function takeOffer(ctx: Ctx, command: Command, offer: TakenOffer): Promise<SubscriptionView> {
  switch (offer.kind) {
    case "PAUSE": {
      const pause_until = addDays(todayOf(ctx), offer.terms.max_days);
      return pauseSubscription(ctx, { ...command, request: { pause_until } });
    }
    case "SKIP":
      return skipDeliveries(ctx, { ...command, request: { count: offer.terms.deliveries } });
    case "DISCOUNT": {
      const { cycles: recurring_cycle_limit, ...reduction } = offer.terms;
      const title = textIn(offer.label, portalSettingsOf(ctx.account).default_locale);
      const request = { title, ...reduction, target_type: "ORDER", recurring_cycle_limit } as const;
      return applyDiscount(ctx, { ...command, request });
    }
    case "FREQUENCY":
      return changeFrequency(ctx, { ...command, request: offer.choice ?? offer.terms.options[0]! });
    case "SWAP": {
      const { price, variant_title = null, ...product } = offer.terms.to;
      const none = { sku: null, subscription_variant_id: null, selection_items: null };
      const priced = price === undefined || price === null ? {} : { price };
      const request = { ...product, variant_title, ...none, ...priced };
      return changeLine(ctx, { ...command, lineId: offer.line_id ?? "", request, isOffer: true });
    }
  }
}

/**
 * Refuses an offer that a subscription cannot have: a pause during one, amounts of another currency than the account's, a line that is gone, and for customers
 * another product while deliveries of the first are paid for.
 */
export function requireFitting(ctx: Ctx, row: Subscription, offer: TakenOffer): void {
  const isPriced =
    offer.kind === "DISCOUNT" || (offer.kind === "SWAP" && typeof offer.terms.to.price === "number");
  if (isPriced && row.currency_code !== ctx.account.currency_code)
    throw refused(row, `the offer's amounts are in ${ctx.account.currency_code}`);
  if (offer.kind === "PAUSE" && row.status === "PAUSED") throw refused(row, "it has a pause");
  if (offer.kind !== "SWAP") return;
  if (lineToSwap(row, offer)?.id !== offer.line_id) throw refused(row, "it no longer has the product");
  if (ctx.actor.type === "customer" && deliveriesOwed(row) > 0)
    throw refused(row, `it has deliveries that are paid for, so nobody can ${changeOfLines}`);
}

export function refused({ status }: Pick<Subscription, "status">, why: string): DomainError {
  return new DomainError(
    "INVALID_STATE",
    `Cannot accept the offer: the subscription is ${status}, and ${why}`,
  );
}
