import type { Ctx } from "../../context.ts";
import { enqueueContractSync, markContractChanged } from "../../contracts/outbox.ts";
import { notCharged } from "../../dunning/policy.ts";
import { later } from "../../lib/dates.ts";
import {
  type ChargeAnswer,
  ContractPausedError,
  type DesiredContract,
  StoreThrottledError,
  UnknownOutcomeError,
} from "../../store/port.ts";
import { getSubscription } from "../../subscriptions/queries.ts";
import { countedClaims, mostClaims } from "../overdue.ts";
import { desiredContractOf, snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { type Claimed, claimAttempt } from "./claim.ts";
import { recordFailure } from "./record-failure.ts";
import { recordSuccess } from "./record-success.ts";
import { requireReview } from "./review-required.ts";
import { type Unanswered, waitFor } from "./wait.ts";

/** What came of asking: the store's answer, or why there is none. */
type StoreAnswer = ChargeAnswer | Unanswered;

/** How long a request that was given up may still arrive: a consumer's longest life, and an hour (docs/billing.md). */
const quietMs = 75 * 60_000;

const methodHasChanged = async (ctx: Ctx, attempt: BillingAttempt): Promise<boolean> => {
  const { row } = await getSubscription(ctx, attempt.subscription_id);
  return row.payment_method_id !== snapshotOf(attempt).payment_method_id;
};

const desiredOf = async (ctx: Ctx, attempt: BillingAttempt): Promise<DesiredContract> =>
  desiredContractOf(await getSubscription(ctx, attempt.subscription_id), snapshotOf(attempt));

const ask = async (ctx: Ctx, { attempt, sends }: Claimed): Promise<StoreAnswer> => {
  const { store_key: key, subscription_id, amount, currency_code, store_reference: reference } = attempt;
  const { store_contract_id, store_payment_method_id } = snapshotOf(attempt);
  if (sends) {
    const of = { subscription_id, store_contract_id, store_payment_method_id };
    const readDesired = () => desiredOf(ctx, attempt);
    const oversells = ctx.account.out_of_stock_action === "bill_anyway";
    const isFirst = attempt.unanswered === 1;
    return ctx.store.charge({ key, ...of, amount, currency_code, readDesired, isFirst, oversells });
  }
  const givesUp = attempt.status === "ACTION_REQUIRED" && (await methodHasChanged(ctx, attempt));
  const known = { key, store_contract_id, reference };
  const found = givesUp ? await ctx.store.withdrawCharge(known) : await ctx.store.findCharge(known);
  return found ?? { outcome: "absent" };
};

/** Resumed here or paused there: whichever it is, the two are brought together before it is charged. */
const reconcileContract = async (ctx: Ctx, attempt: BillingAttempt): Promise<void> => {
  const noticed = await markContractChanged(ctx, snapshotOf(attempt).store_contract_id);
  if (noticed) await enqueueContractSync(ctx, [noticed]);
};

/** A contract that was resumed here is so at the store within seconds; one that stays paused there is somebody's intent. */
const pausedTries = 3;

const pausedThere = ({ message }: ContractPausedError): ChargeAnswer => ({
  outcome: "declined",
  reference: "",
  failure: "merchant",
  code: "contract_paused",
  message,
  isFinal: false,
  isRefused: true,
});

/** What a store says of anything but the key is no answer to it: an outage is silence, never a decline. */
const askStoreSafely = (ctx: Ctx, claimed: Claimed): Promise<StoreAnswer> =>
  ask(ctx, claimed).catch(async (error) => {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    ctx.log("store_silent", {
      attempt_id: claimed.attempt.id,
      claims: claimed.attempt.claims,
      why: error.message,
    });
    if (error instanceof ContractPausedError) {
      await reconcileContract(ctx, claimed.attempt);
      if (claimed.attempt.claims > pausedTries && claimed.attempt.unanswered === 1) return pausedThere(error);
    }
    if (error instanceof StoreThrottledError) return { outcome: "busy", seconds: error.retryAfter };
    return { outcome: "silent" };
  });

const isQuiet = (ctx: Ctx, { last_sent_at }: BillingAttempt): boolean =>
  last_sent_at === null || later(last_sent_at, quietMs) <= ctx.realNow;

const act = (ctx: Ctx, attempt: BillingAttempt, heard: StoreAnswer): Promise<unknown> => {
  switch (heard.outcome) {
    case "succeeded":
      return recordSuccess(ctx, attempt, heard);
    case "declined":
      return recordFailure(ctx, attempt, heard);
    case "absent":
      return isQuiet(ctx, attempt) ? recordFailure(ctx, attempt, notCharged) : waitFor(ctx, attempt, heard);
    default:
      return waitFor(ctx, attempt, heard);
  }
};

const notRecorded = {
  code: "not_recorded",
  message: "What came of the charge could not be recorded; the log says why",
};

/** Claimed again and again, and never once was anything written of what came of it. */
const isUnrecordable = (attempt: BillingAttempt): boolean =>
  attempt.status !== "REVIEW" && countedClaims(attempt) > mostClaims;

/**
 * Claims an attempt, asks the store, and records what came of it. Repeating it, late, twice or at once, changes
 * nothing: the claim lets in one at a time, the key is charged once, and the outcome is recorded once.
 */
export const chargeAttempt = async (ctx: Ctx, id: string): Promise<void> => {
  const claimed = await claimAttempt(ctx, id);
  if (!claimed) return;
  if (isUnrecordable(claimed.attempt)) return requireReview(ctx, claimed.attempt, notRecorded);
  await act(ctx, claimed.attempt, await askStoreSafely(ctx, claimed));
};
