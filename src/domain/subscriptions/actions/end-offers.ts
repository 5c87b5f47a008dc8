import { and, eq, sql } from "drizzle-orm";
import type { Statement } from "../../../base/db/port.ts";
import { build, inJson, statement } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { cancellationCases as cases } from "../../cancellation/tables.ts";
import type { AcceptedOffer } from "../accepted-offers.ts";
import type { Part } from "../part.ts";
import type { Subscription } from "../tables.ts";

type Leaving = { row: Subscription; acceptedOffers: AcceptedOffer[] };

/** A subscription is cancelled: its open case is closed, and an accepted offer whose outcome is open has lost. */
export function endOffers(ctx: Ctx, { row, acceptedOffers }: Leaving): Part {
  const lost = acceptedOffers.filter(({ outcome }) => outcome === "PENDING");
  return {
    ownEntries: lost.map(({ case_id, kind }) => ({
      action: "cancellation_lost",
      metadata: { cancellation_case_id: case_id, kind },
    })),
    writes: [
      closeOpenCase(ctx, row),
      ...(acceptedOffers.length > 0 ? [stopTracking(ctx, acceptedOffers)] : []),
    ],
  };
}

function closeOpenCase({ account, now }: Ctx, { id }: Subscription): Statement {
  return statement(
    build
      .update(cases)
      .set({ status: "CONFIRMED", confirmed_at: now, updated_at: now })
      .where(
        and(
          eq(cases.account_seq, account.seq),
          eq(cases.subscription_id, id),
          eq(cases.status, "OPEN"),
          sql`${cases.expires_at} > ${now}`,
        ),
      ),
  );
}

function stopTracking({ account, now }: Ctx, offers: AcceptedOffer[]): Statement {
  const ids = JSON.stringify(offers.map(({ case_id }) => case_id));
  return statement(
    build
      .update(cases)
      .set({
        is_tracked: 0,
        outcome: sql`CASE ${cases.outcome} WHEN 'PENDING' THEN 'LOST' ELSE ${cases.outcome} END`,
        outcome_at: sql`CASE ${cases.outcome} WHEN 'PENDING' THEN ${now} ELSE ${cases.outcome_at} END`,
        updated_at: now,
      })
      .where(and(eq(cases.account_seq, account.seq), inJson(cases.id, ids))),
  );
}
