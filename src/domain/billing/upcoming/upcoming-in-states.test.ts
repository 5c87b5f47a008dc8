/** Upcoming deliveries say for each state of a subscription what will be charged, when, and what is at risk. */
import { describe, expect, test } from "vitest";
import { now, prospectOf, today, view } from "../../../../test/support/projection.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { BillingAttempt } from "../tables.ts";
import { projectUpcoming } from "./upcoming.ts";
import type { Prospect } from "./upcoming-steps.ts";

/** Monthly from the 4th of December, or prepaid with two deliveries that are paid for; today is the 21st of November. */
function monthly(values: Partial<Subscription> = {}) {
  return view({}, values);
}
const paidFor = { anchor_date: "2026-11-04", next_index: 1, next_billed_index: 3, current_billing_cycle: 2 };

function prepaid(values: Partial<Subscription> = {}) {
  return view(
    { every: [1, "MONTH"], billed: [3, "MONTH"] },
    { ...paidFor, next_billing_date: "2027-02-04", ...values },
  );
}

function episode(values: Partial<DunningEpisode>) {
  return {
    status: "OPEN",
    due_at: "2026-11-24T12:00:00.000Z",
    retry_days: "[1,3,7]",
    ...values,
  } as DunningEpisode;
}

function attempt(values: Partial<BillingAttempt>) {
  return { activation: 1, cycle: 1, challenged_at: now, ...values } as BillingAttempt;
}
const owing = { dunning_episode_id: "episode" };

type Shown = [billing: string, delivery: string, isBilled: boolean, isAtRisk: boolean];

function shown(of: ReturnType<typeof view>, more: Partial<Prospect> = {}, count = 3): Shown[] {
  return projectUpcoming(prospectOf(of, more), count).map(({ billing, delivery, isBilled, isAtRisk }) => [
    billing,
    delivery,
    isBilled,
    isAtRisk,
  ]);
}

const twoPaidFor: Shown[] = [
  ["2026-12-04", "2026-12-04", false, false],
  ["2027-01-04", "2027-01-04", false, false],
];

describe("upcoming of a subscription that is PAUSED", () => {
  test.each([
    ["nothing", monthly],
    ["not even what is paid for", prepaid],
  ])("without a date is %s", (_, of) => {
    expect(shown(of({ status: "PAUSED" }))).toEqual([]);
  });

  test("with a date begins with the first cycle after it", () => {
    expect(shown(monthly({ status: "PAUSED", pause_until: "2027-01-04" }), {}, 2)).toEqual([
      ["2027-02-04", "2027-02-04", true, false],
      ["2027-03-04", "2027-03-04", true, false],
    ]);
  });

  test("with a date before the planned delivery keeps it, with a date that has passed begins today", () => {
    for (const pause_until of ["2026-12-01", "2026-11-01"])
      expect(shown(monthly({ status: "PAUSED", pause_until }), {}, 1)).toEqual([
        ["2026-12-04", "2026-12-04", true, false],
      ]);
  });

  test("with a date delivers after it what is paid for, then bills", () => {
    expect(shown(prepaid({ status: "PAUSED", pause_until: "2026-12-10" }))).toEqual([
      ["2026-12-11", "2026-12-11", false, false],
      ["2027-01-11", "2027-01-11", false, false],
      ["2027-02-11", "2027-02-11", true, false],
    ]);
  });
});

describe("upcoming of a subscription whose payment is owed", () => {
  test("begins with the owed cycle, at risk, on the day of the next try; then comes the schedule", () => {
    const late = "2026-11-20";
    const due = monthly({ ...owing, anchor_date: late, next_billing_date: late, next_delivery_date: late });
    expect(shown(due, { episode: episode({}) }, 2)).toEqual([
      ["2026-11-24", "2026-11-24", true, true],
      ["2026-12-20", "2026-12-20", true, false],
    ]);
  });

  test("calls what the owed cycle pays for at risk too", () => {
    const due = view({ every: [1, "MONTH"], billed: [2, "MONTH"] }, owing);
    expect(shown(due, { episode: episode({}) }).map(([, , , isAtRisk]) => isAtRisk)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each([
    ["waits for the customer", owing, { episode: episode({ status: "AWAITING_CUSTOMER" }) }],
    ["waits for a challenge", { open_attempt_id: "a" }, { open: attempt({ status: "ACTION_REQUIRED" }) }],
    ["has failed for good", { status: "PAYMENT_FAILED" as const }, {}],
  ])("shows only what is paid for where it %s", (_, values, more) => {
    expect(shown(monthly(values), more)).toEqual([]);
    expect(shown(prepaid(values), more)).toEqual(twoPaidFor);
  });

  test.each([
    ["pause", "deliver", 1],
    ["cancel", "stop", 1],
    ["cancel", "deliver", 2],
    ["fail", "stop", 2],
  ] as const)("ends with dunning where the account's setting stops it: %s, %s", (action, end, count) => {
    const account = { timezone: "UTC", dunning_final_action: action, prepaid_on_end: end } as Account;
    const awaiting = episode({ status: "AWAITING_CUSTOMER", due_at: "2026-12-10T00:00:00.000Z" });
    expect(shown(prepaid(owing), { account, episode: awaiting })).toEqual(twoPaidFor.slice(0, count));
    const challenged = { ...account, dunning_retry_days: "[10]" };
    const open = attempt({ status: "ACTION_REQUIRED" });
    expect(shown(prepaid(), { account: challenged, open })).toEqual(twoPaidFor.slice(0, count));
  });
});

describe("upcoming of a subscription whose billing stands still", () => {
  const blocked = { billing_blocked_reason: "payment_provider_is_not_enabled" };

  test("is the schedule, all of it at risk, from the day of the next try on", () => {
    const waiting = { ...blocked, billing_retry_at: "2026-11-22T01:00:00.000Z" };
    const due = { ...waiting, anchor_date: today, next_billing_date: today, next_delivery_date: today };
    expect(shown(monthly(due), {}, 2)).toEqual([
      ["2026-11-22", "2026-11-22", true, true],
      ["2026-12-21", "2026-12-21", true, true],
    ]);
  });

  test("is tried though its retries have run out, and goes on if the try succeeds", () => {
    const failed = { ...blocked, status: "PAYMENT_FAILED", billing_retry_at: now } as const;
    expect(shown(monthly(failed)).map(([billing]) => billing)).toEqual([today, "2027-01-04", "2027-02-04"]);
  });

  test("is the schedule under review, with what is paid for out of danger", () => {
    const review = { ...blocked, open_attempt_id: "a" };
    expect(shown(prepaid(review), { open: attempt({ status: "REVIEW" }) })).toEqual([
      ...twoPaidFor,
      ["2027-02-04", "2027-02-04", true, true],
    ]);
  });
});

describe("upcoming of a subscription that has ended", () => {
  test.each(["CANCELLED", "EXPIRED"] as const)("%s: what is paid for", (status) => {
    expect(shown(prepaid({ status, next_billing_date: null }))).toEqual(twoPaidFor);
  });
});

test("upcoming shows no date before today", () => {
  const late = { next_billing_date: "2026-11-16", next_production_date: "2026-11-18" };
  const [first] = projectUpcoming(prospectOf(monthly({ ...late, next_delivery_date: "2026-11-25" })), 1);
  expect(first).toMatchObject({ billing: today, production: today, delivery: "2026-11-25" });
});
