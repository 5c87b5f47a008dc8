import { hourMs } from "../../src/base/lib/time/durations.ts";
import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import { isOpen } from "../../src/domain/billing/queries.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { alertsOf } from "../billing/alerts.ts";
import type { World } from "../kernel/world.ts";
import type { OpenStripe } from "../stores/stripe/opened.ts";

/**
 * The intent of an attempt that has failed was canceled, so that nobody can pay it any more, and one that was paid is recorded as paid, or
 * people were told of it: where a restore has undone that there was an attempt, too. Where that attempt is still to come, each night says so.
 */
export function checkIntents(world: World, { fake }: OpenStripe, { attempts }: FinalState): void {
  const { report, clock } = world;
  const { reported, expected } = alertsOf(world);
  for (const { id, status, metadata } of fake.intents()) {
    const ofKey = attempts.filter((one) => one.store_key === metadata.key && !carriesEarlierCharge(one));
    const isSettled = !ofKey.some(isOpen);
    if (isSettled && payable.includes(status))
      report("what has failed can no longer be paid", `the intent ${id} is ${status}`);
    const isExpected = (expected.get(id) ?? Number.NEGATIVE_INFINITY) > clock - nightMs;
    const isKnown = reported.has(id) || (isExpected && ofKey.length === 0);
    if (status === "succeeded" && !isKnown && !ofKey.some((one) => one.status === "SUCCEEDED"))
      report(
        "what was paid has not failed",
        `the intent ${id} is paid, its attempt ${ofKey.map((one) => `${one.status} ${one.error_code}`).join() || "unknown"}`,
      );
  }
}

/** The states of an intent that was confirmed, and that a customer or a bank can still pay. */
const payable: string[] = ["requires_payment_method", "requires_action", "processing"];

/** The time from one comparison to the next, where a clock is put forward between them. */
const nightMs = 25 * hourMs;
