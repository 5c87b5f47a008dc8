import { and, eq, sql } from "drizzle-orm";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { cancellationCases as cases } from "../cancellation/tables.ts";
import type { AcceptedOffer } from "../subscriptions/accepted-offers.ts";
import { calculateAmounts } from "../subscriptions/lines/amounts.ts";
import { combine, type Part } from "../subscriptions/part.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { discountsOf } from "../subscriptions/row-codec.ts";
import { type ChargeSnapshot, snapshotOf } from "./snapshot.ts";
import type { BillingAttempt } from "./tables.ts";

/** A charge that was made: its amount, and whether the subscription goes on after it. */
type Made = { amount: number; goesOn: boolean };

/**
 * Counts a charge for the offers that its customer accepted instead of leaving. The charge is the proof that one has saved the subscription if
 * it began after the acceptance, at full terms, and the subscription goes on.
 */
export function countForOffers(
  ctx: Ctx,
  { row, acceptedOffers }: Pick<SubscriptionView, "row" | "acceptedOffers">,
  attempt: BillingAttempt,
  { amount, goesOn }: Made,
): Part {
  if (acceptedOffers.length === 0 || row.activation !== attempt.activation) return {};
  const paid = snapshotOf(attempt);
  const latest = acceptedOffers.at(-1);
  const ofRow = discountsOf(row);
  const counted = acceptedOffers.filter((offer) => offer.earlier_attempt_id !== attempt.id);
  return combine(
    ...counted.map((offer): Part => {
      const isReduced = [...paid.discounts, ...ofRow].some(
        ({ id, status }) => id === offer.discount_id && status === "ACTIVE",
      );
      const isSaved = offer.outcome === "PENDING" && goesOn && row.status !== "PAUSED" && !isReduced;
      const set = {
        cost: discountIn(paid, offer),
        revenue: offer === latest ? amount : 0,
        isSaved,
        isTracked: goesOn && (offer === latest || (offer.outcome === "PENDING" && !isSaved)),
      };
      const metadata = { cancellation_case_id: offer.case_id, kind: offer.kind };
      return {
        ownEntries: isSaved ? [{ action: "cancellation_saved", metadata }] : [],
        writes: [updateCase(ctx, offer, set)],
      };
    }),
  );
}

/** The amount by which a charge would have been more without the discount that was accepted: so much that has really given. */
function discountIn(paid: ChargeSnapshot, { discount_id }: AcceptedOffer): number {
  const { lines, discounts, shipping_amount, tax_amount } = paid;
  if (discount_id === null || !discounts.some(({ id }) => id === discount_id)) return 0;
  const others = discounts.filter(({ id }) => id !== discount_id);
  const totalWith = (given: typeof discounts) =>
    calculateAmounts(lines, given, shipping_amount, tax_amount).total;
  return totalWith(others) - totalWith(discounts);
}

type Counted = { cost: number; revenue: number; isSaved: boolean; isTracked: boolean };

function updateCase(
  { account, now }: Ctx,
  { case_id }: AcceptedOffer,
  { cost, revenue, isSaved, isTracked }: Counted,
): Statement {
  return statement(
    build
      .update(cases)
      .set({
        cost: sql`${cases.cost} + ${cost}`,
        revenue_after: sql`${cases.revenue_after} + ${revenue}`,
        ...(isSaved ? { outcome: "SAVED", outcome_at: now } : {}),
        is_tracked: isTracked ? 1 : 0,
        updated_at: now,
      })
      .where(and(eq(cases.account_seq, account.seq), eq(cases.id, case_id))),
  );
}
