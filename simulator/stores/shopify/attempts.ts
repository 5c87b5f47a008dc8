import { hourMs, minuteMs } from "../../../src/base/lib/time/durations.ts";
import type { Attempt, FakeShopify, Order } from "../../../test/support/fake-shopify.ts";
import type { Authority, StoreCharge } from "../../kernel/store.ts";
import type { World } from "../../kernel/world.ts";
import type { StoreWatch } from "../watched.ts";
import { planAttempt } from "./outcomes.ts";

/** The billing attempts at the store, and when each settles. */
export type Attempts = {
  entries: StoreCharge[];
  /** Registers attempts that a request has created. */
  check: (authority: Authority) => void;
  passTime: () => void;
  instants: () => number[];
};

export function newAttempts(world: World, fake: FakeShopify, watch: StoreWatch): Attempts {
  const entries: StoreCharge[] = [];
  let due: Due[] = [];

  /** Sometimes a webhook reports the outcome; otherwise the app asks. */
  const notify = ({ attempt_id }: StoreCharge): void => {
    if (world.choices.chance(250))
      world.queue.put({ type: "charge", account_id: world.account.id, attempt_id }, world.clock);
  };

  /** Sometimes a success shows its order later, or never. A person who settles a review names no tax. */
  const hideOrder = (order: Order): void => {
    const after = world.choices.weighted(orderDelays);
    if (after === 0 || world.isQuiesced || (after === never && order.tax > 0)) return;
    order.isDeleted = true;
    const show = (): void => {
      order.isDeleted = false;
    };
    if (after !== never) due.push({ at: world.clock + after, happens: show });
  };

  const follow = (entry: StoreCharge, { state }: Attempt): void => {
    if (state.is === "challenged") entry.state = "action_required";
    if (state.is === "failed") entry.state = "declined";
    if (state.is === "succeeded") {
      const { total: amount, tax } = state.order;
      Object.assign(entry, { state: "succeeded", amount, tax });
      watch.charged(world, entry);
      hideOrder(state.order);
    }
    world.log(() => `(at the store charge ${entry.number} is ${entry.state})`);
    notify(entry);
  };

  const enter = (attempt: Attempt, authority: Authority): void => {
    const { outcome, after, answered } = planAttempt(world, attempt.allowsOverselling);
    watch.oversells(world, attempt.allowsOverselling);
    const entry: StoreCharge = {
      ...authority,
      key: attempt.key,
      number: entries.length + 1,
      amount: authority.attemptAmount,
      tax: 0,
      currency_code: attempt.contract.currency,
      state: "pending",
    };
    entries.push(entry);
    attempt.state = { is: "pending", reads: Number.POSITIVE_INFINITY, outcome };
    watch.charged(world, entry);
    const settle = (): void => {
      fake.settle(attempt.id);
      follow(entry, attempt);
    };
    const answer = (): void => {
      if (answered?.confirmed) watch.confirmed(world, entry);
      if (answered?.confirmed) fake.confirm(attempt.id);
      else fake.abandon(attempt.id);
      follow(entry, attempt);
    };
    due.push({ at: world.clock + after, happens: settle });
    if (answered) due.push({ at: world.clock + after + answered.after, happens: answer });
  };

  return {
    entries,
    check(authority) {
      for (const attempt of fake.attempts.slice(entries.length)) enter(attempt, authority);
    },
    passTime() {
      const come = due.filter(({ at }) => at <= world.clock).sort((a, b) => a.at - b.at);
      due = due.filter(({ at }) => at > world.clock);
      for (const { happens } of come) happens();
    },
    instants: () => due.map(({ at }) => at),
  };
}

const never = Number.POSITIVE_INFINITY;
const orderDelays: [number, number][] = [
  [0, 30],
  [5 * minuteMs, 2],
  [3 * hourMs, 1],
  [never, 1],
];

type Due = { at: number; happens: () => void };
