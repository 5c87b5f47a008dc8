import { hourMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import type { Refund, StoreRefund } from "../../src/stores/port/refunds.ts";
import { StoreRefusalError } from "../../src/stores/port.ts";
import type { Choices } from "../kernel/choices.ts";
import type { RefundAtStore } from "../kernel/store.ts";

export type StoreRefunds = {
  entries: RefundAtStore[];
  /** Pays a key back once, whatever else was paid back of the charge: no store saves the service from its own mistakes here. */
  make: (refund: Refund) => StoreRefund;
  list: (charge: string) => StoreRefund[];
  /** A request whose sender gave up, and that arrives later. */
  sendLate: (refund: Refund, at: number) => void;
  passTime: () => void;
  nextAt: () => number[];
};

/** The refunds of a store that is a ledger. What becomes of a key is drawn when it is first seen, unless that is refused. */
export function newStoreRefunds(choices: Choices, now: () => number): StoreRefunds {
  const entries: RefundAtStore[] = [];
  let late: { refund: Refund; at: number }[] = [];

  const settle = (entry: RefundAtStore): RefundAtStore => {
    const { settlesAs } = entry;
    if (settlesAs && settlesAs.at <= now()) {
      entry.status = settlesAs.status;
      delete entry.settlesAs;
    }
    return entry;
  };
  const enter = ({ key, reference: charge, amount, reason }: Refund): RefundAtStore => {
    const { status, settlesAs } = choices.weighted(outcomes);
    if (status === "refused") throw new StoreRefusalError("The store pays nothing back now", ["not_now"]);
    const entry: RefundAtStore = {
      ...{ key, charge, amount, reason, status },
      reference: `paid-back-${entries.length + 1}`,
      created_at: new Date(now()).toISOString(),
      ...(settlesAs ? { settlesAs: { status: settlesAs.status, at: now() + settlesAs.after } } : {}),
    };
    entries.push(entry);
    return entry;
  };

  const store: StoreRefunds = {
    entries,
    make: (refund) => ({ ...settle(entries.find(({ key }) => key === refund.key) ?? enter(refund)) }),
    list: (charge) =>
      entries.filter((entry) => entry.charge === charge).map((entry) => ({ ...settle(entry) })),
    sendLate: (refund, at) => void late.push({ refund, at }),
    passTime() {
      const arrived = late.filter(({ at }) => at <= now());
      late = late.filter(({ at }) => at > now());
      for (const { refund } of arrived) makeUnheard(store, refund);
      for (const entry of entries) settle(entry);
    },
    nextAt: () => [...late.map(({ at }) => at), ...entries.flatMap(({ settlesAs }) => settlesAs?.at ?? [])],
  };
  return store;
}

/** Nobody hears the answer to a request that arrives late. */
function makeUnheard({ make }: StoreRefunds, refund: Refund): void {
  try {
    make(refund);
  } catch (error) {
    if (!(error instanceof StoreRefusalError)) throw error;
  }
}

type Outcome = {
  status: StoreRefund["status"] | "refused";
  settlesAs?: { status: "SUCCEEDED" | "FAILED"; after: number };
};
const outcomes: readonly (readonly [Outcome, number])[] = [
  [{ status: "SUCCEEDED" }, 12],
  [{ status: "PENDING", settlesAs: { status: "SUCCEEDED", after: 20 * minuteMs } }, 4],
  [{ status: "PENDING", settlesAs: { status: "FAILED", after: 5 * hourMs } }, 2],
  [{ status: "FAILED" }, 1],
  [{ status: "refused" }, 2],
];
