import { type Outcome, outcomes } from "../../test/support/fake-shopify.ts";
import { isGatewayOff } from "../simulated-store.ts";
import type { World } from "../world.ts";

/** Drawn when an attempt is created, as the ledger does with a key. */
export function planAttempt(world: World): AttemptPlan {
  const { choices, isQuiesced, scenario } = world;
  if (isGatewayOff(world)) return choices.weighted(off);
  if (isQuiesced) return choices.weighted(plain);
  if (scenario === "challenged") return choices.weighted(challenged);
  return choices.weighted(scenario === "poor" ? poor : attemptPlans);
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How a billing attempt ends and how long Shopify takes; `answered` says whether and when a customer confirms a challenge. */
type AttemptPlan = { outcome: Outcome; after: number; answered?: { confirmed: boolean; after: number } };

const { success, payment, general, inventory, unexpected, challenge } = outcomes;

const attemptPlans: readonly (readonly [AttemptPlan, number])[] = [
  [{ outcome: success, after: 2 * second }, 50],
  [{ outcome: payment("INSUFFICIENT_FUNDS"), after: 2 * second }, 12],
  [{ outcome: payment("EXPIRED_CARD"), after: 2 * second }, 6],
  [{ outcome: success, after: 3 * minute }, 10],
  [{ outcome: success, after: 5 * hour }, 5],
  [{ outcome: payment("CARD_DECLINED"), after: 20 * minute }, 4],
  [{ outcome: inventory("INSUFFICIENT_INVENTORY"), after: 20 * second }, 2],
  [{ outcome: unexpected(), after: minute }, 2],
  [{ outcome: challenge(), after: 20 * second, answered: { confirmed: true, after: 30 * minute } }, 4],
  [{ outcome: challenge(), after: 20 * second, answered: { confirmed: false, after: 24 * hour } }, 5],
  [{ outcome: challenge(), after: 20 * second, answered: { confirmed: false, after: 100 * hour } }, 2],
];
const plain = attemptPlans.slice(0, 2);
/** The merchant's payment provider is off. */
const off: typeof attemptPlans = [
  [{ outcome: general("PAYMENT_PROVIDER_IS_NOT_ENABLED"), after: 2 * second }, 30],
  ...attemptPlans.slice(0, 2).map(([course]) => [course, 1] as const),
];
/** Most customers are challenged, and some confirm days after the payment was given up. */
const challenged: typeof attemptPlans = [
  [{ outcome: success, after: 2 * second }, 8],
  [{ outcome: payment("INSUFFICIENT_FUNDS"), after: 2 * second }, 2],
  ...[1, 60, 80, 100, 150, 200].map(
    (hours) =>
      [
        { outcome: challenge(), after: 20 * second, answered: { confirmed: true, after: hours * hour } },
        3,
      ] as const,
  ),
  [{ outcome: challenge(), after: 20 * second, answered: { confirmed: false, after: 220 * hour } }, 6],
];
const poor = attemptPlans.slice(0, 3).map(([course], nth) => [course, [2, 6, 2][nth]!] as const);
