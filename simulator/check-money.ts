import { carriesEarlierCharge } from "../src/domain/billing/known-charge.ts";
import type { FinalState } from "./final-state.ts";
import type { StoreCharge } from "./simulated-store.ts";
import type { World } from "./world.ts";

/**
 * A charge that was requested in the time that a restore undid may be missing: it is recorded when its cycle is billed again,
 * under the same key. Where its cycle never is (the subscription was cancelled or paused since, its date moved, that life did
 * not begin again), the restored database cannot know of it; the operator compares with the store (docs/billing.md). Other
 * rules check that its cycle is not billed under another key.
 */
export function isUndoneByRestore({ restoredTo }: World, { restores, commit }: StoreCharge): boolean {
  return restoredTo !== undefined && restores === 0 && commit > restoredTo;
}

export function checkMoney(world: World, finalState: FinalState): void {
  everyChargeIsRecorded(world, finalState);
  everySuccessWasCharged(world, finalState);
  everyOrderWasPaid(world, finalState);
}

/** The charge that an attempt has recorded: that of its key, unless it carries the charge of an earlier attempt. */
function recordedBy(
  { store }: World,
  attempt: FinalState["attempts"][number],
  charges: StoreCharge[],
): StoreCharge | undefined {
  return charges.find((charge) =>
    carriesEarlierCharge(attempt)
      ? store.referenceOf(charge) === attempt.store_reference
      : charge.key === attempt.store_key && charge.state === "succeeded",
  );
}

/** Each charge is either recorded, or people are told of it: who has been told would refund what is recorded, unless a restore has undone why. */
function everyChargeIsRecorded(world: World, { charges, attempts }: FinalState): void {
  const succeeded = attempts.filter(({ status }) => status === "SUCCEEDED");
  const recorded = new Set(succeeded.map((attempt) => recordedBy(world, attempt, charges)));
  for (const charge of charges.filter(({ state }) => state === "succeeded")) {
    const reportedAfter = world.reported.get(world.store.referenceOf(charge));
    if (recorded.has(charge) && reportedAfter === world.restores)
      world.report("an order for every charge", `charge ${charge.number} is recorded, and reported as well`);
    if (recorded.has(charge) || reportedAfter !== undefined) continue;
    const ofKey = attempts.filter(
      (attempt) =>
        attempt.store_key === charge.key && attempt.status !== "CANCELLED" && !carriesEarlierCharge(attempt),
    );
    if (isUndoneByRestore(world, charge) && ofKey.length === 0) continue;
    const statuses = ofKey.map(({ status, error_code }) => `${status} ${error_code ?? ""}`).join();
    world.report(
      "an order for every charge",
      `charge ${charge.number} of ${charge.amount} is recorded as ${statuses || "nothing"}`,
    );
  }
}

/**
 * A restore may have undone the price at which a charge was requested: its cycle is recorded at the price of before, with an order of
 * what was paid. The attempt does not say so yet.
 */
function isOfUndonePrice(world: World, charge: StoreCharge | undefined): boolean {
  return charge !== undefined && isUndoneByRestore(world, charge);
}

function everySuccessWasCharged(world: World, { charges, attempts, orders }: FinalState): void {
  const { report } = world;
  for (const attempt of attempts.filter(({ status }) => status === "SUCCEEDED")) {
    const charge = recordedBy(world, attempt, charges);
    const { amount, tax } = charge ?? { amount: 0, tax: 0 };
    if (amount - tax !== attempt.amount && !isOfUndonePrice(world, charge))
      report("order = attempt = charge", `${attempt.amount} is recorded, ${amount} charged, ${tax} for tax`);
    const ordered = orders.filter(({ billing_attempt_id }) => billing_attempt_id === attempt.id);
    const [order] = ordered;
    if (ordered.length !== 1 || order?.total !== amount || order.id !== attempt.order_id)
      report("order = attempt = charge", `${ordered.length} orders of a success, ${order?.total} in total`);
  }
}

function everyOrderWasPaid({ report }: World, { orders, attempts }: FinalState): void {
  for (const order of orders) {
    const paidBy = attempts.find(({ id }) => id === order.billing_attempt_id);
    const isPrepaid = order.billing_attempt_id === null && order.total === 0;
    if (!isPrepaid && paidBy?.status !== "SUCCEEDED")
      report("order = attempt = charge", `an order of ${order.total} is paid by ${paidBy?.status}`);
  }
}
