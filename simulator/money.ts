import type { Entry } from "./outside.ts";
import type { World } from "./world.ts";

const isOfSameCycle = (a: Entry, b: Entry): boolean =>
  a.subscription_id === b.subscription_id && a.activation === b.activation && a.cycle === b.cycle;

/**
 * What must hold at the store whatever the database says, before a restore or after, and is held against every charge
 * as it is made: a cycle of a life is charged once, with the amount that was frozen, and never for a subscription that
 * had been paused or was over when the charge was claimed. What was claimed before that may still arrive.
 */
export const checkCharge = (world: World, entry: Entry): void => {
  const { report, store } = world;
  const { number, amount, tax, frozenAmount, isWanted, activation, cycle } = entry;
  if (amount - tax !== frozenAmount && !mayBeEdited(world, entry))
    report(
      "amount charged = amount frozen",
      `charge ${number}: ${amount}, ${tax} of it tax, for a frozen ${frozenAmount}`,
    );
  if (!isWanted)
    report(
      "no charge after a committed cancel",
      `charge ${number} was claimed when its subscription was paused, over, or in another life`,
    );
  if (entry.state !== "succeeded") return;
  const made = store.entries.filter((other) => other.state === "succeeded" && isOfSameCycle(entry, other));
  if (made.length > 1)
    report(
      "never charged twice for a cycle",
      `cycle ${activation}.${cycle} is charged by ${made.map((other) => `charge ${other.number}`).join(" and ")}`,
    );
};

/** A restored database does not know that its contract is being charged, and may have edited it meanwhile. */
const mayBeEdited = ({ platform, restoredTo }: World, { restores, commit }: Entry): boolean =>
  platform === "shopify" && restoredTo !== undefined && restores === 0 && commit > restoredTo;
