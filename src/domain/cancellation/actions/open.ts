import type { z } from "@hono/zod-openapi";
import { and, eq } from "drizzle-orm";
import { requirePermission } from "../../../base/accounts/portal-settings.ts";
import { retryOnConflict } from "../../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../../base/db/row-writes.ts";
import { build, first, readNamed, statement } from "../../../base/db/statement.ts";
import { sideBySide } from "../../../base/db/wrapped/side-by-side.ts";
import { dateIn, later } from "../../../base/lib/time/dates.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import { type Ctx, keepCreated } from "../../../kit/context.ts";
import { createRecord } from "../../../kit/journal/write.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import { requireReason, selectNamedReason } from "../../reasons/queries.ts";
import type { Reason } from "../../reasons/tables.ts";
import { requireMinimum } from "../../subscriptions/actions/cancel.ts";
import { type CommandWith, subjectOf } from "../../subscriptions/actions/change-subscription.ts";
import { requireAllowed } from "../../subscriptions/lifecycle.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { CaseOpen } from "../case-schemas.ts";
import { statusAt } from "../cases.ts";
import { selectNewestFlow } from "../flow-queries.ts";
import { contentsOf, type FrozenOffer, isMeantFor, leavingOf, type Offer, offersOf } from "../offers.ts";
import { previewOffers } from "../preview-offers.ts";
import { selectAcceptedCount, selectOpenCase } from "../queries.ts";
import { type CancellationCase, type CancellationFlow, cancellationCases as cases } from "../tables.ts";

const openForMs = 24 * hourMs;

type Request = z.output<typeof CaseOpen>;

/**
 * Opens a case for somebody who is about to cancel, with the offers that they can have; a case that is open already is answered as it is, unless
 * its offers are for other contents than there are now. Throws INVALID_STATE where the subscription cannot be cancelled, or not yet.
 */
export function openCancellation(
  ctx: Ctx,
  { id, request }: CommandWith<Request>,
): Promise<{ opened: CancellationCase; isNew: boolean }> {
  requirePermission(ctx, "can_cancel");
  return retryOnConflict(async () => {
    const { prospect, flow, known, reason } = await readLeaving(ctx, id, request);
    const { row } = prospect.view;
    requireAllowed("cancel", row);
    requireMinimum(ctx, row);
    if (known && isCurrent(ctx, known, row)) return { opened: known, isNew: false };
    const meant = meantOffers(row, flow, reason?.id ?? null);
    const offers = await offersFor(ctx, prospect, { flow, meant, showAtMost: flow?.show_at_most ?? 0 });
    const opened = newCase(ctx, row, { request, reason, flow, offers });
    keepCreated(ctx, { leavingCase: opened.id });
    await createRecord(
      ctx,
      [entryOf(row, opened, offers)],
      [...(known ? [updateFormer(ctx, known)] : []), insertRow(cases, opened)],
    );
    return { opened, isNew: true };
  });
}

/** Whether a case is open, and its offers are for what the subscription contains. One without offers has nothing that could be for less. */
export function isCurrent({ now }: Ctx, known: CancellationCase, row: Subscription): boolean {
  const isFor = known.contents === contentsOf(row) || known.offers === "[]";
  return statusAt(known, now) === "OPEN" && isFor;
}

/** In one trip the subscription with what its next charges depend on, the flow, the open case, and the reason that the request names. */
export async function readLeaving(ctx: Ctx, id: string, { cancellation_reason_id }: Request) {
  const [prospect, { flow, known, reasons }] = await sideBySide(ctx.db, [
    (db) => readProspect({ ...ctx, db }, id),
    (db) =>
      readNamed(db, {
        flow: selectNewestFlow(ctx),
        known: selectOpenCase(ctx, id),
        reasons: selectNamedReason(ctx, "cancellation", cancellation_reason_id),
      }),
  ] as const);
  const reason = requireReason("cancellation", cancellation_reason_id, reasons);
  return { prospect, flow: flow[0], known: known[0], reason };
}

type Foreseen = Awaited<ReturnType<typeof readProspect>>;
type Why = { flow: CancellationFlow | undefined; reason: Reason | undefined };

/** The offers of a flow that are meant for a subscription that is left for this reason. */
export function meantOffers(row: Subscription, flow: Why["flow"], reasonId: string | null): Offer[] {
  if (flow?.is_enabled !== 1) return [];
  const leaving = leavingOf(row, reasonId);
  return offersOf(flow).filter((offer) => isMeantFor(offer, leaving));
}

type Meant = Pick<Why, "flow"> & { meant: Offer[]; showAtMost: number };

/** Those of the offers that the subscription's state and the offers accepted before allow, so many at most. */
export async function offersFor(
  ctx: Ctx,
  prospect: Foreseen,
  { flow, meant: offers, showAtMost }: Meant,
): Promise<FrozenOffer[]> {
  if (!flow || offers.length === 0) return [];
  const [accepted, possible] = await sideBySide(ctx.db, [
    (db) => first(db, selectAcceptedCount(ctx, prospect.view.row.id, flow)),
    (db) => previewOffers({ ...ctx, db }, prospect, { offers, showAtMost }),
  ] as const);
  return (accepted?.n ?? 0) < flow.max_accepted ? possible : [];
}

type Opening = Why & { request: Request; offers: FrozenOffer[] };

function newCase(ctx: Ctx, row: Subscription, { request, reason, flow, offers }: Opening): CancellationCase {
  return {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    subscription_id: row.id,
    profile_id: row.profile_id,
    activation: row.activation,
    flow_version: flow?.version ?? null,
    status: "OPEN",
    cancellation_reason_id: reason?.id ?? null,
    cancellation_reason_label: reason?.label ?? null,
    note: request.note || null,
    offers: JSON.stringify(offers),
    contents: contentsOf(row),
    currency_code: row.currency_code,
    opened_date: dateIn(ctx.now, ctx.account.timezone),
    expires_at: later(ctx.now, openForMs),
    ...{ accepted_offer_id: null, accepted_kind: null, accepted_at: null },
    ...{ discount_id: null, earlier_attempt_id: null, confirmed_at: null },
    ...{ outcome: null, outcome_at: null, is_tracked: 0, cost: 0, revenue_after: 0 },
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

/** The entry is about the subscription, which stays as it is: should it change meanwhile, nothing is written. */
function entryOf(row: Subscription, { id, ...opened }: CancellationCase, offers: FrozenOffer[]) {
  const { cancellation_reason_id, cancellation_reason_label: label } = opened;
  return {
    action: "cancellation_started",
    subject: subjectOf(row),
    metadata: {
      cancellation_case_id: id,
      ...(cancellation_reason_id ? { cancellation_reason: { id: cancellation_reason_id, label } } : {}),
      offers: offers.map((offer) => ({ id: offer.id, kind: offer.kind })),
    },
  } as const;
}

/** One of a subscription's cases is OPEN: one that has expired, or whose offers no longer hold, makes room. */
function updateFormer({ account, now }: Ctx, { id }: CancellationCase) {
  return statement(
    build
      .update(cases)
      .set({ status: "EXPIRED", updated_at: now })
      .where(and(eq(cases.account_seq, account.seq), eq(cases.id, id), eq(cases.status, "OPEN"))),
  );
}
