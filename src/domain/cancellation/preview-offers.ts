import type { z } from "@hono/zod-openapi";
import { sideBySide } from "../../base/db/wrapped/side-by-side.ts";
import { DomainError } from "../../base/errors.ts";
import { toMajor } from "../../base/lib/money.ts";
import { frequencyLabel } from "../../base/lib/time/intervals.ts";
import { type Ctx, rehearse } from "../../kit/context.ts";
import { afterPause } from "../billing/upcoming/prospect.ts";
import { projectDeliveries } from "../billing/upcoming/upcoming.ts";
import type { Prospect } from "../billing/upcoming/upcoming-steps.ts";
import { companionOf } from "../subscriptions/actions/change-subscription.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import type { OfferPreview } from "./case-schemas.ts";
import { type FrozenOffer, lineToSwap, type Offer } from "./offers.ts";
import { refused, requireFitting, type TakenOffer, takeOffer } from "./take-offer.ts";

type Foreseen = Prospect & { view: SubscriptionView };
type Preview = z.output<typeof OfferPreview>;

/**
 * The first of these offers that the subscription's state allows, so many at most, each with what it would do by its own dry run. They are tried a
 * few at a time, as most of them are possible.
 */
export async function previewOffers(
  ctx: Ctx,
  prospect: Foreseen,
  { offers, showAtMost }: { offers: Offer[]; showAtMost: number },
): Promise<FrozenOffer[]> {
  if (offers.length === 0 || showAtMost === 0) return [];
  const [tried, rest] = [offers.slice(0, showAtMost), offers.slice(showAtMost)];
  const works = tried.map((offer) => (db: Ctx["db"]) => previewOffer({ ...ctx, db }, prospect, offer));
  const possible = (await sideBySide(ctx.db, works)).filter((offer) => offer !== undefined);
  const more = { offers: rest, showAtMost: showAtMost - possible.length };
  return [...possible, ...(await previewOffers(ctx, prospect, more))];
}

async function previewOffer(ctx: Ctx, prospect: Foreseen, offer: Offer): Promise<FrozenOffer | undefined> {
  const { id, kind, label, text, terms } = offer;
  const line_id = lineToSwap(prospect.view.row, offer)?.id ?? null;
  const frozen = { id, label, text, line_id };
  if (kind !== "FREQUENCY") {
    const after = await tryOffer(ctx, prospect, { ...offer, line_id });
    return after && ({ ...frozen, kind, terms, preview: compare(prospect, after, kind) } as FrozenOffer);
  }
  const tried = await sideBySide(
    ctx.db,
    terms.options.map((choice) => async (db: Ctx["db"]) => {
      return { choice, after: await tryOffer({ ...ctx, db }, prospect, { ...offer, choice, line_id }) };
    }),
  );
  const possible = tried.filter(({ after }) => after !== undefined);
  const [first] = possible;
  if (!first?.after) return undefined;
  const options = possible.map(({ choice }) => choice);
  return { ...frozen, kind, terms: { options }, preview: compare(prospect, first.after, kind) };
}

/**
 * The subscription as the offer would leave it; undefined where the offer is refused, or would change nothing. A case has the offers that the
 * customer is made, so that the bounds of a member of staff who opens it count when they accept one.
 */
async function tryOffer(
  ctx: Ctx,
  { view: { row } }: Foreseen,
  offer: TakenOffer,
): Promise<SubscriptionView | undefined> {
  const companion = companionOf({}, (view, _, decision) => {
    requireFitting(ctx, view.row, offer);
    if (!decision) throw refused(view.row, "it would change nothing");
    return {};
  });
  const { role: _, standIn: _1, ...actor } = ctx.actor;
  try {
    return await takeOffer(rehearse({ ...ctx, actor }), { id: row.id, companion }, offer);
  } catch (error) {
    if (error instanceof DomainError && error.code !== "UNAVAILABLE") return undefined;
    throw error;
  }
}

function compare(prospect: Foreseen, after: SubscriptionView, kind: Offer["kind"]): Preview {
  const [chargeBefore, chargeAfter] = [
    nextCharge(prospect),
    nextCharge(kind === "PAUSE" ? afterPause(prospect, after) : { ...prospect, view: after }),
  ];
  const { currency_code } = after.row;
  const saved = chargeBefore && chargeAfter ? chargeBefore.amount - chargeAfter.amount : 0;
  const chargeOf = (charge: Charge | undefined) =>
    charge ? { date: charge.date, amount: toMajor(charge.amount, currency_code) } : null;
  return {
    before: stateOf(prospect.view),
    after: stateOf(after),
    next_charge_before: chargeOf(chargeBefore),
    next_charge_after: chargeOf(chargeAfter),
    saves: saved > 0 ? toMajor(saved, currency_code) : null,
  };
}

function stateOf({ row }: SubscriptionView): Preview["before"] {
  const { status, next_billing_date, next_delivery_date, total, currency_code } = row;
  return {
    status,
    next_billing_date,
    next_delivery_date,
    total: toMajor(total, currency_code),
    frequency_label: frequencyLabel({ unit: row.billing_interval, count: row.billing_interval_count }),
  };
}

type Charge = { date: string; amount: number };

/** Deliveries that are projected at most; all of them can be paid for. */
const projected = 400;

function nextCharge(prospect: Prospect): Charge | undefined {
  const charge = projectDeliveries(prospect)
    .take(projected)
    .find(({ isBilled }) => isBilled);
  return charge && { date: charge.billing, amount: charge.amounts.total };
}
