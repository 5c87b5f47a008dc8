import { hourMs, minuteMs } from "../../src/base/lib/durations.ts";
import type { FakeStripe } from "../../test/support/fake-stripe.ts";
import type { RefundAtStore } from "../refunds/store-refunds.ts";
import type { World } from "../world.ts";
import { minorUnitsOf } from "./currencies.ts";

/** Refunds at Stripe, and when those that pend are over. */
export type Refunds = {
  readonly entries: RefundAtStore[];
  /** Runs what may make a refund. */
  make: <T>(run: () => Promise<T>) => Promise<T>;
  /** How many times the database was restored when a refund was made. */
  restoresAt: (reference: string) => number;
  passTime: () => void;
  instants: () => number[];
};

export function newRefunds(world: World, fake: FakeStripe, changed: () => void): Refunds {
  const made = new Map<string, number>();
  let due: { at: number; id: string; status: "succeeded" | "failed" }[] = [];
  return {
    get entries() {
      return fake.refunds().map(({ id, amount, currency, status, payment_intent, metadata, created }) => ({
        reference: id,
        charge: payment_intent ?? "",
        key: metadata.key ?? null,
        amount: minorUnitsOf(amount, currency),
        status: stateOf(status),
        reason: metadata.reason ?? null,
        created_at: new Date(created * 1000).toISOString(),
      }));
    },
    async make(run) {
      const plan = world.choices.weighted(plans);
      fake.settings.refundsPend = plan !== undefined;
      const answer = await run();
      fake.settings.refundsPend = false;
      for (const { id } of fake.refunds()) {
        if (made.has(id)) continue;
        made.set(id, world.restores);
        if (plan) due.push({ at: world.clock + plan.after, id, status: plan.status });
      }
      changed();
      return answer;
    },
    restoresAt: (reference) => made.get(reference) ?? 0,
    passTime() {
      const come = due.filter(({ at }) => at <= world.clock);
      due = due.filter(({ at }) => at > world.clock);
      for (const { id, status } of come) fake.settleRefund(id, status);
      if (come.length > 0) changed();
    },
    instants: () => due.map(({ at }) => at),
  };
}

function stateOf(status: string): RefundAtStore["status"] {
  if (status === "succeeded") return "SUCCEEDED";
  return status === "pending" ? "PENDING" : "FAILED";
}

/** When a refund that pends is over, and how; undefined for one that is paid at once. */
type Plan = { after: number; status: "succeeded" | "failed" } | undefined;
const plans: readonly (readonly [Plan, number])[] = [
  [undefined, 12],
  [{ after: 20 * minuteMs, status: "succeeded" }, 4],
  [{ after: 5 * hourMs, status: "failed" }, 2],
];
