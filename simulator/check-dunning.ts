import type { BillingAttempt } from "../src/billing/tables.ts";
import type { FinalState } from "./final-state.ts";
import type { World } from "./world.ts";

type Episode = FinalState["episodes"][number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rule = "retries on the agreed days";

/** Codes of failures that are no decline by the customer's bank. */
export const noDeclines = [
  "payment_provider_is_not_enabled",
  "insufficient_inventory",
  "contract_paused",
  "not_charged",
  "withdrawn",
];

export const isDecline = ({ status, error_code, is_refused }: BillingAttempt): boolean =>
  status === "FAILED" && is_refused === 0 && !noDeclines.includes(error_code ?? "");

/** No retry can succeed before the customer does something. */
const isHard = (attempt: BillingAttempt): boolean =>
  isDecline(attempt) && /expired/.test(attempt.error_code ?? "");

const methodOf = ({ frozen }: BillingAttempt): string | null => JSON.parse(frozen).payment_method_id;
const startOf = ({ created_at }: BillingAttempt): number => Date.parse(created_at);

/** Whether cron has started an attempt by itself: another payment method is tried at once, and has the same origin. */
export const isByCron = (attempt: BillingAttempt, before: BillingAttempt | undefined): boolean =>
  attempt.origin === "RECURRING" ||
  (attempt.origin === "DUNNING" && before !== undefined && methodOf(attempt) === methodOf(before));

/** The instants at which an episode's retries were agreed; waits for the merchant move them. */
const agreedOf = ({ retry_days, retries_from }: Episode): number[] =>
  (JSON.parse(retry_days) as number[]).map((days) => Date.parse(retries_from) + days * dayMs);

/** Each retry by cron is for an agreed day that has come, one for each day, and none follows a hard decline. */
const noMore = ({ report }: World, episode: Episode, ofEpisode: BillingAttempt[]): void => {
  const agreed = agreedOf(episode);
  let last: { attempt: BillingAttempt; day: number } | undefined;
  for (const [nth, attempt] of ofEpisode.entries()) {
    const before = ofEpisode[nth - 1];
    if (!before || attempt.origin !== "DUNNING" || !isByCron(attempt, before)) continue;
    const day = agreed.findLastIndex((instant) => instant <= startOf(attempt));
    if (day < 0) report(rule, `a retry at ${attempt.created_at}, before the first day`);
    if (last && isDecline(last.attempt) && day <= last.day)
      report(rule, `another retry at ${attempt.created_at} for one day`);
    if (isHard(before)) report(rule, `a retry at ${attempt.created_at} after ${before.error_code}`);
    last = { attempt, day };
  }
};

/** So late cron may be once faults have stopped (quiesce.ts). */
const latestMs = 9 * hourMs;

/** While cron runs undisturbed, each agreed day of an episode has its retry. */
const noFewer = (world: World, episode: Episode, ofEpisode: BillingAttempt[]): void => {
  const end = episode.closed_at === null ? world.clock : Date.parse(episode.closed_at);
  for (const agreed of agreedOf(episode)) {
    const before = ofEpisode.findLast((attempt) => startOf(attempt) < agreed);
    const isUndisturbed = agreed > world.quiescedAt + dayMs && agreed + latestMs < end;
    if (!isUndisturbed || !before || !isDecline(before) || isHard(before)) continue;
    if (Date.parse(before.settled_at ?? "9999") >= agreed) continue;
    if (!ofEpisode.some((attempt) => startOf(attempt) >= agreed && startOf(attempt) <= agreed + latestMs))
      world.report(rule, `no retry on ${new Date(agreed).toISOString()}`);
  }
};

const endsAfterLastDay = ({ report }: World, episode: Episode): void => {
  const last = agreedOf(episode).at(-1) ?? 0;
  if (episode.status === "EXHAUSTED" && Date.parse(episode.closed_at ?? "") < last)
    report(rule, `exhausted at ${episode.closed_at}, before its last day`);
};

/** Only a decline opens a dunning episode or counts in one, and each counts once. */
const countsDeclines = ({ report, platform }: World, { attempts, episodes }: FinalState): void => {
  const declined = attempts.filter(isDecline).length;
  const counted = episodes.reduce((sum, { attempt_count }) => sum + attempt_count, 0);
  if (counted > declined)
    report(
      "no dunning without a decline",
      `${counted} declines in the episodes, ${declined} attempts that were declined (${platform})`,
    );
};

export const checkDunning = (world: World, finalState: FinalState): void => {
  countsDeclines(world, finalState);
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
    const hasWaited = episode.retries_from !== episode.opened_at;
    if (!hasWaited) {
      noMore(world, episode, ofEpisode);
      noFewer(world, episode, ofEpisode);
    }
    endsAfterLastDay(world, episode);
  }
};
