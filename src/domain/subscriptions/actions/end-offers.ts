import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { build, columnsEqual, inJson, type Params, prepare } from "../../../base/db/statement.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { cancellationCases as cases } from "../../cancellation/tables.ts";
import type { AcceptedOffer } from "../accepted-offers.ts";
import type { Part } from "../part.ts";
import type { Subscription } from "../tables.ts";

type Leaving = { row: Subscription; acceptedOffers: AcceptedOffer[] };

/** A subscription is cancelled: its open case is closed, and an accepted offer whose outcome is open has lost. */
export function endOffers(
  { account: { seq: account_seq }, now }: Ctx,
  { row, acceptedOffers }: Leaving,
): Part {
  const lost = acceptedOffers.filter(({ outcome }) => outcome === "PENDING");
  const ids = JSON.stringify(acceptedOffers.map(({ case_id }) => case_id));
  return {
    ownEntries: lost.map(({ case_id, kind }) => ({
      action: "cancellation_lost",
      metadata: { cancellation_case_id: case_id, kind },
    })),
    writes: [
      updateOpenCase({ account_seq, subscription_id: row.id, now }),
      ...(acceptedOffers.length > 0 ? [updateUntracked({ account_seq, ids, now })] : []),
    ],
  };
}

const updateOpenCase = prepare(
  (p: Params<{ account_seq: AccountSeq; subscription_id: string; now: Instant }>) =>
    build
      .update(cases)
      .set({ status: "CONFIRMED", confirmed_at: sql`${p("now")}`, updated_at: sql`${p("now")}` })
      .where(
        and(
          columnsEqual(cases, p, "account_seq", "subscription_id"),
          eq(cases.status, "OPEN"),
          sql`${cases.expires_at} > ${p("now")}`,
        ),
      ),
);

const updateUntracked = prepare((p: Params<{ account_seq: AccountSeq; ids: string; now: Instant }>) =>
  build
    .update(cases)
    .set({
      is_tracked: 0,
      outcome: sql`CASE ${cases.outcome} WHEN 'PENDING' THEN 'LOST' ELSE ${cases.outcome} END`,
      outcome_at: sql`CASE ${cases.outcome} WHEN 'PENDING' THEN ${p("now")} ELSE ${cases.outcome_at} END`,
      updated_at: sql`${p("now")}`,
    })
    .where(and(eq(cases.account_seq, p("account_seq")), inJson(cases.id, p("ids")))),
);
