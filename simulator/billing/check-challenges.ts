import { later } from "../../src/base/lib/time/dates.ts";
import { hourMs } from "../../src/base/lib/time/durations.ts";
import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import type { World } from "../kernel/world.ts";
import { reviewsOf } from "./check-reviews.ts";

type Attempt = FinalState["attempts"][number];

/**
 * Each challenge is told once, waits 72 hours for its customer, and gives way before only to another payment method, or where an earlier
 * challenge of the cycle was confirmed after all.
 */
export function checkChallenges(world: World, { attempts, entries, charges }: FinalState): void {
  const { report, restores, store } = world;
  const told = entries.filter(({ action }) => action === "billing_action_required").length;
  const challenged = attempts.filter(({ challenged_at }) => challenged_at !== null);
  const unseen = challenged.filter(({ id }) => reviewsOf(world, id) > 0).length;
  if (told > challenged.length || told < challenged.length - unseen)
    report(rule, `${told} entries for ${challenged.length} challenges`);
  for (const attempt of attempts) {
    const { challenged_at: since, settled_at: until, store_reference, error_code } = attempt;
    const charge = charges.find((one) => store.referenceOf(one) === store_reference);
    const isAlive = charge !== undefined && charge.state !== "declined";
    const isPaidEarlier = attempts.some((one) => carriesEarlierCharge(one) && one.created_at === until);
    const isGivenUp = isAlive && !isPaidEarlier && error_code === expired && since !== null && until !== null;
    if (isGivenUp && Date.parse(until) - Date.parse(since) < waitMs - invocationMsMax)
      report(rule, `a challenge of ${since} is given up at ${until}`);
    if (error_code === "withdrawn" && restores === 0 && !isSwitchedDuring(entries, attempt))
      report(rule, `a challenge of ${since} is withdrawn, and no other method was chosen`);
  }
}

const rule = "a challenge waits for its customer";

const waitMs = 72 * hourMs;

/** The code of a challenge whose time was over here; one that gave way to another method may be confirmed later too. */
const expired = "authentication_expired";

/** Whether another payment method was chosen while an attempt was open; a slow request or message notes the time at which it began. */
function isSwitchedDuring(entries: FinalState["entries"], { created_at, settled_at }: Attempt): boolean {
  const from = later(created_at, -invocationMsMax);
  const until = settled_at === null ? "9" : later(settled_at, invocationMsMax);
  return entries.some(
    (entry) =>
      entry.action === "payment_method_changed" && entry.created_at >= from && entry.created_at <= until,
  );
}
