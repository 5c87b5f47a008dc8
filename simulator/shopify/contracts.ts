import type { Contract, FakeShopify } from "../../test/support/fake-shopify.ts";
import type { World } from "../world.ts";

/** What is known of the contracts at the store beside what they are. */
export type Contracts = {
  /** Those that something has become of that the app is still to be told. */
  untold: number[];
  /** Those of which it was not told. */
  missed: Set<number>;
  /** Looks what has become of them: by whom, and whether nobody may know. */
  heed: (by: string | undefined, isUnexpected: boolean) => void;
};

export const newContracts = (world: World, fake: FakeShopify): Contracts => {
  const seen = new Map<number, Pick<Contract, "revision" | "status">>();
  const contracts: Contracts = {
    untold: [],
    missed: new Set(),
    heed(by, isUnexpected) {
      for (const { number, revision, status } of fake.contracts()) {
        const before = seen.get(number);
        seen.set(number, { revision, status });
        if (revision === before?.revision) continue;
        if (by === "charge" && before?.status === "PAUSED" && status === "ACTIVE")
          world.report("what is paused is not charged", "a charge has activated a paused contract");
        if (isUnexpected || world.choices.chance(60)) contracts.untold.push(number);
      }
    },
  };
  return contracts;
};
