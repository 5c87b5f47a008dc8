import { dayMs, hourMs, minuteMs, secondMs } from "../../../src/base/lib/time/durations.ts";
import { type Outcome, outcomes } from "../../../test/support/fake-shopify.ts";
import type { World } from "../../kernel/world.ts";
import { isGatewayOff, isGatewayUnsteady } from "../gateway.ts";

/** Drawn when an attempt is created, as the ledger does with a key. */
export function planAttempt(world: World, oversells: boolean): AttemptPlan {
  const drawn = drawPlan(world);
  const isSoldAnyway = drawn.outcome.is === "inventory" && oversells && world.choices.chance(700);
  return isSoldAnyway ? { ...drawn, outcome: success } : drawn;
}

function drawPlan(world: World): AttemptPlan {
  const { choices, isQuiesced, scenario } = world;
  if (isGatewayOff(world)) return choices.weighted(off);
  if (isGatewayUnsteady(world)) return choices.weighted(poor);
  if (isQuiesced) return choices.weighted(plain);
  if (scenario === "challenged") return choices.weighted(challenged);
  return choices.weighted(scenario === "poor" ? poor : attemptPlans);
}

/** How a billing attempt ends and how long Shopify takes; `answered` says whether and when a customer confirms a challenge. */
type AttemptPlan = { outcome: Outcome; after: number; answered?: { confirmed: boolean; after: number } };

const { success, payment, general, inventory, unexpected, challenge } = outcomes;

const attemptPlans: readonly (readonly [AttemptPlan, number])[] = [
  [{ outcome: success, after: 2 * secondMs }, 50],
  [{ outcome: payment("INSUFFICIENT_FUNDS"), after: 2 * secondMs }, 12],
  [{ outcome: payment("EXPIRED_CARD"), after: 2 * secondMs }, 6],
  [{ outcome: success, after: 3 * minuteMs }, 10],
  [{ outcome: success, after: 5 * hourMs }, 5],
  [{ outcome: payment("CARD_DECLINED"), after: 20 * minuteMs }, 4],
  [{ outcome: inventory("INSUFFICIENT_INVENTORY"), after: 20 * secondMs }, 2],
  [{ outcome: unexpected(), after: minuteMs }, 2],
  [{ outcome: challenge(), after: 20 * secondMs, answered: { confirmed: true, after: 30 * minuteMs } }, 4],
  [{ outcome: challenge(), after: 20 * secondMs, answered: { confirmed: false, after: dayMs } }, 5],
  [{ outcome: challenge(), after: 20 * secondMs, answered: { confirmed: false, after: 100 * hourMs } }, 2],
];
const plain = attemptPlans.slice(0, 2);
/** The merchant's payment provider is off. */
const off: typeof attemptPlans = [
  [{ outcome: general("PAYMENT_PROVIDER_IS_NOT_ENABLED"), after: 2 * secondMs }, 26],
  [{ outcome: inventory("INSUFFICIENT_INVENTORY"), after: 20 * secondMs }, 4],
  ...attemptPlans.slice(0, 2).map(([course]) => [course, 1] as const),
];
/** Most customers are challenged, and some confirm days after the payment was given up. */
const challenged: typeof attemptPlans = [
  [{ outcome: success, after: 2 * secondMs }, 8],
  [{ outcome: payment("INSUFFICIENT_FUNDS"), after: 2 * secondMs }, 2],
  ...[1, 60, 80, 100, 150, 200].map(
    (hours) =>
      [
        { outcome: challenge(), after: 20 * secondMs, answered: { confirmed: true, after: hours * hourMs } },
        3,
      ] as const,
  ),
  [{ outcome: challenge(), after: 20 * secondMs, answered: { confirmed: false, after: 220 * hourMs } }, 6],
];
const poor = attemptPlans.slice(0, 3).map(([course], nth) => [course, [2, 6, 2][nth]!] as const);
