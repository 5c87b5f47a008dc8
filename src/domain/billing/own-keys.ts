import type { Account } from "../../base/accounts/tables.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { deriveStoreKey } from "./store-key.ts";

/** Keys of ours have this form; those of another installation of this service have it, too. */
export function hasFormOfOurs(key: string): boolean {
  return /^[0-9a-f]{64}$/.test(key);
}

/**
 * Whether a key may be of an attempt that the database has lost, as after a restore: that of a cycle of about now, in this life of the
 * subscription or the next. A restore goes back thirty days at most, which a daily plan fills with as many cycles.
 */
export async function mayBeOurKey(
  { id: account_id }: Pick<Account, "id">,
  { id: subscription_id, activation, current_billing_cycle: cycle }: Subscription,
  key: string,
): Promise<boolean> {
  if (!hasFormOfOurs(key)) return false;
  const lives = [
    { activation, from: Math.max(1, cycle - cyclesBefore), to: cycle + cyclesLost },
    { activation: activation + 1, from: 1, to: cyclesLost },
  ];
  for (const { activation, from, to } of lives)
    for (let cycle = from; cycle <= to; cycle++)
      for (let attempt_number = 1; attempt_number <= attemptsOfCycle; attempt_number++)
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
