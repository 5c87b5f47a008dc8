import { dayMs, hourMs, minuteMs } from "../../../src/base/lib/time/durations.ts";
import { type Outcome, outcomes } from "../../../test/support/fake-stripe.ts";
import type { World } from "../../kernel/world.ts";
import { isGatewayOff, isGatewayUnsteady } from "../gateway.ts";

/** Drawn when a confirmation arrives at an intent that waits for one. */
export function planConfirmation(world: World): Plan {
  const { choices, isQuiesced, scenario } = world;
  if (isGatewayOff(world)) return choices.weighted(off);
  if (isGatewayUnsteady(world)) return choices.weighted(poor);
  if (isQuiesced) return choices.weighted(plain);
  if (scenario === "challenged") return choices.weighted(challenged);
  return choices.weighted(scenario === "poor" ? poor : plans);
}

/** The course of a confirmation, and when a bank or the customer does the rest. "refused": Stripe does not take the request. */
export type Plan =
  | { is: "refused" }
  | { is: "settled"; outcome: Outcome; after?: number }
  | { is: "challenged"; outcome: Outcome; answered: Answered };

/** A customer who comes to the page of the payment: how the bank's question ends, and how long each step takes; or nobody comes. */
export type Answered = { as: "confirmed" | "not authenticated" | "declined"; after: number } | undefined;

/** Not a decline: the merchant has to act. */
export const merchantCode = "invalid_business_account";

const { success, decline, processing, challenge } = outcomes;

function settled(outcome: Outcome, after?: number): Plan {
  return { is: "settled", outcome, ...(after === undefined ? {} : { after }) };
}

/** The issuer asks for the customer: off-session that is a decline, which waits for them nevertheless. */
function asked(answered: Answered): Plan {
  return { is: "challenged", outcome: challenge(), answered };
}

/** The intent itself waits for its customer. */
function waits(answered: Answered): Plan {
  return { is: "challenged", outcome: challenge(success, { evenOffSession: true }), answered };
}

const plans: readonly (readonly [Plan, number])[] = [
  [settled(success), 55],
  [settled(decline("insufficient_funds")), 12],
  [settled(decline("expired_card")), 6],
  [settled(processing(success), 5 * hourMs), 4],
  [settled(processing(success), 4 * dayMs), 4],
  [settled(processing(decline("insufficient_funds")), 2 * dayMs), 3],
  [settled(decline("call_issuer", { advice_code: "do_not_try_again" })), 2],
  [asked({ as: "confirmed", after: 30 * minuteMs }), 4],
  [asked({ as: "not authenticated", after: hourMs }), 2],
  [asked({ as: "declined", after: hourMs }), 2],
  [asked(undefined), 4],
  [waits({ as: "confirmed", after: 30 * minuteMs }), 2],
  [waits({ as: "not authenticated", after: hourMs }), 1],
  [waits(undefined), 2],
];
const plain = plans.slice(0, 2);
/** The merchant's account at Stripe takes no payments. */
const off: typeof plans = [
  [settled(decline(merchantCode)), 13],
  [{ is: "refused" }, 13],
  ...plain.map(([plan]) => [plan, 1] as const),
];
/** Most customers are challenged, and some come days after the payment was given up. */
const challenged: typeof plans = [
  [settled(success), 8],
  [settled(decline("insufficient_funds")), 2],
  ...[1, 60, 71.95, 80, 100, 150, 200].map(
    (hours, nth) =>
      [(nth % 2 ? waits : asked)({ as: "confirmed", after: Math.round(hours * hourMs) }), 3] as const,
  ),
  [asked({ as: "declined", after: 60 * hourMs }), 2],
  [asked(undefined), 6],
];
const poor = plans.slice(0, 3).map(([plan], nth) => [plan, [2, 6, 2][nth]!] as const);
