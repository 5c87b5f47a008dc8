import { dayMs, hourMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import { snapshotOf } from "../../src/domain/billing/snapshot.ts";
import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { World } from "../kernel/world.ts";
import { packedFor } from "../orders/watch-orders.ts";
import { isByCron } from "./check-dunning.ts";

export function checkAttempts(world: World, finalState: FinalState): void {
  const { attempts, subscriptions, entries } = finalState;
  checkMethods(world, finalState);
  const { report, restores } = world;
  const switches = startedBySwitches(entries);
  for (const { id } of subscriptions) {
    const ofSubscription = attempts.filter(({ subscription_id }) => subscription_id === id);
    const byCron = ofSubscription.filter(isByCron);
    const seen = byCron.filter(({ status }) => status !== "CANCELLED");
    const byPeople = ofSubscription.filter(
      (attempt) =>
        attempt.origin === "SHIP_NOW" ||
        attempt.origin === "RETRY" ||
        (switches.has(attempt.id) && attempt.origin === "DUNNING" && !carriesEarlierCharge(attempt)),
    );
    const inAnHour = most(
      byPeople.map(({ requested_at }) => requested_at),
      hourMs,
    );
    if (restores === 0 && inAnHour > mostByPeopleInAnHour)
      report("attempts an hour are bounded", `${inAnHour} attempts that people have caused`);
    if (restores === 0) checkRepetitions(world, ofSubscription);
    if (mostInADay(seen) > mostByCron) report(rule, `${mostInADay(seen)} attempts by cron`);
    if (mostInADay(byCron) > mostUnseen) report(rule, `${mostInADay(byCron)} attempts that cron has started`);
    for (const { claims } of ofSubscription)
      if (claims > mostClaims) report(rule, `${claims} claims of one attempt`);
  }
}

/** Attempts that were started in the commit that changed the payment method, or that recorded the failure of an attempt with the old one. */
function startedBySwitches(entries: FinalState["entries"]): Set<string> {
  return new Set(
    entries.flatMap(({ action, metadata, created_at, actor_name }, nth) => {
      const before = entries[nth - 1];
      const follows = before?.action === "payment_method_changed" || before?.action === "billing_failed";
      const isTogether = before?.created_at === created_at && before.actor_name === actor_name;
      const isSwitch = action === "billing_started" && follows && isTogether;
      return isSwitch ? [JSON.parse(metadata ?? "{}").billing_attempt_id as string] : [];
    }),
  );
}

/**
 * For ten minutes after any attempt of a life that was not withdrawn a ship-now starts no other one, unless it asks for it. Attempts are
 * compared in the order of their numbers, because a slow request notes the time at which it began.
 */
/** When ship-now was asked to bill another cycle, however soon after the last. */
export const repetitionsOf = perAccount(() => new Set<string>());

function checkRepetitions(world: World, attempts: BillingAttempt[]): void {
  const standing = attempts
    .filter(({ status }) => status !== "CANCELLED")
    .sort((a, b) => a.activation - b.activation || a.cycle - b.cycle || a.attempt_number - b.attempt_number);
  for (const [nth, { origin, activation, requested_at: at }] of standing.entries()) {
    const before = standing[nth - 1];
    if (origin !== "SHIP_NOW" || before?.activation !== activation || repetitionsOf(world).has(at)) continue;
    if (Date.parse(at) - Date.parse(before.requested_at) < repeatMs)
      world.report("a repeated ship-now charges nothing", `at ${at}, after one at ${before.requested_at}`);
  }
}

/** Each attempt, and its charge, is for the payment method that the subscription had when it was begun. */
function checkMethods(world: World, { attempts, charges, cards }: FinalState): void {
  for (const attempt of attempts) {
    if (carriesEarlierCharge(attempt)) continue;
    const { payment_method_id: used } = snapshotOf(attempt);
    const begun = packedFor(world, attempt.id);
    const charge = charges.find(({ key }) => key === attempt.store_key);
    if (begun && begun.payment_method_id !== used)
      world.report(methodRule, `an attempt with ${used}, where ${begun.payment_method_id} was chosen`);
    if (charge?.attempt_id === attempt.id && charge.method !== undefined && charge.method !== cards.get(used))
      world.report(methodRule, `a charge of ${charge.method}, where ${cards.get(used)} was chosen`);
  }
}

const methodRule = "the method that was chosen last is charged";

const repeatMs = 10 * minuteMs;

const rule = "attempts a day are bounded";

/**
 * Waits double from an hour on, so that a day has five tries of a cycle. The goods of that may turn out to be out of stock, and the next
 * cycle waits in its turn; a daily plan has another cycle, or a retry, besides.
 */
const mostByCron = 12;
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
