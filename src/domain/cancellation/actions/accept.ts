import type { z } from "@hono/zod-openapi";
import { and, eq, ne } from "drizzle-orm";
import { requirePermission } from "../../../base/accounts/portal-settings.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import { build, first, statement } from "../../../base/db/statement.ts";
import { type ErrorDetail, invalid, notFound } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import {
  type CommandWith,
  type Companion,
  companionOf,
} from "../../subscriptions/actions/change-subscription.ts";
import type { Part } from "../../subscriptions/part.ts";
import { getSubscriptionAnd, type SubscriptionView } from "../../subscriptions/queries.ts";
import type { CaseAccept } from "../case-schemas.ts";
import { requireOpenCase } from "../cases.ts";
import { selectFlowOfVersion } from "../flow-queries.ts";
import { contentsOf, type FrozenOffer, frozenOffersOf } from "../offers.ts";
import { guardCooldown, guardOpen, selectAcceptedCount, selectCase } from "../queries.ts";
import { type CancellationCase, type CancellationFlow, cancellationCases as cases } from "../tables.ts";
import { refused, requireFitting, type TakenOffer, takeOffer } from "../take-offer.ts";

type Request = z.output<typeof CaseAccept>;
type OfCase = { caseId: string };

/**
 * Accepts an offer of an open case: the action behind it runs, and its batch also closes the case, so that there is no effect without its
 * acceptance and none twice. Throws INVALID_STATE where the case is not open, the action is not possible any more, or as many offers were accepted
 * within the cooldown as the flow allows.
 */
export async function acceptOffer(
  ctx: Ctx,
  { id, caseId, request }: CommandWith<Request> & OfCase,
): Promise<SubscriptionView> {
  requirePermission(ctx, "can_cancel");
  const [{ row }, { found }] = await getSubscriptionAnd(ctx, id, { found: selectCase(ctx, id, caseId) });
  const [known] = found;
  if (!known) throw notFound("Case");
  const offer = chosenOffer(known, request);
  requireOpenCase("accept an offer", known, ctx.now);
  const flow = await first(ctx.db, selectFlowOfVersion(ctx, known.flow_version ?? 0));
  if (!flow) throw refused(row, "its flow is gone");
  return takeOffer(ctx, { id, companion: acceptance(ctx, { known, offer, flow }) }, offer);
}

/** The offer that a request names, with its choice where it has one to make. Throws VALIDATION_FAILED. */
function chosenOffer(known: CancellationCase, { offer_id, choice }: Request): TakenOffer & FrozenOffer {
  const offer = frozenOffersOf(known).find(({ id }) => id === offer_id);
  if (!offer) throw fault("offer_id", "must be the id of an offer of the case");
  if (offer.kind !== "FREQUENCY") {
    if (choice) throw fault("choice", `must be absent: an offer of kind ${offer.kind} has nothing to choose`);
    return offer;
  }
  const { options } = offer.terms;
  const [only, ...others] = options;
  if (!choice) {
    if (!only || others.length > 0) throw fault("choice", "is required: the offer has several options");
    return { ...offer, choice: only };
  }
  const isOption = options.some(
    ({ interval, interval_count }) =>
      interval === choice.interval && interval_count === choice.interval_count,
  );
  if (!isOption) throw fault("choice", "must be one of the offer's options");
  return { ...offer, choice };
}

function fault(path: ErrorDetail["path"], message: string) {
  return invalid([{ path, message }]);
}

type Acceptance = { known: CancellationCase; offer: TakenOffer & FrozenOffer; flow: CancellationFlow };

/** Closes the case in the batch of the effect, guarded by its being open and by the cooldown. */
function acceptance(ctx: Ctx, { known: { id, subscription_id }, offer, flow }: Acceptance): Companion {
  const alongside = {
    leavingCase: selectCase(ctx, subscription_id, id),
    acceptedBefore: selectAcceptedCount(ctx, subscription_id, flow),
  };
  return companionOf(
    alongside,
    ({ row }, { leavingCase: [found], acceptedBefore: [before] }, decision): Part => {
      if (!found) throw notFound("Case");
      requireOpenCase("accept an offer", found, ctx.now);
      if ((before?.n ?? 0) >= flow.max_accepted) throw refused(row, coolingDown(flow));
      requireFitting(ctx, row, offer);
      if (found.contents !== contentsOf(row))
        throw refused(row, "its contents are not those that were shown");
      if (!decision) throw refused(row, "it would change nothing");
      const accepted = {
        status: "ACCEPTED",
        accepted_offer_id: offer.id,
        accepted_kind: offer.kind,
        accepted_at: ctx.now,
        discount_id: discountIn(decision),
        earlier_attempt_id: row.open_attempt_id,
        outcome: "PENDING",
        is_tracked: 1,
        updated_at: ctx.now,
      } as const;
      const metadata = {
        cancellation_case_id: id,
        offer: { id: offer.id, kind: offer.kind, ...(offer.choice ? { choice: offer.choice } : {}) },
      };
      return {
        ownEntries: [{ action: "cancellation_offer_accepted", metadata }],
        writes: [
          guardOpen(ctx, id),
          guardCooldown(ctx, subscription_id, flow),
          updateEarlier(ctx, subscription_id),
          updateRow(cases, { account_seq: ctx.account.seq, id }, accepted),
        ],
      };
    },
  );
}

/** The discount that the action has applied, which its entry names. */
function discountIn({ entry }: Part<unknown>): string | null {
  return entry?.action === "discount_applied" ? String(entry.metadata?.discount_id) : null;
}

function coolingDown({ max_accepted, cooldown_days }: CancellationFlow): string {
  const offers = max_accepted === 1 ? "an offer was" : `${max_accepted} offers were`;
  return `${offers} accepted within the last ${cooldown_days} days`;
}

/** Charges count for the latest offer alone; for an earlier one only until its outcome is known. */
function updateEarlier({ account }: Ctx, subscription_id: string) {
  return statement(
    build
      .update(cases)
      .set({ is_tracked: 0 })
      .where(
        and(
          eq(cases.account_seq, account.seq),
          eq(cases.subscription_id, subscription_id),
          eq(cases.is_tracked, 1),
          ne(cases.outcome, "PENDING"),
        ),
      ),
  );
}
