import { dateIn, endOfDay } from "../../src/base/lib/time/dates.ts";
import { dayMs, hourMs } from "../../src/base/lib/time/durations.ts";
import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { blocksOf } from "../disputes/blocks.ts";
import type { World } from "../kernel/world.ts";
import { joined, pausesIn, stoodStill, type Wait, waitsIn } from "./check-waits.ts";

type Episode = FinalState["episodes"][number];
/** The instants at which an episode's retries were agreed, as they stood at an instant: waits for others move them. */
type AgreedAt = (at: number) => number[];
type Tried = { ofEpisode: BillingAttempt[]; agreedAt: AgreedAt; blocks: Wait[]; pauses: Wait[] };

export function checkDunning(world: World, finalState: FinalState): void {
  countsDeclines(world, finalState);
  nothingIsOwedOfNothing(world, finalState);
  for (const episode of finalState.episodes) {
    const { subscription_id, closed_at } = episode;
    const ofRow = finalState.attempts.filter((attempt) => attempt.subscription_id === subscription_id);
    const first = ofRow.findLastIndex(
      ({ settled_at, created_at }) =>
        created_at <= episode.opened_at && (settled_at ?? "9") <= episode.opened_at,
    );
    const ofEpisode = ofRow
      .slice(Math.max(first, 0))
      .filter(({ created_at }) => created_at <= (closed_at ?? "9"));
    const waits = waitsIn(episode, finalState.entries);
    const blocks = blocksIn(world, episode);
    const pauses = pausesIn(episode, finalState.entries);
    const still = joined([...waits, ...blocks, ...pauses]);
    const agreedAt = (at: number) => agreedOf(episode, stoodStill(still, at));
    noMore(world, finalState, { ofEpisode, agreedAt, blocks, pauses });
    noFewer(world, episode, { ofEpisode, agreedAt, blocks, pauses });
    endsAfterLastDay(world, episode, agreedAt);
  }
}

/** The times for which disputes blocked an episode, and its days stood still; none begins while one blocks. */
function blocksIn(world: World, { subscription_id, opened_at }: Episode): Wait[] {
  return (blocksOf(world)?.of(subscription_id) ?? []).filter(({ until }) => until > Date.parse(opened_at));
}

/** Nothing follows a decline that comes while a dispute blocks: the payment is tried again once that has ended. */
function hasNoConsequence(blocks: Wait[], { settled_at }: BillingAttempt): boolean {
  const settled = Date.parse(settled_at ?? "");
  return blocks.some(({ from, until }) => from <= settled && settled <= until);
}

/** Whether a payment was declined: a charge of 0 asks for none. */
export function isDecline({ status, error_code, is_refused, amount }: BillingAttempt): boolean {
  return amount > 0 && status === "FAILED" && is_refused === 0 && !noDeclines.includes(error_code ?? "");
}

/** Whether cron has started an attempt by itself: one by a switch of the payment method has the origin of a retry too. */
export function isByCron(attempt: BillingAttempt): boolean {
  return (
    !carriesEarlierCharge(attempt) &&
    (attempt.origin === "RECURRING" || (attempt.origin === "DUNNING" && attempt.is_switch === 0))
  );
}

const rule = "retries on the agreed days";

/** Codes of failures that are no decline by the customer's bank. */
export const noDeclines = [
  "payment_provider_is_not_enabled",
  "invalid_business_account",
  "insufficient_inventory",
  "contract_paused",
  "not_charged",
  "withdrawn",
];

/** No retry can succeed before the customer does something. */
function isHard(attempt: BillingAttempt): boolean {
  return isDecline(attempt) && hardCodes.test(attempt.error_code ?? "");
}

/** Stripe gives `call_issuer` with the advice not to try again (stripe/outcomes.ts). */
const hardCodes = /expired|confirmed_late|authentication_failure|call_issuer/;

function startOf({ created_at }: BillingAttempt): number {
  return Date.parse(created_at);
}

/** Whether another payment method was chosen after an attempt had begun, and until the next one did. */
function isSwitchedBetween(
  { entries }: FinalState,
  before: BillingAttempt,
  attempt: BillingAttempt,
): boolean {
  return entries.some(
    ({ action, loggable_id, created_at }) =>
      action === "payment_method_changed" &&
      loggable_id === attempt.subscription_id &&
      created_at >= before.created_at &&
      created_at <= attempt.created_at,
  );
}

/**
 * Whether a retry asked for a payment: a total that has become 0 is billed after a hard decline too. Where the store already has a charge
 * with the retry's key, because a restore has lost the attempt that made it, the retry is recorded with the amount of that charge, and
 * only its entry keeps the amount that was asked for.
 */
function askedForPayment({ entries }: FinalState, { id, amount }: BillingAttempt): boolean {
  const recorded = entries
    .filter(({ action }) => action === "billing_succeeded")
    .map(({ metadata }) => JSON.parse(metadata ?? "{}"))
    .find(({ billing_attempt_id }) => billing_attempt_id === id);
  return (recorded?.requested_amount ?? amount) > 0;
}

/** The agreed days count from the first failure, without the time for which they stood still. */
function agreedOf({ retry_days, opened_at }: Episode, stoodStillMs: number): number[] {
  const from = Date.parse(opened_at) + stoodStillMs;
  return (JSON.parse(retry_days) as number[]).map((days) => from + days * dayMs);
}

/** The first attempt of a number: one that never reached the store is withdrawn, and cron repeats it, whoever had started it. */
function firstOf(ofEpisode: BillingAttempt[], { cycle, attempt_number }: BillingAttempt): BillingAttempt {
  return ofEpisode.find(
    (one) => one.cycle === cycle && one.attempt_number === attempt_number,
  ) as BillingAttempt;
}

/**
 * Each retry by cron is for an agreed day that has come, one for each day, or the first after a pause, on the day after it; none comes during one,
 * and none follows a hard decline of the same method.
 */
function noMore(
  { report, account: { timezone } }: World,
  finalState: FinalState,
  { ofEpisode, agreedAt, blocks, pauses }: Tried,
): void {
  const counts = (one: BillingAttempt) => isDecline(one) && !hasNoConsequence(blocks, one);
  let last: { attempt: BillingAttempt; day: number } | undefined;
  for (const [nth, attempt] of ofEpisode.entries()) {
    const before = ofEpisode[nth - 1];
    if (!before || attempt.origin !== "DUNNING" || !isByCron(attempt)) continue;
    if (!isByCron(firstOf(ofEpisode, attempt))) continue;
    const start = startOf(attempt);
    if (pauses.some(({ from, until }) => from < start && start < until))
      report(rule, `a retry at ${attempt.created_at}, during a pause`);
    const pause = pauses.findLast(({ from, until }) => from >= startOf(before) && until <= start);
    if (pause) {
      const resumed = new Date(pause.until).toISOString();
      if (attempt.created_at < endOfDay(dateIn(resumed, timezone), timezone))
        report(rule, `a retry at ${attempt.created_at}, on the day of the resumption`);
      continue;
    }
    const day = agreedAt(start).findLastIndex((instant) => instant <= start);
    if (day < 0) report(rule, `a retry at ${attempt.created_at}, before the first day`);
    if (last && counts(last.attempt) && day <= last.day)
      report(rule, `another retry at ${attempt.created_at} for one day`);
    if (
      isHard(before) &&
      !hasNoConsequence(blocks, before) &&
      askedForPayment(finalState, attempt) &&
      !isSwitchedBetween(finalState, before, attempt)
    )
      report(rule, `a retry at ${attempt.created_at} after ${before.error_code}`);
    last = { attempt, day };
  }
}

/** So late cron may be once faults have stopped (quiesce.ts). */
const latestMs = 9 * hourMs;

/** While cron runs undisturbed, each decline has its retry on the next agreed day, unless something else was tried before. */
function noFewer(world: World, episode: Episode, { ofEpisode, agreedAt, blocks, pauses }: Tried): void {
  const end = episode.closed_at === null ? world.clock : Date.parse(episode.closed_at);
  for (const [nth, attempt] of ofEpisode.entries()) {
    if (!isDecline(attempt) || isHard(attempt) || attempt.settled_at === null) continue;
    const settled = Date.parse(attempt.settled_at);
    const due = nextAgreed(settled, agreedAt, blocks);
    const pause = pauses.find(({ from, until }) => until > settled && from <= (due ?? from) + latestMs);
    const agreed = pause ? pause.until + dayMs : due;
    const isUndisturbed =
      agreed !== undefined && agreed > world.quiescedAt + dayMs && agreed + latestMs < end;
    const next = ofEpisode[nth + 1];
    if (isUndisturbed && (next === undefined || startOf(next) > agreed + latestMs))
      world.report(rule, `no retry on ${new Date(agreed).toISOString()}`);
  }
}

/** The first agreed instant after another; where a dispute blocks until after it, the first after that. */
function nextAgreed(after: number, agreedAt: AgreedAt, blocks: Wait[]): number | undefined {
  const agreed = agreedAt(after).find((instant) => instant > after);
  if (agreed === undefined) return undefined;
  const block = blocks.find(({ from, until }) => from <= agreed + latestMs && until > after);
  return block ? nextAgreed(block.until, agreedAt, blocks) : agreed;
}

function endsAfterLastDay({ report }: World, episode: Episode, agreedAt: AgreedAt): void {
  const closed = Date.parse(episode.closed_at ?? "");
  if (episode.status === "EXHAUSTED" && closed < (agreedAt(closed).at(-1) ?? 0))
    report(rule, `exhausted at ${episode.closed_at}, before its last day`);
}

/** Only a decline opens a dunning episode or counts in one, and each counts once. */
function countsDeclines({ report, platform }: World, { attempts, episodes }: FinalState): void {
  const declined = attempts.filter(isDecline).length;
  const counted = episodes.reduce((sum, { attempt_count }) => sum + attempt_count, 0);
  if (counted > declined)
    report(
      "no dunning without a decline",
      `${counted} declines in the episodes, ${declined} attempts that were declined (${platform})`,
    );
}

/** An episode begins with a payment that was declined, in its batch, and there was something to pay. */
function nothingIsOwedOfNothing({ report }: World, { attempts, episodes }: FinalState): void {
  for (const { subscription_id, cycle, opened_at } of episodes) {
    const declined = attempts.find(
      (attempt) =>
        attempt.subscription_id === subscription_id &&
        attempt.cycle === cycle &&
        attempt.status === "FAILED" &&
        attempt.settled_at === opened_at,
    );
    if (declined?.amount === 0)
      report("no episode without an amount", `a charge of 0 is owed since ${opened_at}`);
  }
}
