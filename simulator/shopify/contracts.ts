import type { Job } from "../../src/job.ts";
import type { Contract, FakeShopify } from "../../test/support/fake-shopify.ts";
import type { World } from "../world.ts";

/** Who asked, if it was the app; `isLate` where the app cannot know that it has happened. */
export type Doer = { job: Job["type"] | undefined; isLate: boolean; bornAt: number };

/** As long the adapter has a contract to itself (hold.ts). */
const leaseMs = 120_000;

/** What is known of the contracts at the store beside what they are. */
export type Contracts = {
  /** Those that something has become of that the app is still to be told. */
  untold: number[];
  /** Those of which it was not told. */
  missed: Set<number>;
  /** Those that were made when nobody waited for them any more. */
  madeLate: Set<number>;
  /** Looks what has become of them by a request, or by a merchant. */
  check: (by: Doer) => void;
};

export const newContracts = (world: World, fake: FakeShopify): Contracts => {
  const seen = new Map<number, Pick<Contract, "revision" | "status">>();
  const contracts: Contracts = {
    untold: [],
    missed: new Set(),
    madeLate: new Set(),
    check({ job, isLate, bornAt }) {
      for (const { number, revision, status } of fake.contracts()) {
        const before = seen.get(number);
        seen.set(number, { revision, status });
        if (revision === before?.revision) continue;
        if (job === "charge" && before?.status === "PAUSED" && status === "ACTIVE")
          world.report("what is paused is not charged", "a charge has activated a paused contract");
        if (!before && (isLate || world.clock - bornAt >= leaseMs)) contracts.madeLate.add(number);
        if (isLate || world.choices.chance(60)) contracts.untold.push(number);
      }
    },
  };
  return contracts;
};
