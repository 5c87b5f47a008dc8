import type { Ctx } from "../../../kit/context.ts";
import { cyclesAgreed, isAllowed } from "../../subscriptions/lifecycle.ts";
import { type FrozenOffer, frozenOffersOf, offersOf } from "../offers.ts";
import { isCurrent, meantOffers, offersFor, readLeaving } from "./open.ts";

/** The offers for each reason, by its id; those for none by null. */
type OffersByReason = Map<string | null, FrozenOffer[]>;

/**
 * The offers that opening a case would make for no reason and for each of these, without opening one. While a case is open, all have its offers.
 * Throws NOT_FOUND.
 */
export async function foreseeOffers(ctx: Ctx, id: string, reasonIds: string[]): Promise<OffersByReason> {
  const { prospect, flow, known } = await readLeaving(ctx, id, {});
  const { row } = prospect.view;
  const reasons = [null, ...reasonIds];
  if (!isAllowed("cancel", row) || cyclesAgreed(row, ctx.actor.type) > 0) return new Map();
  if (known && isCurrent(ctx, known, row)) {
    const offers = frozenOffersOf(known);
    return new Map(reasons.map((reasonId) => [reasonId, offers]));
  }
  const idsOf = new Map(
    reasons.map((reasonId) => [reasonId, new Set(meantOffers(row, flow, reasonId).map((offer) => offer.id))]),
  );
  const meant = (flow ? offersOf(flow) : []).filter(({ id }) =>
    [...idsOf.values()].some((ids) => ids.has(id)),
  );
  const possible = await offersFor(ctx, prospect, { flow, meant, showAtMost: meant.length });
  return new Map(
    [...idsOf].map(([reasonId, ids]) => [
      reasonId,
      possible.filter((offer) => ids.has(offer.id)).slice(0, flow?.show_at_most),
    ]),
  );
}
