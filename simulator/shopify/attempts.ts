import type { Attempt, FakeShopify } from "../../test/support/fake-shopify.ts";
import { checkCharge } from "../money.ts";
import type { Authority, Entry } from "../outside.ts";
import type { World } from "../world.ts";
import { courseOf } from "./courses.ts";

/** The billing attempts at the store, one entry each, and what is to become of them when. */
export type Attempts = {
  entries: Entry[];
  /** Looks whether an attempt has been made on somebody's behalf. */
  check: (authority: Authority) => void;
  passTime: () => void;
  instants: () => number[];
};

type Due = { at: number; happens: () => void };

export const newAttempts = (world: World, fake: FakeShopify): Attempts => {
  const entries: Entry[] = [];
  let due: Due[] = [];

  /** The app is told of it now and then; else it asks. */
  const tell = ({ attempt_id }: Entry): void => {
    if (world.choices.chance(250))
      world.queue.put({ type: "charge", account_id: world.account.id, attempt_id }, world.clock);
  };

  const follow = (entry: Entry, { state }: Attempt): void => {
    if (state.is === "challenged") entry.state = "action_required";
    if (state.is === "failed") entry.state = "declined";
    if (state.is === "succeeded") {
      const { total: amount, tax } = state.order;
      Object.assign(entry, { state: "succeeded", amount, tax });
      checkCharge(world, entry);
    }
    world.tell(() => `(at the store charge ${entry.number} is ${entry.state})`);
    tell(entry);
  };

  const enter = (attempt: Attempt, authority: Authority): void => {
    const { outcome, after, answered } = courseOf(world);
    const entry: Entry = {
      ...authority,
      key: attempt.key,
      number: entries.length + 1,
      amount: authority.frozenAmount,
      tax: 0,
      currency_code: attempt.contract.currency,
      state: "pending",
    };
    entries.push(entry);
    attempt.state = { is: "pending", reads: Number.POSITIVE_INFINITY, outcome };
    checkCharge(world, entry);
    const settle = (): void => {
      fake.settle(attempt.id);
      follow(entry, attempt);
    };
    const answer = (): void => {
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
};
