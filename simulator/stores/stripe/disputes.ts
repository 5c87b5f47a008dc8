import { dayMs, hourMs } from "../../../src/base/lib/time/durations.ts";
import type { ClosedStatus } from "../../../test/support/fake-stripe/disputes.ts";
import type { Dispute, DisputeStatus, FakeStripe } from "../../../test/support/fake-stripe.ts";
import type { World } from "../../kernel/world.ts";

/** Disputes at Stripe, and what banks and the merchant make of them. */
export type Disputes = {
  entries: Dispute[];
  /** The payments that were made and that nobody has disputed. */
  undisputed: () => string[];
  /** The customer disputes a payment; how that goes on, and when, is drawn. */
  open: (intentId: string) => void;
  /** When something has last happened to a dispute. */
  changedAt: (id: string) => number;
  passTime: () => void;
  instants: () => number[];
};

export function newDisputes(world: World, fake: FakeStripe, changed: () => void): Disputes {
  const entries: Dispute[] = [];
  const changes = new Map<string, number>();
  let due: { at: number; id: string; status: Step["status"] }[] = [];

  const note = (id: string, status: DisputeStatus): void => {
    changes.set(id, world.clock);
    world.log(() => `(at the store dispute ${id} is ${status})`);
    changed();
  };
  return {
    entries,
    undisputed: () =>
      fake
        .charges()
        .filter(({ status, disputed }) => status === "succeeded" && !disputed)
        .flatMap(({ payment_intent }) => payment_intent ?? []),
    open(intentId) {
      const isInquiry = world.choices.chance(300);
      const dispute = fake.dispute(intentId, { isInquiry });
      entries.push(dispute);
      for (const { after, status } of world.choices.weighted(isInquiry ? inquiries : chargebacks))
        due.push({ at: world.clock + after, id: dispute.id, status });
      note(dispute.id, dispute.status);
    },
    changedAt: (id) => changes.get(id) ?? 0,
    passTime() {
      const come = due.filter(({ at }) => at <= world.clock).sort((a, b) => a.at - b.at);
      due = due.filter(({ at }) => at > world.clock);
      for (const { id, status } of come) {
        if (isOver(status)) fake.closeDispute(id, status);
        else fake.changeDispute(id, status);
        note(id, status);
      }
    },
    instants: () => due.map(({ at }) => at),
  };
}

function isOver(status: DisputeStatus): status is ClosedStatus {
  return status === "won" || status === "lost" || status === "warning_closed";
}

/** A state that a dispute comes to, so long after it was opened. */
type Step = { status: DisputeStatus; after: number };

function won(after: number): Step {
  return { status: "won", after };
}

function lost(after: number): Step {
  return { status: "lost", after };
}

function reviewed(after: number): Step {
  return { status: "under_review", after };
}

/** The courses of a dispute; one of none is still open in the end. */
const chargebacks: readonly (readonly [Step[], number])[] = [
  [[], 2],
  [[won(5 * hourMs)], 3],
  [[won(3 * dayMs)], 3],
  [[reviewed(hourMs), won(7 * dayMs)], 3],
  [[lost(5 * hourMs)], 2],
  [[lost(2 * dayMs)], 3],
  [[reviewed(5 * hourMs), lost(4 * dayMs)], 2],
];

const inquiries: readonly (readonly [Step[], number])[] = [
  [[], 1],
  [[{ status: "warning_closed", after: 2 * dayMs }], 3],
  [
    [
      { status: "warning_under_review", after: hourMs },
      { status: "warning_closed", after: 5 * dayMs },
    ],
    2,
  ],
  [[{ status: "needs_response", after: 5 * hourMs }, won(3 * dayMs)], 2],
  [[{ status: "needs_response", after: dayMs }, lost(4 * dayMs)], 2],
];
