import { deliveriesOwed, deliveriesPerBilling } from "../../src/domain/subscriptions/dates/index.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { planId } from "../kernel/store.ts";
import type { World } from "../kernel/world.ts";

type Stored = FinalState["subscriptions"][number];

/**
 * Each billing pays for as many deliveries as the plan says: they have been made, are still owed, or lapsed with a
 * cancellation. Owed deliveries fall due some day, unless a pause holds them.
 */
export function checkPrepaid({ report }: World, finalState: FinalState): void {
  for (const row of finalState.subscriptions) {
    const plan = finalState.plans.find(({ id }) => id === planId);
    if (!plan) continue;
    const billings = finalState.attempts.filter(
      ({ subscription_id, status }) => subscription_id === row.id && status === "SUCCEEDED",
    );
    const paidFor = billings.length * deliveriesPerBilling(plan);
    const delivered = finalState.orders.filter(({ subscription_id }) => subscription_id === row.id).length;
    const balance = `${paidFor} are paid for, ${delivered} made, ${deliveriesOwed(row)} owed, ${lapsed(finalState, row)} lapsed`;
    if (paidFor !== delivered + deliveriesOwed(row) + lapsed(finalState, row))
      report("deliveries made = paid for", balance);
    const isWaiting =
      row.status === "PAUSED" || (row.store_contract_id === null && row.status !== "CANCELLED");
    if (deliveriesOwed(row) > 0 && !isWaiting && row.due_on === null)
      report("deliveries made = paid for", `${row.status}, and owed deliveries never fall due: ${balance}`);
  }
}

/** How many deliveries have lapsed with lives whose cancellation stands, by the history. */
function lapsed({ entries }: FinalState, { id }: Stored): number {
  const its = entries
    .filter(({ loggable_id, metadata }) => loggable_id === id && metadata !== null)
    .map(({ id: entry, metadata }) => ({ entry, ...JSON.parse(metadata ?? "{}") }));
  return its
    .filter(({ prepaid_on_end }) => prepaid_on_end === "stop")
    .filter(({ entry }) => !its.some(({ undoes }) => undoes === entry))
    .reduce((sum, { deliveries_owed }) => sum + deliveries_owed, 0);
}
