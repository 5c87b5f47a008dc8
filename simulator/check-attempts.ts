import { dayMs, hourMs } from "../src/base/lib/durations.ts";
import type { BillingAttempt } from "../src/domain/billing/tables.ts";
import { isByCron } from "./check-dunning.ts";
import type { FinalState } from "./final-state.ts";
import type { World } from "./world.ts";

export function checkAttempts({ report, restores }: World, { attempts, subscriptions }: FinalState): void {
  for (const { id } of subscriptions) {
    const ofSubscription = attempts.filter(({ subscription_id }) => subscription_id === id);
    const byCron = ofSubscription.filter(isByCron);
    const seen = byCron.filter(({ status }) => status !== "CANCELLED");
    const byPeople = ofSubscription.filter(
      ({ origin, is_switch }) => origin === "SHIP_NOW" || origin === "RETRY" || is_switch === 1,
    );
    const inAnHour = most(
      byPeople.map(({ requested_at }) => requested_at),
      hourMs,
    );
    if (restores === 0 && inAnHour > mostByPeopleInAnHour)
      report("attempts an hour are bounded", `${inAnHour} attempts that people have caused`);
    if (mostInADay(seen) > mostByCron) report(rule, `${mostInADay(seen)} attempts by cron`);
    if (mostInADay(byCron) > mostUnseen) report(rule, `${mostInADay(byCron)} attempts that cron has started`);
    for (const { claims } of ofSubscription)
      if (claims > mostClaims) report(rule, `${claims} claims of one attempt`);
  }
}

const rule = "attempts a day are bounded";

/** Waits double from an hour on, so a day has five tries of a cycle; a daily plan has another cycle, or a retry, besides. */
const mostByCron = 8;
/** Attempts that the store has never seen are given up after more than an hour, and made again. */
const mostUnseen = 24;
/** The store is asked ever less often, but about a challenge once a minute at first. */
const mostClaims = 400;

/** Ship-now, retry-payment and switches of the payment method together. */
const mostByPeopleInAnHour = 5;

function mostInADay(attempts: BillingAttempt[]): number {
  return most(
    attempts.map(({ created_at }) => created_at),
    dayMs,
  );
}

/** How many instants lie at most within such a time. */
function most(instants: string[], withinMs: number): number {
  const starts = instants.map((instant) => Date.parse(instant));
  return Math.max(
    0,
    ...starts.map((from) => starts.filter((at) => at >= from && at < from + withinMs).length),
  );
}
