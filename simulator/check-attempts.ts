import type { BillingAttempt } from "../src/billing/tables.ts";
import { isByCron } from "./check-dunning.ts";
import type { FinalState } from "./final-state.ts";
import type { World } from "./world.ts";

const dayMs = 24 * 3_600_000;
const rule = "attempts a day are bounded";

/** Waits double from an hour on, so a day has five tries of a cycle; a daily plan has another cycle, or a retry, besides. */
const mostByCron = 8;
/** Attempts that the store has never seen are given up after more than an hour, and made again. */
const mostUnseen = 24;
/** The store is asked ever less often, but about a challenge once a minute at first. */
const mostClaims = 400;

export const checkAttempts = ({ report }: World, { attempts, subscriptions }: FinalState): void => {
  for (const { id } of subscriptions) {
    const ofSubscription = attempts.filter(({ subscription_id }) => subscription_id === id);
    const byCron = ofSubscription.filter((attempt, nth) => isByCron(attempt, ofSubscription[nth - 1]));
    const seen = byCron.filter(({ status }) => status !== "CANCELLED");
    if (mostInADay(seen) > mostByCron) report(rule, `${mostInADay(seen)} attempts by cron`);
    if (mostInADay(byCron) > mostUnseen) report(rule, `${mostInADay(byCron)} attempts that cron has started`);
    for (const { claims } of ofSubscription)
      if (claims > mostClaims) report(rule, `${claims} claims of one attempt`);
  }
};

const mostInADay = (attempts: BillingAttempt[]): number => {
  const starts = attempts.map(({ created_at }) => Date.parse(created_at));
  return Math.max(0, ...starts.map((from) => starts.filter((at) => at >= from && at < from + dayMs).length));
};
