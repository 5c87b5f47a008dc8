/** A failed payment is tried again on the account's retry days, and never after a decline for good. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs } from "../../base/lib/time/durations.ts";
import { challengeExpired, isNoDecline, maxAttempts, nextStep, notCharged } from "./policy.ts";

const opened_at = "2030-01-31T10:00:00.000Z";

function on(days: number): string {
  return new Date(Date.parse(opened_at) + days * dayMs).toISOString();
}

describe("what follows a failure", () => {
  test.each<[number, number[], { status: string; due_at?: string }]>([
    [0, [1, 3, 7], { status: "OPEN", due_at: on(1) }],
    [0.5, [1, 3, 7], { status: "OPEN", due_at: on(1) }],
    [1, [1, 3, 7], { status: "OPEN", due_at: on(3) }],
    [2, [1, 3, 7], { status: "OPEN", due_at: on(3) }],
    [3, [1, 3, 7], { status: "OPEN", due_at: on(7) }],
    [5, [1, 3, 7], { status: "OPEN", due_at: on(7) }],
    [7, [1, 3, 7], { status: "EXHAUSTED" }],
    [70, [1, 3, 7], { status: "EXHAUSTED" }],
    [0, [60], { status: "OPEN", due_at: on(60) }],
  ])("%d days after the first, retries on %j: %j", (days, retryDays, expected) => {
    expect(nextStep({ from: opened_at, retryDays }, false, on(days))).toEqual(expected);
  });

  test.each<[number, { status: string; due_at?: string }]>([
    [0, { status: "AWAITING_CUSTOMER", due_at: on(7) }],
    [6.9, { status: "AWAITING_CUSTOMER", due_at: on(7) }],
    [7, { status: "EXHAUSTED" }],
  ])("a hard decline, %d days after the first: %j", (days, expected) => {
    expect(nextStep({ from: opened_at, retryDays: [1, 3, 7] }, true, on(days))).toEqual(expected);
  });
});

const ascending = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 10 })
  .map((days) => days.toSorted((a, b) => a - b));

test("tried whenever it is due, an episode tries once for each day, and the first", () => {
  fc.assert(
    fc.property(ascending, (retryDays) => {
      const tried = [opened_at];
      for (;;) {
        const step = nextStep({ from: opened_at, retryDays }, false, tried.at(-1) as string);
        if (step.status === "EXHAUSTED") break;
        tried.push(step.due_at);
      }
      expect(tried).toEqual([opened_at, ...retryDays.map(on)]);
      expect(tried).toHaveLength(maxAttempts(retryDays));
    }),
    { seed: Number(process.env.FUZZ_SEED ?? "20261121") },
  );
});

test("the next step lies ahead, on one of the days; a hard decline's is the last", () => {
  const moment = fc.integer({ min: 0, max: 70 * 24 }).map((hours) => on(hours / 24));
  fc.assert(
    fc.property(ascending, moment, fc.boolean(), (retryDays, now, isHard) => {
      const step = nextStep({ from: opened_at, retryDays }, isHard, now);
      const last = on(retryDays.at(-1) as number);
      expect(step.status === "EXHAUSTED").toBe(last <= now);
      if (step.status === "EXHAUSTED") return;
      expect(step.due_at > now).toBe(true);
      expect(retryDays.map(on)).toContain(step.due_at);
      expect(step.status).toBe(isHard ? "AWAITING_CUSTOMER" : "OPEN");
      if (isHard) expect(step.due_at).toBe(last);
    }),
    { seed: Number(process.env.FUZZ_SEED ?? "20261121") },
  );
});

test.each([
  ["not_charged", true],
  ["withdrawn", true],
  ["authentication_expired", false],
  ["card_declined", false],
  ["", false],
])("%s says nothing of the payment: %s", (code, isNone) => {
  expect(isNoDecline(code)).toBe(isNone);
});

test("a challenge that nobody answered is a decline of the customer's, after which no retry is made", () => {
  expect(challengeExpired).toEqual({
    failure: "customer",
    code: "authentication_expired",
    message: "The customer did not confirm the payment in time",
    isFinal: true,
    isRefused: false,
  });
});

test("a charge that the store has never seen may be made again, under a new number", () => {
  expect(notCharged).toEqual({
    failure: "customer",
    code: "not_charged",
    message: "The store has never seen the charge",
    isFinal: false,
    isRefused: false,
  });
});
