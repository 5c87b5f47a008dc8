import { and, eq } from "drizzle-orm";
import { commit } from "../../../base/db/commit.ts";
import { build, type RowsBy, statement } from "../../../base/db/statement.ts";
import type { JobOutcome } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import { challengeExpired, confirmedLate } from "../../retries/policy.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { type Part, withResult } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { isOpen, selectLatest, selectOpenOrLatestAttempt } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";
import { type ConfirmedChallenge, expiredCondition, findConfirmed, isExpired } from "./earlier-challenge.ts";
import { readForSwitch } from "./new-method.ts";
import { decideFailure } from "./record-failure.ts";
import { isStillUnpaid, startConfirmed } from "./start-confirmed.ts";
import { recordTries } from "./tries.ts";

/**
 * Follows the store's webhook about a challenge that was given up here: its customer may have confirmed it since. A charge that
 * pays for nothing here is reported, once. While another attempt that may still pay the cycle is open: `later`.
 */
export async function followConfirmedLate(ctx: Ctx, attempt: BillingAttempt): Promise<JobOutcome> {
  const { outcome, reference } = await settleConfirmedLate(ctx, attempt);
  if (outcome === "unmatched") {
    const { id: attempt_id, store_key, subscription_id } = attempt;
    const names = { account_seq: ctx.account.seq, store_key, reference, attempt_id, subscription_id };
    ctx.log("charge_not_reconciled", { alert: true, problem: "recorded_as_not_charged", ...names });
    await markReported(ctx, attempt);
  }
  return outcome === "open" ? "later" : "done";
}

/**
 * The outcome of an expired challenge that is looked up late. `unconfirmed`: it is no charge. `recorded`: it has paid its cycle.
 * `started`: an attempt that records it has been started. `open`: another attempt is under way, which may find it, or carries it
 * already. `unmatched`: something else has paid the cycle, or it is not to be paid any more, so that people have to refund it.
 */
type LateOutcome = "unconfirmed" | "recorded" | "started" | "open" | "unmatched";

/** Asks the store about an expired challenge, by its reference; if it was confirmed while its cycle is unpaid, that pays the cycle. */
export async function settleConfirmedLate(
  ctx: Ctx,
  attempt: BillingAttempt,
): Promise<{ outcome: LateOutcome; reference: string | null }> {
  const confirmed = isExpired(attempt) ? await findConfirmed(ctx, [attempt]) : undefined;
  if (!confirmed) return { outcome: "unconfirmed", reference: null };
  const { subscription_id } = attempt;
  const { result } = await changeSubscription(
    ctx,
    subscription_id,
    { alongside: readForLate(ctx, attempt), tries: recordTries },
    (view, found) => decideLate(ctx, view, confirmed, found),
  );
  return { outcome: result ?? "unmatched", reference: confirmed.charge.reference };
}

/** The latest attempt at the challenge's cycle, and the attempt that may be open, besides what a switch is decided on. */
function readForLate(ctx: Ctx, attempt: BillingAttempt) {
  const { subscription_id: id } = attempt;
  return {
    ofCycle: selectLatest(ctx, attempt),
    open: selectOpenOrLatestAttempt(ctx, id),
    ...readForSwitch(ctx, id),
  };
}

/** Notes that people were told to refund a challenge confirmed late, so that it is neither reported again nor taken for a payment. */
export async function markReported(ctx: Ctx, { id }: Pick<BillingAttempt, "id">): Promise<void> {
  const { code: error_code, message: error_message } = confirmedLate;
  const update = build
    .update(attempts)
    .set({ error_code, error_message, updated_at: ctx.now })
    .where(and(eq(attempts.account_seq, ctx.account.seq), eq(attempts.id, id), expiredCondition(attempts)));
  await commit({ db: ctx.db }, [statement(update)]);
}

/**
 * A later challenge that waits for the customer is given up: they have paid, and are not to be asked again. Should they confirm that
 * one as well, they have paid twice, which every night reports.
 */
async function decideLate(
  ctx: Ctx,
  view: SubscriptionView,
  confirmed: ConfirmedChallenge,
  { ofCycle: [ofCycle], open: [open], ...known }: RowsBy<ReturnType<typeof readForLate>>,
): Promise<Part<LateOutcome>> {
  const { row } = view;
  const { reference } = confirmed.charge;
  const carries = ofCycle?.store_reference === reference;
  if (carries && ofCycle.status === "SUCCEEDED") return { result: "recorded" };
  if (carries && isOpen(ofCycle)) return { result: "open" };
  if (!isStillUnpaid(row, confirmed.expired)) return { result: "unmatched" };
  if (row.open_attempt_id === null) {
    const before = { before: known.latest[0], withdrawn: undefined };
    return withResult(await startConfirmed(ctx, view, confirmed, before), "started");
  }
  if (open?.status !== "ACTION_REQUIRED") return { result: "open" };
  const failed = { failure: challengeExpired, confirmed, ...known };
  return withResult(await decideFailure(ctx, view, open, failed), "started");
}
