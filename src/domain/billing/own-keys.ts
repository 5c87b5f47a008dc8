import type { Account } from "../../base/accounts/tables.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { deriveStoreKey, keyLength } from "./store-key.ts";
import type { BillingAttempt } from "./tables.ts";

/** Keys of ours have this form; those of another installation of this service have it, too. */
export function hasFormOfOurs(key: string): boolean {
  return key.length === keyLength && /^[0-9a-f]+$/.test(key);
}

/**
 * Whether a key may be of an attempt that the database has lost, as after a restore: that of a cycle of about now, in this life of the
 * subscription or the next. A restore goes back thirty days at most, which a daily plan fills with as many cycles.
 */
export function mayBeOurKey(account: Owner, row: Subscription, key: string): Promise<boolean> {
  return isKeyOfCycles(account, row, { key, from: Math.max(1, row.current_billing_cycle - cyclesBefore) });
}

/**
 * Whether a key is of an attempt that the subscription has still to make, as after a restore: a try of its cycle after the latest one, or of
 * those cycles and the life that follow. Its charge is recorded once billing has come so far.
 */
export function isKeyToCome(
  account: Owner,
  row: Subscription,
  { key, latest }: { key: string; latest?: BillingAttempt | undefined },
): Promise<boolean> {
  const { activation, current_billing_cycle: from } = row;
  const isOfCycle = latest?.activation === activation && latest.cycle === from;
  return isKeyOfCycles(account, row, { key, from, tries: isOfCycle ? latest.attempt_number : 1 });
}

/** Whether a key is of the life that a subscription begins when it is reactivated, as after a restore that has undone that. */
export function isKeyOfNextLife(account: Owner, row: Subscription, key: string): Promise<boolean> {
  return isKeyOfLives(account, row, key, [nextLifeOf(row)]);
}

type Owner = Pick<Account, "id">;

/** Whether a key is of one of the cycles of this life, from that one on and of it from that try on, or of the first of the next. */
function isKeyOfCycles(
  account: Owner,
  row: Subscription,
  { key, from, tries = 1 }: { key: string; from: number; tries?: number },
): Promise<boolean> {
  const { activation, current_billing_cycle } = row;
  const life = { activation, from, to: current_billing_cycle + cyclesLost, tries };
  return isKeyOfLives(account, row, key, [life, nextLifeOf(row)]);
}

/** Cycles of a life, and the first try of the first of them. */
type Life = { activation: number; from: number; to: number; tries: number };

function nextLifeOf({ activation }: Subscription): Life {
  return { activation: activation + 1, from: 1, to: cyclesLost, tries: 1 };
}

async function isKeyOfLives(
  { id: account_id }: Owner,
  { id: subscription_id }: Subscription,
  key: string,
  lives: Life[],
): Promise<boolean> {
  if (!hasFormOfOurs(key)) return false;
  for (const { activation, from, to, tries } of lives)
    for (let cycle = from; cycle <= to; cycle++)
      for (
        let attempt_number = cycle === from ? tries : 1;
        attempt_number <= attemptsOfCycle;
        attempt_number++
      )
        if (
          (await deriveStoreKey({ account_id, subscription_id, activation, cycle, attempt_number })) === key
        )
          return true;
  return false;
}

const cyclesBefore = 3;
const cyclesLost = 31;
/** A cycle has a try for each of ten retry days at most, and some that people cause. */
const attemptsOfCycle = 15;
