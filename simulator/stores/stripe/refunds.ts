import { hourMs, minuteMs } from "../../../src/base/lib/time/durations.ts";
import type { FakeStripe } from "../../../test/support/fake-stripe.ts";
import type { RefundAtStore } from "../../kernel/store.ts";
import type { World } from "../../kernel/world.ts";
import { minorUnitsOf } from "./currencies.ts";

/** Refunds at Stripe, and when those that pend are over. */
export type Refunds = {
  readonly entries: RefundAtStore[];
  /** Runs what may make a refund. */
  make: <T>(run: () => Promise<T>) => Promise<T>;
  /** The merchant pays back at Stripe what is left of a charge, or about half of it, which every currency has; nothing where nothing is left of any. */
  payBackAtStripe: () => Promise<void>;
  passTime: () => void;
  instants: () => number[];
};

export function newRefunds(world: World, fake: FakeStripe, changed: () => void): Refunds {
  const made = new Set<string>();
  let due: { at: number; id: string; status: "succeeded" | "failed" }[] = [];
  const make: Refunds["make"] = async (run) => {
    const plan = world.choices.weighted(plans);
    fake.settings.refundsPend = plan !== undefined;
    const answer = await run();
    fake.settings.refundsPend = false;
    for (const { id } of fake.refunds()) {
      if (made.has(id)) continue;
      made.add(id);
      if (plan) due.push({ at: world.clock + plan.after, id, status: plan.status });
    }
    changed();
    return answer;
  };
  return {
    make,
    async payBackAtStripe() {
      const open = fake
        .charges()
        .filter(
          ({ status, disputed, amount, amount_refunded: back }) =>
            status === "succeeded" && !disputed && amount > back,
        );
      if (open.length === 0) return;
      const { payment_intent, amount, amount_refunded } = world.choices.pick(open);
      const left = amount - amount_refunded;
      const half = Math.floor(left / 200) * 100;
      const part = half > 0 && world.choices.chance(700) ? half : left;
      world.log(() => `the merchant pays ${part} back at Stripe`);
      world.count("refunds at the store");
      await make(async () => fake.refundAtStripe(payment_intent ?? "", part));
    },
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
