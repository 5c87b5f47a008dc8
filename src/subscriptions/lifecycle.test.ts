import { describe, expect, test } from "vitest";
import { DomainError } from "../errors.ts";
import { flagsOf, isAllowed, isReached, type Operation, owesPayment, requireAllowed } from "./lifecycle.ts";
import { type SubscriptionStatus, subscriptionStatuses } from "./tables.ts";

/** DECISIONS §5, States, written out: + may be done, = has been done, - is refused. */
const table: Record<Operation, string> = {
  //          ACTIVE PAUSED CANCELLED EXPIRED PAYMENT_FAILED
  pause: /**/ "+      =      -         -       -",
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
    expect(act).toThrow(new RegExp(`${operation}.*${status}`));
    return undefined;
  });
});

describe("flags", () => {
  const episode = "episode";
  test.each<[SubscriptionStatus, string | null, string]>([
    ["ACTIVE", null, "can_cancel can_pause"],
    ["ACTIVE", episode, "can_cancel can_pause can_retry_payment is_in_dunning"],
    ["PAUSED", null, "can_cancel can_resume"],
    ["CANCELLED", null, "can_reactivate"],
    ["EXPIRED", null, "can_reactivate"],
    ["PAYMENT_FAILED", null, "can_cancel can_retry_payment"],
  ])("%s, episode %s: %s", (status, dunning_episode_id, expected) => {
    const state = { status, dunning_episode_id };
    const raised = Object.entries(flagsOf(state)).filter(([, isSo]) => isSo);
    expect(raised.map(([name]) => name).join(" ")).toBe(expected);
    expect(owesPayment(state)).toBe(expected.includes("can_retry_payment"));
  });
});
