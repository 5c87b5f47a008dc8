import type { Job } from "../../../src/base/job.ts";
import type { Contract, FakeShopify } from "../../../test/support/fake-shopify.ts";
import type { World } from "../../kernel/world.ts";

/** The job that sent a request, if any; `isLate` where its sender had given up. */
type Origin = { job: Job["type"] | undefined; isLate: boolean; bornAt: number };

export function newContracts(world: World, fake: FakeShopify): Contracts {
  const seen = new Map<number, Pick<Contract, "revision" | "status">>();
  const contracts: Contracts = {
    pendingWebhooks: [],
    lostWebhooks: new Set(),
    createdLate: new Set(),
    priced: new Map(),
    check({ job, isLate, bornAt }) {
      for (const { number, revision, status } of fake.contracts()) {
        const before = seen.get(number);
        seen.set(number, { revision, status });
        if (revision === before?.revision) continue;
        if (job === "charge" && before?.status === "PAUSED" && status === "ACTIVE")
          world.report("a paused contract is not charged", "a charge has activated a paused contract");
        if (!before && (isLate || world.clock - bornAt >= leaseMs)) contracts.createdLate.add(number);
        if (isLate || world.choices.chance(60)) contracts.pendingWebhooks.push(number);
      }
    },
  };
  return contracts;
}

/** The lease of a contract (src/stores/shopify/contracts/contract-lease.ts). */
const leaseMs = 120_000;

/** The simulator's notes about the contracts at the store. */
export type Contracts = {
  /** Numbers of contracts whose webhook has not been delivered yet. */
  pendingWebhooks: number[];
  /** Numbers of contracts whose webhook was lost. */
  lostWebhooks: Set<number>;
  /** Numbers of contracts that were created after their sender had given up. */
  createdLate: Set<number>;
  /** By number, what a contract costs without tax by the merchant's last edit of its price, and how many requests came before that. */
  priced: Map<number, { at: number; total: number }>;
  /** Notes what a request, or a merchant, has changed. */
  check: (origin: Origin) => void;
};
