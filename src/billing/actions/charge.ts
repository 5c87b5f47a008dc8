import type { Ctx } from "../../context.ts";
import { ownMethodIds } from "../../contracts/chosen-method.ts";
import { enqueueContractSync, findContractSync, markContractChanged } from "../../contracts/outbox.ts";
import { challengeExpired, notCharged } from "../../dunning/policy.ts";
import { later } from "../../lib/dates.ts";
import {
  type ChargeAnswer,
  ContractPausedError,
  type DesiredContract,
  StoreThrottledError,
  UnknownOutcomeError,
} from "../../store/port.ts";
import { getSubscription } from "../../subscriptions/queries.ts";
import { knownChargeOf } from "../known-charge.ts";
import { countedClaims, mostClaims } from "../overdue.ts";
import { desiredContractOf, snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { type Claimed, claimAttempt } from "./claim.ts";
import { lateConfirmation } from "./earlier-challenge.ts";
import { recordFailure } from "./record-failure.ts";
import { recordOrderless } from "./record-orderless.ts";
import { recordSuccess } from "./record-success.ts";
import { type ReviewReason, requireReview } from "./review-required.ts";
import { type NoAnswer, waitFor } from "./wait.ts";

/**
 * Claims an attempt, asks the store, and records the answer. Repeating it, late, twice or at once, changes nothing: the
 * claim lets in one consumer at a time, the key is charged once, and the outcome is recorded once.
 */
export const chargeAttempt = async (ctx: Ctx, id: string): Promise<void> => {
  const claimed = await claimAttempt(ctx, id);
  if (!claimed) return;
  if (isUnrecordable(claimed.attempt)) return requireReview(ctx, claimed.attempt, notRecorded);
  await recordAnswer(ctx, claimed.attempt, await askStoreSafely(ctx, claimed));
};

/** The store's answer, or why there is none. */
type StoreAnswer = ChargeAnswer | NoAnswer;

const notRecorded: ReviewReason = {
  code: "not_recorded",
  message: "The outcome of the charge could not be recorded; the log says why",
};

/** Whether an attempt was claimed again and again, and no outcome was ever recorded. */
function isUnrecordable(attempt: BillingAttempt): boolean {
  return attempt.status !== "REVIEW" && countedClaims(attempt) > mostClaims;
}

/** An error of the store that does not answer for the key leaves the outcome unknown: an outage is never a decline. */
function askStoreSafely(ctx: Ctx, claimed: Claimed): Promise<StoreAnswer> {
  return askStore(ctx, claimed).catch(async (error) => {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    ctx.log("store_outcome_unknown", {
      attempt_id: claimed.attempt.id,
      claims: claimed.attempt.claims,
      why: error.message,
    });
    if (error instanceof ContractPausedError) {
      await reconcileContract(ctx, claimed.attempt);
      if (claimed.attempt.claims > pausedTries && claimed.attempt.unanswered === 1)
        return pausedAtStore(error);
    }
    if (error instanceof StoreThrottledError) return { outcome: "throttled", seconds: error.retryAfter };
    return { outcome: "unknown" };
  });
}

async function askStore(ctx: Ctx, { attempt, sends, expired }: Claimed): Promise<StoreAnswer> {
  if (sends) {
    const { store_key: key, subscription_id, amount, currency_code } = attempt;
    const { store_contract_id, store_payment_method_id } = snapshotOf(attempt);
    const late = await lateConfirmation(ctx, expired);
    if (late) return late;
    const of = { subscription_id, store_contract_id, store_payment_method_id };
    const readDesired = () => desiredOf(ctx, attempt);
    const oversells = ctx.account.out_of_stock_action === "bill_anyway";
    const isFirst = attempt.unanswered === 1;
    return ctx.store.charge({ key, ...of, amount, currency_code, readDesired, isFirst, oversells });
  }
  const withdraws = attempt.status === "ACTION_REQUIRED" && (await methodHasChanged(ctx, attempt));
  const known = knownChargeOf(attempt);
  const found = withdraws ? await ctx.store.withdrawCharge(known) : await ctx.store.findCharge(known);
  return found ?? { outcome: "absent" };
}

async function methodHasChanged(ctx: Ctx, attempt: BillingAttempt): Promise<boolean> {
  const { row } = await getSubscription(ctx, attempt.subscription_id);
  return row.payment_method_id !== snapshotOf(attempt).payment_method_id;
}

async function desiredOf(ctx: Ctx, attempt: BillingAttempt): Promise<DesiredContract> {
  const view = await getSubscription(ctx, attempt.subscription_id);
  const sync = await findContractSync(ctx, attempt.subscription_id);
  return desiredContractOf(
    view,
    snapshotOf(attempt),
    sync ? ownMethodIds(view.method, sync, ctx.realNow) : null,
  );
}

/** The subscription was resumed here or the contract paused there: the two are reconciled before the charge. */
async function reconcileContract(ctx: Ctx, attempt: BillingAttempt): Promise<void> {
  const subscriptionId = await markContractChanged(ctx, snapshotOf(attempt).store_contract_id);
  if (subscriptionId) await enqueueContractSync(ctx, [subscriptionId]);
}

/** A contract that was resumed here is resumed at the store within seconds; one that stays paused there is paused on purpose. */
const pausedTries = 3;

function pausedAtStore({ message }: ContractPausedError): ChargeAnswer {
  return {
    outcome: "declined",
    reference: "",
    failure: "merchant",
    code: "contract_paused",
    message,
    isFinal: false,
    isRefused: true,
  };
}

function recordAnswer(ctx: Ctx, attempt: BillingAttempt, answer: StoreAnswer): Promise<unknown> {
  switch (answer.outcome) {
    case "succeeded":
      return recordSuccess(ctx, attempt, answer);
    case "succeeded_without_order":
      return recordOrderless(ctx, attempt, answer);
    case "action_required":
      return hasExpired(ctx, attempt)
        ? recordFailure(ctx, attempt, challengeExpired)
        : waitFor(ctx, attempt, answer);
    case "declined":
      return recordFailure(ctx, attempt, answer);
    case "absent":
      return isQuiet(ctx, attempt) ? recordFailure(ctx, attempt, notCharged) : waitFor(ctx, attempt, answer);
    default:
      return waitFor(ctx, attempt, answer);
  }
}

/** How long a customer has to confirm a payment (docs/billing.md). A person looks at an attempt under review. */
const challengeMs = 72 * 3_600_000;

function hasExpired(ctx: Ctx, { status, challenged_at }: BillingAttempt): boolean {
  return status !== "REVIEW" && challenged_at !== null && later(challenged_at, challengeMs) <= ctx.now;
}

/** How long an abandoned request may still arrive: a consumer's longest life, and an hour (docs/billing.md). */
const quietMs = 75 * 60_000;

function isQuiet(ctx: Ctx, { last_sent_at }: BillingAttempt): boolean {
  return last_sent_at === null || later(last_sent_at, quietMs) <= ctx.realNow;
}
