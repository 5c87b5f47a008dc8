import { startAttempt } from "../../src/domain/billing/actions/start.ts";
import { planSubscription } from "../../src/domain/imports/plan-subscription.ts";
import { noChargeBeforeIn } from "../../src/domain/imports/planned/dates.ts";
import { guardAsMade, requireAsMade } from "../../src/domain/imports/undo.ts";
import { jobSweep } from "../../src/domain/merchant-jobs/outbox.ts";
import {
  dayToWaitFor,
  requireChargeable,
  requireChargeableOn,
} from "../../src/domain/subscriptions/bounds/no-charge-before.ts";
import { importHeld } from "../../src/domain/subscriptions/lifecycle.ts";
import { imagedStatements } from "../../src/domain/subscriptions/undo/image.ts";
import { todayOf } from "../../src/kit/days.ts";
import { isOutage } from "../../src/kit/on-its-own.ts";
import { guardsNothing, replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";

/** Bugs in moving subscriptions in. */
export const importBugs: SeededBug[] = [
  bug({
    name: "moved in without its ref",
    what: "a subscription does not say which one of its source it was, so that another can be made of it",
    rule: "a ref is moved in once",
    replaces: [
      replace(planSubscription, (original) => (...read) => {
        const plan = original(...read);
        if (!("planned" in plan)) return plan;
        const row = { ...plan.planned.row, migration_source_ref: null };
        return { planned: { ...plan.planned, row } };
      }),
    ],
  }),
  bug({
    name: "held and charged",
    what: "a charge puts its subscription back into the hands of its import",
    rule: "what is held is not charged",
    replaces: [
      replace(startAttempt, (original) => async (...started) => {
        const start = await original(...started);
        return { ...start, columns: { ...start.columns, billing_blocked_reason: importHeld } };
      }),
    ],
  }),
  bug({
    name: "charged before charge_from",
    what: "a subscription that is due earlier is moved in as it is, and charged by both",
    rule: "nothing is charged before charge_from",
    replaces: [replace(noChargeBeforeIn, () => (_, around) => todayOf(around))],
  }),
  bug({
    name: "undone though changed",
    what: "an import that is undone deletes what somebody has paused since, of which nobody has kept what it was before",
    rule: "undoing an import keeps what was changed",
    replaces: [
      replace(requireAsMade, () => async () => {}),
      replace(guardAsMade, () => () => guardsNothing),
      replace(imagedStatements, () => (_, statements) => statements),
    ],
  }),
  bug({
    name: "an outage says something against a row",
    what: "rows that the store could not be asked about count as refused",
    rule: "an import comes to its end",
    replaces: [replace(isOutage, () => () => false)],
  }),
  bug({
    name: "people bring a charge forward",
    what: "whoever moves the next delivery of what was moved in moves its charge to before charge_from",
    rule: "nothing is charged before charge_from",
    replaces: [
      replace(requireChargeableOn, () => () => {}),
      replace(requireChargeable, () => () => {}),
      replace(dayToWaitFor, () => () => undefined),
    ],
  }),
  bug({
    name: "imports are not looked for",
    what: "an import whose message was lost stands still",
    rule: "an import comes to its end",
    replaces: [sweepNothing(jobSweep)],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "imports" };
}
