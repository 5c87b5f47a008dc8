import { refreshPaymentMethodJob } from "../../../base/job.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { revokedCode } from "../../../stores/gone-method.ts";
import { traitsOf } from "../../../stores/platforms.ts";
import {
  type ChargeAnswer,
  ContractPausedError,
  type Failure,
  StoreThrottledError,
  UnknownOutcomeError,
} from "../../../stores/port.ts";
import { syncChangedContract } from "../../contracts/outbox.ts";
import { challengeExpired, notCharged } from "../../retries/policy.ts";
import { isBelowHourlyLimit, selectAttemptsOfHour } from "../../subscriptions/bounds/hourly-limit.ts";
import { getSubscriptionAnd } from "../../subscriptions/queries.ts";
import { hasChallengeExpired } from "../challenge.ts";
import { countedClaims, mostClaims } from "../due/overdue.ts";
import { carriesEarlierCharge, isUnsent } from "../known-charge.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt, ReviewCode } from "../tables.ts";
import { type Claimed, markFound, markSent, takeAttempt } from "./claim.ts";
import { findDesiredContract } from "./contract-differences.ts";
import { type ConfirmedChallenge, findConfirmed } from "./earlier-challenge.ts";
import { findGone } from "./known-gone.ts";
import { noteCharge } from "./note-charge.ts";
import { methodDiffers, recordFailure } from "./record-failure.ts";
import { recordOrderless } from "./record-orderless.ts";
import { recordSuccess } from "./record-success.ts";
import { type ReviewReason, requireReview } from "./review-required.ts";
import { followSkippedCycle, isSkippedAtStore } from "./skipped-at-store.ts";
import { chargeLater, type NoAnswer } from "./wait.ts";

/**
 * Claims an attempt, asks the store, and records the answer. Repeating it, late, twice or at once, changes nothing: the
 * claim lets in one consumer at a time, the key is charged once, and the outcome is recorded once.
 */
export async function chargeAttempt(ctx: Ctx, id: string): Promise<void> {
  const claimed = await takeAttempt(ctx, id);
  if (!claimed) return;
  if (waitsForPerson(claimed.attempt)) return;
  if (isUnrecordable(claimed.attempt)) return requireReview(ctx, claimed.attempt, notRecorded);
  const answer = await askStoreSafely(ctx, claimed);
  await recordAnswer(ctx, claimed.attempt, answer);
  await refreshMethod(ctx, claimed, answer);
  if (isSkippedAtStore(answer)) await followSkippedCycle(ctx, claimed.attempt);
}

/** The customer has confirmed an earlier challenge of the cycle, which pays it: the attempt is not sent. */
type PaidEarlier = { outcome: "paid_earlier"; confirmed: ConfirmedChallenge };

/** The store's answer, or why there is none. */
type StoreAnswer = ChargeAnswer | NoAnswer | PaidEarlier;

const notRecorded: ReviewReason = {
  code: "not_recorded",
  message: "The outcome of the charge could not be recorded; the log says why",
};

/** The store says that somebody else's charge was made, which is no answer to what a person has to decide about it. */
function waitsForPerson({ status, error_code }: BillingAttempt): boolean {
  return status === "REVIEW" && error_code === ("charged_by_others" satisfies ReviewCode);
}

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
      cause: error.message,
    });
    // The subscription was resumed here or the contract paused there: the two are reconciled before the charge.
    if (error instanceof ContractPausedError) {
      await syncChangedContract(ctx, snapshotOf(claimed.attempt).store_contract_id);
      if (claimed.attempt.claims > pausedTries && claimed.attempt.unanswered === 1)
        return declineAsPaused(error);
    }
    if (error instanceof StoreThrottledError) return { outcome: "throttled", seconds: error.retryAfter };
    return { outcome: "unknown" };
  });
}

async function askStore(ctx: Ctx, claimed: Claimed): Promise<StoreAnswer> {
  const { attempt, sends, challenges } = claimed;
  if (!sends) return lookUp(ctx, claimed);
  const confirmed = await findConfirmed(ctx, challenges);
  if (confirmed) return withoutSending(ctx, claimed, confirmed);
  if (challenges.length > 0 && !(await markSent(ctx, attempt))) return { outcome: "unknown" };
  const gone = await findGone(ctx, claimed);
  return gone ? ((await findOwn(ctx, claimed)) ?? gone) : send(ctx, claimed);
}

/** The store knows better than the row of a payment method whether it can be charged: the row follows. */
async function refreshMethod(ctx: Ctx, { attempt, method }: Claimed, answer: StoreAnswer): Promise<void> {
  const { store_payment_method_id: id } = snapshotOf(attempt);
  const isGone =
    answer.outcome === "declined" && (answer.code === revokedCode || (answer.isFinal && answer.isRefused));
  const isCharged = answer.outcome === "succeeded";
  const isOutdated = method === "VALID" ? isGone : method !== undefined && isCharged;
  if (isOutdated && id !== null && traitsOf(ctx.account).keepsMethods)
    await ctx.send([refreshPaymentMethodJob(ctx.account.id, id)]);
}

async function send(ctx: Ctx, { attempt, known: { reference } }: Claimed): Promise<ChargeAnswer> {
  const { store_key: key, subscription_id, amount, currency_code } = attempt;
  const { store_contract_id, store_payment_method_id } = snapshotOf(attempt);
  const of = { subscription_id, store_contract_id, store_payment_method_id };
  const readDesired = () => findDesiredContract(ctx, attempt);
  const oversells = ctx.account.out_of_stock_action === "bill_anyway";
  const isFirst = attempt.unanswered === 1;
  const noteReference = (noted: string) => noteCharge(ctx, attempt, noted);
  const how = { readDesired, isFirst, oversells, reference, noteReference };
  return ctx.store.charge({ key, attempt_id: attempt.id, ...of, amount, currency_code, ...how });
}

/**
 * The attempt's own key may have been charged too: it was sent before and not answered, or a restore has undone that it was sent. It is
 * looked up until that is known.
 */
async function withoutSending(
  ctx: Ctx,
  claimed: Claimed,
  confirmed: ConfirmedChallenge,
): Promise<StoreAnswer> {
  const own = await findOwn(ctx, claimed);
  if (own) return own;
  return isQuiet(ctx, claimed.attempt) ? { outcome: "paid_earlier", confirmed } : { outcome: "absent" };
}

async function lookUp(ctx: Ctx, claimed: Claimed): Promise<StoreAnswer> {
  const { attempt, known } = claimed;
  const withdraws = attempt.status === "ACTION_REQUIRED" && (await isToBeReplaced(ctx, attempt));
  const found = withdraws ? await ctx.store.withdrawCharge(known) : await findOwn(ctx, claimed);
  return found ?? { outcome: "absent" };
}

/** The charge of an attempt. Where a restore has undone that the attempt was sent, it is marked as sent before the answer is recorded. */
async function findOwn(ctx: Ctx, { attempt, known }: Claimed): Promise<StoreAnswer | undefined> {
  const found = await ctx.store.findCharge(known);
  if (!found || !isUnsent(attempt)) return found;
  return (await markFound(ctx, attempt)) ? found : { outcome: "unknown" };
}

/**
 * Whether a challenge gives way to another payment method. Beyond the hourly limit it stays open, and is looked at again until the new
 * method may be tried: a customer can still confirm it, and is never left without a try.
 */
async function isToBeReplaced(ctx: Ctx, attempt: BillingAttempt): Promise<boolean> {
  const { subscription_id: id } = attempt;
  const [{ row }, { recent }] = await getSubscriptionAnd(ctx, id, { recent: selectAttemptsOfHour(ctx, id) });
  return methodDiffers(row, attempt) && isBelowHourlyLimit(recent);
}

/** A contract that was resumed here is resumed at the store within seconds; one that stays paused there is paused on purpose. */
const pausedTries = 3;

function declineAsPaused({ message }: ContractPausedError): ChargeAnswer {
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
  if (carriesEarlierCharge(attempt) && !mayBeCharged(answer))
    return recordFailure(ctx, attempt, chargeIsGone);
  switch (answer.outcome) {
    case "paid_earlier":
      return recordFailure(ctx, attempt, paidEarlier, answer.confirmed);
    case "succeeded":
      return recordSuccess(ctx, attempt, answer);
    case "succeeded_without_order":
      return recordOrderless(ctx, attempt, answer);
    case "action_required":
      return hasChallengeExpired(attempt, ctx.now)
        ? recordFailure(ctx, attempt, challengeExpired)
        : chargeLater(ctx, attempt, answer);
    case "declined":
      return recordFailure(ctx, attempt, answer);
    case "absent":
      return isQuiet(ctx, attempt)
        ? recordFailure(ctx, attempt, notCharged)
        : chargeLater(ctx, attempt, answer);
    default:
      return chargeLater(ctx, attempt, answer);
  }
}

/** Nothing was sent under the attempt's key, so the cycle's next attempt has it. */
const paidEarlier: Failure = {
  ...notCharged,
  message: "It was not sent, because an earlier payment of the cycle was confirmed after all",
};

/** The store takes back that it has charged an earlier attempt, and this one, which records that, has no charge of its own. */
const chargeIsGone: Failure = {
  ...notCharged,
  message: "The store says no longer that an earlier payment of the cycle was confirmed",
};

function mayBeCharged({ outcome }: StoreAnswer): boolean {
  return outcome !== "declined" && outcome !== "action_required";
}

/** The time in which an abandoned request may still arrive: a consumer's longest life, and an hour. */
const quietMs = 75 * minuteMs;

function isQuiet(ctx: Ctx, { last_sent_at }: BillingAttempt): boolean {
  return last_sent_at === null || later(last_sent_at, quietMs) <= ctx.realNow;
}
