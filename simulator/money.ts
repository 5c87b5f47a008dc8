import type { StoreCharge } from "./simulated-store.ts";
import type { World } from "./world.ts";

const isOfSameCycle = (a: StoreCharge, b: StoreCharge): boolean =>
  a.subscription_id === b.subscription_id && a.activation === b.activation && a.cycle === b.cycle;

/**
 * Checks every charge at the store, whatever the database says, before a restore or after: a cycle of a life is charged once,
 * with the attempt's amount, and never for a subscription that was paused or over when the charge was claimed. A charge that
 * was claimed before may still arrive.
 */
export const checkCharge = (world: World, entry: StoreCharge): void => {
  const { report, store } = world;
  const { number, amount, tax, attemptAmount, isBillable, activation, cycle } = entry;
  if (amount - tax !== attemptAmount && !mayBeEdited(world, entry))
    report(
      "amount charged = attempt amount",
      `charge ${number}: ${amount}, ${tax} of it tax, for an attempt at ${attemptAmount}`,
    );
  if (!isBillable)
    report(
      "no charge after a committed cancel",
      `charge ${number} was claimed when its subscription was paused, over, or in another life`,
    );
  if (entry.state !== "succeeded") return;
  const succeeded = store.entries.filter(
    (other) => other.state === "succeeded" && isOfSameCycle(entry, other),
  );
  if (succeeded.length > 1)
    report(
      "never charged twice for a cycle",
      `cycle ${activation}.${cycle} is charged by ${succeeded.map((other) => `charge ${other.number}`).join(" and ")}`,
    );
};

/** A restored database does not know that its contract is being charged, and may edit it meanwhile. */
const mayBeEdited = ({ platform, restoredTo }: World, { restores, commit }: StoreCharge): boolean =>
  platform === "shopify" && restoredTo !== undefined && restores === 0 && commit > restoredTo;
