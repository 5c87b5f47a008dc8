import type { StoreCharge } from "../kernel/store.ts";
import type { World } from "../kernel/world.ts";
import { shopifyOf } from "../stores/shopify/opened.ts";
import { alertsOf } from "./alerts.ts";
import { areByCustomer } from "./confirmations.ts";

/**
 * Checks every charge at the store, whatever the database says, before a restore or after: a cycle of a life is charged once,
 * with the attempt's amount, and never for a subscription that was paused or over when the charge was claimed. A charge that
 * was claimed before may still arrive. Shopify takes no amount: it charges what a merchant has made of the contract after that was read,
 * and nothing else. Only a customer can pay a cycle twice, by confirming a challenge after it was given up and
 * another charge was under way.
 */
export function checkCharge(world: World, entry: StoreCharge): void {
  const { report, store } = world;
  const { number, amount, tax, attemptAmount, isBillable, isBlocked, activation, cycle } = entry;
  if (amount - tax !== attemptAmount && !mayBeEdited(world, entry) && !isPricedByMerchant(world, entry))
    report(
      "amount charged = attempt amount",
      `charge ${number}: ${amount}, ${tax} of it tax, for an attempt at ${attemptAmount}`,
    );
  if (!isBillable)
    report(
      "no charge after a committed cancel",
      `charge ${number} was claimed when its subscription was paused, over, or in another life`,
    );
  if (isBlocked)
    report(
      "no charge is begun while a dispute blocks",
      `charge ${number} was claimed when a dispute was known to block its subscription`,
    );
  if (entry.state !== "succeeded") return;
  const others = store.entries.filter(
    (other) => other !== entry && other.state === "succeeded" && isOfSameCycle(entry, other),
  );
  for (const other of others)
    if (!areByCustomer(entry, other) && ![entry, other].some((one) => isToBeRefunded(world, one)))
      report(
        "never charged twice for a cycle",
        `cycle ${activation}.${cycle} is charged by charge ${other.number} and charge ${number}`,
      );
}

/** A challenge that was confirmed when its cycle was not to be paid any more: people were told to refund it, so that it pays for nothing. */
function isToBeRefunded(world: World, charge: StoreCharge): boolean {
  return (
    charge.confirmedAtCommit !== undefined && alertsOf(world).reported.has(world.store.referenceOf(charge))
  );
}

function isOfSameCycle(a: StoreCharge, b: StoreCharge): boolean {
  return a.subscription_id === b.subscription_id && a.activation === b.activation && a.cycle === b.cycle;
}

/**
 * A restored database does not know that its contract is being charged, and may edit it meanwhile. A contract may be edited too once a
 * challenge was given up.
 */
function mayBeEdited(
  { platform, restoredTo }: World,
  { restores, commit, confirmedAtCommit }: StoreCharge,
): boolean {
  return (
    platform === "shopify" &&
    (confirmedAtCommit !== undefined || (restoredTo !== undefined && restores === 0 && commit > restoredTo))
  );
}

/** Whether a charge is what the merchant's last edit of the price has made of its contract, after that was read for the charge. */
function isPricedByMerchant(world: World, { key, amount, tax, contractReadAt }: StoreCharge): boolean {
  const shopify = shopifyOf(world);
  const edit = shopify?.contracts.priced.get(shopify.fake.attempt(key).contract.number);
  const isIt = edit !== undefined && edit.at >= (contractReadAt ?? 0) && edit.total === amount - tax;
  if (isIt) world.count("charges of what a merchant has edited");
  return isIt;
}
