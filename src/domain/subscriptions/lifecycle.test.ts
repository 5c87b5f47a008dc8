/** Each operation leads each status to one outcome, and the flags of a subscription say beforehand what it may do. */
import { describe, expect, test } from "vitest";
import { DomainError } from "../../base/errors.ts";
import {
  cyclesAgreed,
  endOfWait,
  flagsOf,
  isAllowed,
  isBeyondLastCycle,
  isOver,
  isReached,
  type Operation,
  owesPayment,
  requireAllowed,
  requireNotBilling,
  withoutWait,
} from "./lifecycle.ts";
import { type Subscription, type SubscriptionStatus, subscriptionStatuses } from "./tables.ts";

/** The table of states, written out: + may be done, = has been done, - is refused. */
const table: Record<Operation, string> = {
  //          ACTIVE PAUSED CANCELLED EXPIRED PAYMENT_FAILED
  pause: /**/ "+      +      -         -       -",
  resume: /**/ "=      +      -         -       -",
  cancel: /**/ "+      +      =         -       +",
  reactivate: "=      -      +         +       -",
  skip: /***/ "+      -      -         -       -",
  unskip: /**/ "+      -      -         -       -",
  change: /**/ "+      +      -         -       +",
};

const pairs = Object.entries(table).flatMap(([operation, marks]) =>
  marks
    .split(/\s+/)
    .map((mark, at): [Operation, SubscriptionStatus, string] => [
      operation as Operation,
      subscriptionStatuses[at]!,
      mark,
    ]),
);

describe("the transition table", () => {
  test("covers every operation and status", () => expect(pairs).toHaveLength(7 * 5));

  test.each(pairs)("%s of %s: %s", (operation, status, mark) => {
    expect(isAllowed(operation, { status })).toBe(mark === "+");
    expect(isReached(operation, { status })).toBe(mark === "=");
    const act = () => requireAllowed(operation, { status });
    if (mark === "+") return act();
    expect(act).toThrow(DomainError);
    expect(act).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
    expect(act).toThrow(`Cannot ${operation}: the subscription is ${status}`);
    return undefined;
  });

  test("the refusal says in whose words the operation is asked for", () => {
    const act = () => requireAllowed("change", { status: "CANCELLED" }, "change the frequency");
    expect(act).toThrow("Cannot change the frequency: the subscription is CANCELLED");
  });

  test.each(subscriptionStatuses)("%s is over where nothing but reactivation brings it back", (status) => {
    expect(isOver({ status })).toBe(isAllowed("reactivate", { status }));
  });
});

test("while an attempt is in progress the dates do not move, as its outcome decides the next cycle", () => {
  expect(() => requireNotBilling("skip", { open_attempt_id: "attempt" })).toThrow(
    expect.objectContaining({
      code: "BILLING_IN_PROGRESS",
      message: "Cannot skip: a billing attempt is in progress",
    }),
  );
  expect(() => requireNotBilling("skip", { open_attempt_id: null })).not.toThrow();
});

test.each([
  [null, 1, false],
  [null, 900, false],
  [3, 1, false],
  [3, 3, false],
  [3, 4, true],
  [1, 2, true],
])("of at most %s cycles, cycle %s is beyond the last: %s", (max_cycles, current_billing_cycle, isBeyond) => {
  expect(isBeyondLastCycle({ max_cycles, current_billing_cycle })).toBe(isBeyond);
});

test.each<[SubscriptionStatus, string | null, boolean]>([
  ["ACTIVE", null, false],
  ["ACTIVE", "episode", true],
  ["PAYMENT_FAILED", null, true],
  ["PAYMENT_FAILED", "episode", true],
  ["PAUSED", "episode", false],
  ["CANCELLED", "episode", false],
  ["EXPIRED", "episode", false],
])("%s with the episode %s owes a payment: %s", (status, dunning_episode_id, owes) => {
  expect(owesPayment({ status, dunning_episode_id })).toBe(owes);
});

describe("a wait for the merchant or the store", () => {
  const rowOf = (more: Partial<Subscription>): Subscription =>
    ({
      status: "ACTIVE",
      dunning_episode_id: null,
      open_attempt_id: null,
      billing_blocked_reason: "no_gateway",
      billing_waiting_since: "2026-11-20T12:00:00.000Z",
      billing_wait_count: 3,
      billing_retry_at: "2026-11-20T16:00:00.000Z",
      ...more,
    }) as Subscription;
  const ended = {
    billing_blocked_reason: null,
    billing_waiting_since: null,
    billing_wait_count: 0,
    billing_retry_at: null,
  };

  test.each<[string, Partial<Subscription>, object]>([
    ["ends with all that it has set", {}, ended],
    ["ends also while an attempt is in progress", { open_attempt_id: "attempt" }, ended],
    [
      "keeps the reason of a review, which ends by itself",
      { open_attempt_id: "attempt", billing_blocked_reason: "currency_mismatch" },
      { ...ended, billing_blocked_reason: "currency_mismatch" },
    ],
    ["that is none changes nothing", { billing_waiting_since: null }, {}],
  ])("%s", (_, more, columns) => {
    expect(withoutWait(rowOf(more))).toEqual(columns);
  });

  test.each<[string, Partial<Subscription>, object]>([
    ["the dates move", {}, ended],
    ["nothing waits", { billing_waiting_since: null }, {}],
    ["a payment is owed", { dunning_episode_id: "episode" }, {}],
    ["a payment has failed for good", { status: "PAYMENT_FAILED" }, {}],
    ["a payment is in progress", { open_attempt_id: "attempt" }, {}],
  ])("ends when the dates move, unless a payment is owed or in progress: %s", (_, more, columns) => {
    expect(endOfWait(rowOf(more))).toEqual(columns);
  });
});

describe("flags", () => {
  const episode = "episode";
  const since = "2026-11-20T12:00:00.000Z";
  const today = "2026-11-20";
  const bounds = { disputed_at: null, no_charge_before: today };
  const notBlocked = { open_attempt_id: null, billing_blocked_reason: null, ...bounds };
  const noMinimum = { min_cycles: null, current_billing_cycle: 1 };
  test.each<[SubscriptionStatus, string | null, string | null, string]>([
    ["ACTIVE", null, null, "can_cancel can_pause"],
    ["ACTIVE", null, since, "can_cancel can_pause can_retry_payment"],
    ["ACTIVE", episode, null, "can_cancel can_pause can_retry_payment is_in_dunning"],
    ["ACTIVE", episode, since, "can_cancel can_pause can_retry_payment is_in_dunning"],
    ["PAUSED", null, null, "can_cancel can_pause can_resume"],
    ["PAUSED", episode, null, "can_cancel can_pause can_resume is_in_dunning"],
    ["CANCELLED", null, null, "can_reactivate"],
    ["EXPIRED", null, null, "can_reactivate"],
    ["PAYMENT_FAILED", null, null, "can_cancel can_retry_payment"],
  ])(
    "%s, episode %s, waiting since %s: %s",
    (status, dunning_episode_id, billing_waiting_since, expected) => {
      const terms = { ...noMinimum, ...notBlocked };
      const state = { status, dunning_episode_id, billing_waiting_since, ...terms };
      const raised = Object.entries(flagsOf(state, "customer", today)).filter(([, isSo]) => isSo);
      expect(flagsOf({ ...state, no_charge_before: "2026-11-21" }, "customer", today).can_retry_payment).toBe(
        false,
      );
      expect(raised.map(([name]) => name).join(" ")).toBe(expected);
      expect(owesPayment(state) || billing_waiting_since !== null).toBe(
        expected.includes("can_retry_payment"),
      );
    },
  );

  test("nothing is to be retried while a delivery address is missing", () => {
    const state = { status: "ACTIVE", dunning_episode_id: episode, billing_waiting_since: since } as const;
    const blocked = { ...notBlocked, billing_blocked_reason: "address_missing" };
    expect(flagsOf({ ...state, ...noMinimum, ...blocked }, "api", today).can_retry_payment).toBe(false);
  });

  test.each([
    ["attempt", "currency_mismatch", false],
    ["attempt", "payment_provider_is_not_enabled", true],
    ["attempt", null, true],
    [null, "currency_mismatch", true],
  ])(
    "an ended subscription with the attempt %s, blocked by %s: can_reactivate %s",
    (attempt, reason, can) => {
      const state = { status: "CANCELLED", dunning_episode_id: null, billing_waiting_since: null } as const;
      const blocked = { open_attempt_id: attempt, billing_blocked_reason: reason, ...bounds };
      expect(flagsOf({ ...state, ...noMinimum, ...blocked }, "admin", today).can_reactivate).toBe(can);
    },
  );

  test.each([
    ["customer", 3, 1, 3],
    ["customer", 3, 3, 1],
    ["customer", 3, 4, 0],
    ["customer", 3, 9, 0],
    ["customer", null, 1, 0],
    ["admin", 3, 1, 0],
    ["api", 3, 1, 0],
  ] as const)(
    "to a %s with a minimum of %s cycles, in cycle %s: %s more are agreed on",
    (actor, min_cycles, current_billing_cycle, agreed) => {
      const agreement = { min_cycles, current_billing_cycle };
      const state = { status: "ACTIVE" as const, dunning_episode_id: null, billing_waiting_since: null };
      expect(cyclesAgreed(agreement, actor)).toBe(agreed);
      expect(flagsOf({ ...state, ...agreement, ...notBlocked }, actor, today).can_cancel).toBe(agreed === 0);
    },
  );
});
