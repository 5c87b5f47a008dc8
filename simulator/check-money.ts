import type { FinalState } from "./final-state.ts";
import type { StoreCharge } from "./simulated-store.ts";
import type { World } from "./world.ts";

/**
 * A charge that was requested in the time that a restore undid may be missing: it is recorded when its cycle is billed again,
 * under the same key. Where its cycle never is (the subscription was cancelled or paused since, its date moved, that life did
 * not begin again), the restored database cannot know of it; the operator compares with the store (docs/billing.md). Other
 * rules check that its cycle is not billed under another key.
 */
export const isUndoneByRestore = ({ restoredTo }: World, { restores, commit }: StoreCharge): boolean =>
  restoredTo !== undefined && restores === 0 && commit > restoredTo;

const everyChargeIsRecorded = (world: World, { charges, attempts }: FinalState): void => {
  for (const charge of charges.filter(({ state }) => state === "succeeded")) {
    const ofKey = attempts.filter(
      ({ store_key, status }) => store_key === charge.key && status !== "CANCELLED",
    );
    if (ofKey.some(({ status }) => status === "SUCCEEDED")) continue;
    if (isUndoneByRestore(world, charge) && ofKey.length === 0) continue;
    const statuses = ofKey.map(({ status, error_code }) => `${status} ${error_code ?? ""}`).join();
    world.report(
      "an order for every charge",
      `charge ${charge.number} of ${charge.amount} is recorded as ${statuses || "nothing"}`,
    );
  }
};

const everySuccessWasCharged = ({ report }: World, { charges, attempts, orders }: FinalState): void => {
  for (const attempt of attempts.filter(({ status }) => status === "SUCCEEDED")) {
    const charge = charges.find(({ key, state }) => key === attempt.store_key && state === "succeeded");
    const { amount, tax } = charge ?? { amount: 0, tax: 0 };
    if (amount - tax !== attempt.amount)
      report("order = attempt = charge", `${attempt.amount} is recorded, ${amount} charged, ${tax} for tax`);
    const ordered = orders.filter(({ billing_attempt_id }) => billing_attempt_id === attempt.id);
    const [order] = ordered;
    if (ordered.length !== 1 || order?.total !== amount || order.id !== attempt.order_id)
      report("order = attempt = charge", `${ordered.length} orders of a success, ${order?.total} in total`);
  }
};

const everyOrderWasPaid = ({ report }: World, { orders, attempts }: FinalState): void => {
  for (const order of orders) {
    const paidBy = attempts.find(({ id }) => id === order.billing_attempt_id);
    const isPrepaid = order.billing_attempt_id === null && order.total === 0;
    if (!isPrepaid && paidBy?.status !== "SUCCEEDED")
      report("order = attempt = charge", `an order of ${order.total} is paid by ${paidBy?.status}`);
  }
};

export const checkMoney = (world: World, finalState: FinalState): void => {
  everyChargeIsRecorded(world, finalState);
  everySuccessWasCharged(world, finalState);
  everyOrderWasPaid(world, finalState);
};
