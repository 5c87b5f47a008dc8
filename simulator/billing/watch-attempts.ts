import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import { deliveriesOwed } from "../../src/domain/subscriptions/dates/index.ts";
import { attemptsSeen, changesOf, type SeenAttempt, subscriptionSeen } from "../accounts/seen.ts";
import { todayOf } from "../accounts/today.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import type { Part, World } from "../kernel/world.ts";

/** An attempt's amount is the subscription's total at its start and never changes; a finished attempt stays finished. */
export const attempts: Part = {
  watch(world) {
    for (const { before, now } of changesOf(world).attempts)
      if (before) compare(world, before, now);
      else checkNew(world, now);
  },
};

/** Whether an open attempt has the reference of a charge. */
export function waitsFor(world: World, reference: string): boolean {
  return attemptsSeen(world).some(
    ({ status, store_reference, noted_reference }) =>
      !finished.includes(status) && [store_reference, noted_reference].includes(reference),
  );
}

const finished = ["SUCCEEDED", "FAILED", "CANCELLED"];

/**
 * An attempt charges the total, unless it carries the charge of an earlier one, and a recurring one never starts before its day. Only a cycle that waits for the merchant or the store
 * may be tried again earlier, as somebody may have asked for it before its day.
 */
function checkNew(world: World, now: SeenAttempt): void {
  const { report } = world;
  const row = subscriptionSeen(world, now.subscription_id);
  if (now.amount !== row?.total && !carriesEarlierCharge(now))
    report("an attempt charges the total", `${now.amount} where the total is ${row?.total}`);
  const isRepeated = row?.billing_waiting_since !== null;
  /** An attempt that begins with the store's reference records a charge that the store has made: nothing is billed. */
  const isKnown = now.store_reference !== null;
  if (now.origin !== "RECURRING" || isRepeated || isKnown) return;
  const today = todayOf(world);
  if ((row?.next_billing_date ?? "9") > today)
    report("billed when it is due", `on ${today}, for ${row?.next_billing_date}`);
  if (row && deliveriesOwed(row) > 0)
    report("billed when it is due", `on ${today}, with ${deliveriesOwed(row)} deliveries owed`);
}

function compare(world: World, before: SeenAttempt, now: SeenAttempt): void {
  const { report } = world;
  /** A success records what was charged, which need not be what was asked for (check-money.ts). */
  const isCharged = now.status === "SUCCEEDED" && before.status !== now.status;
  if (isCharged) checkBilled(world, now);
  for (const field of ["amount", "activation", "cycle", "attempt_number"] as const)
    if (before[field] !== now[field] && !(field === "amount" && isCharged))
      report(
        "an attempt's terms never change",
        `${field} of an attempt changes from ${before[field]} to ${now[field]}`,
      );
  if (finished.includes(before.status) && before.status !== now.status)
    report("a finished attempt stays finished", `an attempt goes from ${before.status} to ${now.status}`);
  if (before.claims > now.claims) report("claims count up", `${before.claims} to ${now.claims}`);
}

/** After a paid cycle the next is billed on a later day: missed cycles are not billed one after the other. */
function checkBilled(world: World, { subscription_id, activation }: SeenAttempt): void {
  const row = subscriptionSeen(world, subscription_id);
  const isSameLife = row?.status === "ACTIVE" && row.activation === activation;
  if (
    isSameLife &&
    row.next_billing_date !== null &&
    row.next_billing_date <= todayOf(world, invocationMsMax)
  )
    world.report(
      "the schedule moves on",
      `billed on ${todayOf(world)}, and again on ${row.next_billing_date}`,
    );
}
