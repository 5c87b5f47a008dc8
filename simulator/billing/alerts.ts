import { perAccount } from "../kernel/per-account.ts";
import type { Part } from "../kernel/world.ts";

/** People were told this about charges. */
export const alertsOf = perAccount(() => ({
  /** The references of charges that they were told to refund, and after how many restores; 0 for one that a reactivation still records. */
  reported: new Map<string, number>(),
  /** The references of charges whose attempt is still to come, and when a comparison with the store last said so. */
  expected: new Map<string, number>(),
  /** The attempts of which they were told that the store has charged another amount. */
  otherAmounts: new Set<string>(),
}));

export const alerting: Part = {
  noteLog(world, event, { alert, problem, reference, attempt_id }) {
    const { reported, expected, otherAmounts } = alertsOf(world);
    if (problem === "not_yet_recorded") expected.set(String(reference), world.clock);
    if (event === "charge_not_reconciled" && alert)
      reported.set(String(reference), problem === "reactivation_lost" ? 0 : world.restores);
    if (event === "charged_another_amount" && alert) otherAmounts.add(String(attempt_id));
  },
};
