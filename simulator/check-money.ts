import type { BillingAttempt } from "../src/billing/tables.ts";
import type { FinalState } from "./final-state.ts";
import type { Entry as Charge } from "./outside.ts";
import type { World } from "./world.ts";

/**
 * A charge that was asked for in the time that a restore has undone may be missing: it is recorded when its cycle is
 * billed again, under the same key. Where that has not come to pass (the subscription was cancelled or paused since, its
 * date has been moved, it never began that life again), the restored database cannot know of it: the operator's
 * comparison with the store tells (docs/billing.md). That its cycle is not billed under another key is for the others.
 */
export const isUndone = ({ restoredTo }: World, { restores, commit }: Charge): boolean =>
  restoredTo !== undefined && restores === 0 && commit > restoredTo;

/** What the restored database says of a key whose charge it cannot know of. */
const isUnaware = ({ status, error_code }: BillingAttempt): boolean =>
  status === "REVIEW" && error_code === "amount_mismatch";

const everyChargeIsRecorded = (world: World, { charges, attempts }: FinalState): void => {
  for (const charge of charges.filter(({ state }) => state === "succeeded")) {
    const ofKey = attempts.filter(
      ({ store_key, status }) => store_key === charge.key && status !== "CANCELLED",
    );
    if (ofKey.some(({ status }) => status === "SUCCEEDED")) continue;
    if (isUndone(world, charge) && ofKey.every(isUnaware)) continue;
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
