import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import { snapshotOf } from "../../src/domain/billing/snapshot.ts";
import { splitAmount } from "../../src/domain/explain/attempt-parts.ts";
import type { FinalState } from "../accounts/final-state.ts";
import type { StoreCharge } from "../kernel/store.ts";
import type { World } from "../kernel/world.ts";
import { alertsOf } from "./alerts.ts";

/**
 * A charge that was requested in the time that a restore undid may be missing: it is recorded when its cycle is billed again,
 * under the same key. Where its cycle never is (the subscription was cancelled or paused since, its date moved, that life did
 * not begin again), the restored database cannot know of it; the operator compares with the store (docs/build/charges.md). Other
 * rules check that its cycle is not billed under another key.
 */
export function isUndoneByRestore({ restoredTo }: World, { restores, commit }: StoreCharge): boolean {
  return restoredTo !== undefined && restores === 0 && commit > restoredTo;
}

export function checkMoney(world: World, finalState: FinalState): void {
  everyChargeIsRecorded(world, finalState);
  everySuccessWasCharged(world, finalState);
  everyOrderWasPaid(world, finalState);
  everyOtherAmountIsTold(world, finalState);
  everyAmountIsExplained(world, finalState);
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
    const reportedAfter = alertsOf(world).reported.get(world.store.referenceOf(charge));
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
 * Whether an amount beyond the one asked for counts as tax: the store shows no order that would say what it is, and the order has
 * all of it.
 */
function isTakenForTax(
  { entries }: FinalState,
  { id, amount, store_reference }: FinalState["attempts"][number],
  charge: StoreCharge | undefined,
): boolean {
  const recorded = entries
    .filter(({ action }) => action === "billing_succeeded")
    .map(({ metadata }) => JSON.parse(metadata ?? "{}"))
    .find(({ billing_attempt_id }) => billing_attempt_id === id);
  return charge !== undefined && charge.amount > amount && recorded?.store_order_id === store_reference;
}

function everySuccessWasCharged(world: World, finalState: FinalState): void {
  const { charges, attempts, orders } = finalState;
  const { report } = world;
  for (const attempt of attempts.filter(({ status }) => status === "SUCCEEDED")) {
    const charge = recordedBy(world, attempt, charges);
    const { amount, tax } = charge ?? { amount: 0, tax: 0 };
    if (amount - tax !== attempt.amount && !isTakenForTax(finalState, attempt, charge))
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

/** Where the store has charged another amount than it was asked for, people are told and the history says both, unless they have said so themselves. */
function everyOtherAmountIsTold(world: World, { attempts, charges, entries }: FinalState): void {
  const recorded = entries.filter(
    ({ action, actor_type }) => action === "billing_succeeded" && actor_type === "system",
  );
  for (const { metadata } of recorded) {
    const { billing_attempt_id: id, requested_amount } = JSON.parse(metadata ?? "{}");
    const attempt = attempts.find((one) => one.id === id);
    const charge = attempt && recordedBy(world, attempt, charges);
    if (!charge || isUndoneByRestore(world, charge)) continue;
    const isOther = !carriesEarlierCharge(attempt) && charge.attemptAmount !== attempt.amount;
    if (isOther && requested_amount === undefined)
      world.report("another amount is told", `the history of charge ${charge.number} does not say so`);
    if (requested_amount !== undefined && !alertsOf(world).otherAmounts.has(id))
      world.report("another amount is told", `no alert says so of charge ${charge.number}`);
  }
}

/** The parts by which an attempt is explained add up to its amount; none of them is a difference where the charge was as it was frozen. */
function everyAmountIsExplained({ report }: World, { attempts, entries }: FinalState): void {
  const other = new Set(
    entries
      .filter(({ action }) => action === "billing_succeeded")
      .map(({ metadata }) => JSON.parse(metadata ?? "{}"))
      .filter(({ requested_amount }) => requested_amount !== undefined)
      .map(({ billing_attempt_id }) => billing_attempt_id),
  );
  for (const attempt of attempts) {
    const parts = splitAmount(snapshotOf(attempt), attempt.amount);
    const sum = parts.reduce((whole, { amount }) => whole + amount, 0);
    const isAsFrozen = !other.has(attempt.id) && !carriesEarlierCharge(attempt);
    const isApart = isAsFrozen && attempt.status !== "SUCCEEDED" && parts.some(({ of }) => of === "other");
    if (sum !== attempt.amount || isApart)
      report("parts = amount", `${attempt.amount} is explained by parts of ${sum}`);
  }
}
