import { toMajor, toMinor } from "../../base/lib/money.ts";
import { projectDeliveries } from "../billing/upcoming.ts";
import type { JobPage } from "../merchant-jobs/work.ts";
import { addDays } from "../subscriptions/cadence.ts";
import type { ImportSummary } from "./create.ts";
import type { PlannedSubscription } from "./plan-subscription.ts";
import type { Surroundings } from "./planned/surroundings.ts";

/** A row of the check, with what it adds to the summary. Amounts are minor units. */
export type Checked = {
  stored: Omit<JobPage["rows"][number], "n">;
  differs: boolean;
  next: { charges: number; here: number; there: number };
};

export const nothingDue = { charges: 0, here: 0, there: 0 };
/** The charges of the next 35 days, by the code that will make them. A row that does not say what the other system charges counts alike for both. */
export function chargesWithin(
  { row, expected_total }: PlannedSubscription,
  around: Surroundings,
): Checked["next"] {
  const { account, now, charge_from, slots } = around;
  const last = addDays(charge_from, daysAhead - 1);
  const released = { ...row, seq: 0, number: 0, billing_blocked_reason: null };
  const view = { row: released, slot: slots.get(row.delivery_slot_id ?? "") };
  const none = { open: undefined, latest: undefined, episode: undefined };
  const sum = { ...nothingDue };
  for (const delivery of projectDeliveries({ view, ...none, account, now })) {
    if (delivery.billing > last) break;
    if (!delivery.isBilled) continue;
    sum.charges++;
    sum.here += delivery.amounts.total;
    sum.there += expected_total ?? delivery.amounts.total;
  }
  return sum;
}

const daysAhead = 35;

/** The sums of an import with those of the rows of a page. */
export function addTo(summary: ImportSummary, checked: Checked[], subscriptions: number): ImportSummary {
  const { currency_code: currency, next_35_days: next } = summary;
  const add = (major: number, minor: keyof Checked["next"]) =>
    toMajor((toMinor(major, currency) ?? 0) + sumOf(checked, ({ next: its }) => its[minor]), currency);
  return {
    ...summary,
    subscriptions,
    errors: summary.errors + sumOf(checked, ({ stored }) => (stored.status === "FAILED" ? 1 : 0)),
    differing: summary.differing + sumOf(checked, ({ differs }) => (differs ? 1 : 0)),
    next_35_days: {
      charges: next.charges + sumOf(checked, ({ next: its }) => its.charges),
      amount_here: add(next.amount_here, "here"),
      amount_there: add(next.amount_there, "there"),
    },
  };
}

function sumOf<T>(all: T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}
