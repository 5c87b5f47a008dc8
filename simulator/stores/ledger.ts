import { dayMs, hourMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import type { Charge, ChargeAnswer, Failure, KnownCharge } from "../../src/stores/port.ts";
import type { Choices } from "../kernel/choices.ts";
import type { Authority, SimulatedStore, StoreCharge } from "../kernel/store.ts";
import { newStoreRefunds, type StoreRefunds } from "./store-refunds.ts";
import { outOfStock } from "./watched.ts";

type State = StoreCharge["state"];

/** A charge in the ledger. */
type Entry = StoreCharge & {
  code: string;
  /** How it settles by itself, and when. */
  settlesAs: { state: "succeeded" | "declined"; code: string; at: number } | undefined;
  /** From when on a success shows its order; until then the answer is that it is pending. */
  showsOrderAt: number;
  createdAt: number;
};

type Late = { charge: Charge; authority: Authority; at: number };

export type Ledger = Omit<SimulatedStore, "open" | "weights" | "customer" | "cards" | "drawCurrency"> & {
  refunds: StoreRefunds;
  entries: Entry[];
  charge: (charge: Charge, authority: Authority) => ChargeAnswer;
  find: (charge: Pick<KnownCharge, "key" | "reference">) => ChargeAnswer | undefined;
  withdraw: (key: string) => ChargeAnswer | undefined;
  contractOf: (subscriptionId: string) => number;
  /** A request whose sender gave up, and that arrives later. */
  sendLate: (late: Late) => void;
};

/**
 * A store with a ledger outside the database, so that no restore rewinds it. The outcome of a key is drawn when the key is
 * first seen, and stays. With `forgets` it forgets keys after a day, as stores may; but not where the database is restored,
 * since only a store that still knows the keys recognises the older charges (docs/build/charges.md).
 */
export function newLedger(
  choices: Choices,
  now: () => number,
  { isQuiesced, isPoor, isOff, isChallenged, forgets, check, noteConfirmation }: Surroundings,
): Ledger {
  const entries: Entry[] = [];
  const contracts: string[] = [];
  let late: Late[] = [];

  const settle = (entry: Entry): Entry => {
    if (entry.settlesAs && entry.settlesAs.at <= now()) {
      const isConfirmed = entry.state === "action_required" && entry.settlesAs.state === "succeeded";
      if (isConfirmed) noteConfirmation(entry);
      entry.state = entry.settlesAs.state;
      entry.code = entry.settlesAs.code;
      entry.settlesAs = undefined;
      check(entry);
    }
    return entry;
  };
  const latest = (key: string): Entry | undefined => {
    const entry = entries.findLast((candidate) => candidate.key === key);
    return entry && settle(entry);
  };
  const isForgotten = ({ createdAt }: Entry): boolean => forgets() && now() - createdAt > keyLife;

  const possible = () => {
    if (isOff()) return offOutcomes;
    if (isQuiesced()) return plainOutcomes;
    if (isChallenged()) return challengedOutcomes;
    return isPoor() ? poorOutcomes : outcomes;
  };

  const enter = (charge: Charge, authority: Authority): Entry => {
    const { key, amount, currency_code, oversells, store_payment_method_id: method } = charge;
    const drawn = amount === 0 ? free : choices.weighted(possible());
    const isSoldAnyway = drawn.code === outOfStock && oversells && choices.chance(700);
    const { state, code = "", settlesAs, showsOrderAfter = 0 } = isSoldAnyway ? sold : drawn;
    /** A person who settles a review names no tax. */
    const tax = Number.isFinite(showsOrderAfter) ? choices.weighted(taxes) : 0;
    const entry: Entry = {
      ...authority,
      key,
      method,
      amount: amount + tax,
      tax,
      currency_code,
      state,
      code,
      number: entries.length + 1,
      settlesAs: settlesAs && {
        state: settlesAs.state,
        code: settlesAs.code ?? "",
        at: now() + settlesAs.after,
      },
      showsOrderAt: now() + showsOrderAfter,
      createdAt: now(),
    };
    entries.push(entry);
    check(entry);
    return entry;
  };

  const refunds = newStoreRefunds(choices, now);
  const ledger: Ledger = {
    entries,
    refunds,
    referenceOf,
    orderOf: ({ number }) => `order-${number}`,
    showsOrderOf: () => true,
    requests: 0,
    charge(charge, authority) {
      ledger.requests++;
      const known = latest(charge.key);
      return answerOf(known && !isForgotten(known) ? known : enter(charge, authority), now());
    },
    find({ key, reference }) {
      const referred = entries.find((entry) => referenceOf(entry) === reference);
      const entry = referred ? settle(referred) : latest(key);
      return entry && answerOf(entry, now());
    },
    withdraw(key) {
      const entry = latest(key);
      if (entry?.state === "action_required")
        Object.assign(entry, { state: "declined", code: "withdrawn", settlesAs: undefined });
      return entry && answerOf(entry, now());
    },
    contractOf(subscriptionId) {
      if (!contracts.includes(subscriptionId)) contracts.push(subscriptionId);
      return contracts.indexOf(subscriptionId) + 1;
    },
    sendLate: (one) => void late.push(one),
    async passTime() {
      const arrived = late.filter(({ at }) => at <= now());
      late = late.filter(({ at }) => at > now());
      for (const { charge, authority } of arrived) ledger.charge(charge, authority);
      for (const entry of entries) settle(entry);
      refunds.passTime();
    },
    nextAt() {
      const instants = [
        ...refunds.nextAt(),
        ...late.map(({ at }) => at),
        ...entries.flatMap(({ settlesAs }) => settlesAs?.at ?? []),
      ];
      return instants.length === 0 ? undefined : Math.min(...instants);
    },
  };
  return ledger;
}

/** Stores keep keys for at least as long (docs/build/charges.md). */
const keyLife = dayMs;

/** Not a decline: the merchant has to act. */
const gatewayOff = "payment_provider_is_not_enabled";

/** Whose failure a code is, where it is not the customer's. */
const failures: Record<string, Failure["failure"]> = { [gatewayOff]: "merchant", [outOfStock]: "stock" };

type Outcome = {
  state: State;
  code?: string;
  settlesAs?: { state: "succeeded" | "declined"; code?: string; after: number };
  showsOrderAfter?: number;
};
const outcomes: readonly (readonly [Outcome, number])[] = [
  [{ state: "succeeded" }, 60],
  [{ state: "declined", code: "insufficient_funds" }, 12],
  [{ state: "declined", code: "expired_card" }, 6],
  [{ state: "pending", settlesAs: { state: "succeeded", after: 3 * minuteMs } }, 5],
  [{ state: "pending", settlesAs: { state: "succeeded", after: 5 * hourMs } }, 4],
  [{ state: "pending", settlesAs: { state: "declined", code: "card_declined", after: 20 * minuteMs } }, 4],
  [{ state: "action_required", settlesAs: { state: "succeeded", after: 30 * minuteMs } }, 4],
  [
    {
      state: "action_required",
      settlesAs: { state: "declined", code: "authentication_expired", after: dayMs },
    },
    5,
  ],
  [{ state: "succeeded", showsOrderAfter: 3 * hourMs }, 2],
  [{ state: "succeeded", showsOrderAfter: Number.POSITIVE_INFINITY }, 1],
  [{ state: "declined", code: outOfStock }, 3],
];
/** Most customers are challenged, and some confirm days after the payment was given up. */
const challengedOutcomes: readonly (readonly [Outcome, number])[] = [
  [{ state: "succeeded" }, 8],
  [{ state: "declined", code: "insufficient_funds" }, 2],
  ...[1, 60, 80, 100, 150, 200].map(
    (hours) =>
      [{ state: "action_required", settlesAs: { state: "succeeded", after: hours * hourMs } }, 3] as const,
  ),
  [
    {
      state: "action_required",
      settlesAs: { state: "declined", code: "authentication_expired", after: 220 * hourMs },
    },
    6,
  ],
];
const poorOutcomes = outcomes.slice(0, 3).map(([outcome], nth) => [outcome, [2, 6, 2][nth]!] as const);
/** Some stores add tax to what they are asked to charge. */
const taxes: readonly (readonly [number, number])[] = [
  [0, 8],
  [123, 2],
];
const plainOutcomes = outcomes.slice(0, 2);
/** The merchant's payment provider is off. */
const offOutcomes: typeof outcomes = [
  [{ state: "declined", code: gatewayOff }, 26],
  [{ state: "declined", code: outOfStock }, 4],
  [{ state: "succeeded" }, 1],
  [{ state: "declined", code: "insufficient_funds" }, 1],
];

/** The store sells what is out of stock, where it is asked to and allows it. */
const sold: Outcome = { state: "succeeded" };

/** A charge of 0 asks for no payment. */
const free: Outcome = { state: "succeeded" };

type Surroundings = {
  isQuiesced: () => boolean;
  isPoor: () => boolean;
  isOff: () => boolean;
  isChallenged: () => boolean;
  forgets: () => boolean;
  /** Called when a charge is entered, and again when it settles. */
  check: (charge: StoreCharge) => void;
  /** Called when a customer has confirmed a challenge. */
  noteConfirmation: (charge: StoreCharge) => void;
};

function referenceOf({ number }: StoreCharge): string {
  return `charge-${number}`;
}

function answerOf(entry: Entry, now: number): ChargeAnswer {
  const reference = referenceOf(entry);
  const isOrderMissing = entry.state === "succeeded" && now < entry.showsOrderAt;
  if (entry.state === "pending" || isOrderMissing) return { outcome: "pending", reference };
  if (entry.state === "action_required")
    return { outcome: "action_required", reference, url: `https://store.invalid/${entry.number}` };
  if (entry.state === "declined")
    return {
      outcome: "declined",
      reference,
      failure: failures[entry.code] ?? "customer",
      code: entry.code,
      message: entry.code,
      isFinal: /expired/.test(entry.code),
      isRefused: false,
    };
  return {
    outcome: "succeeded",
    reference,
    store_order_id: `order-${entry.number}`,
    store_order_number: null,
    amount: entry.amount,
    tax_amount: entry.tax,
    fees_amount: 0,
    currency_code: entry.currency_code,
  };
}
