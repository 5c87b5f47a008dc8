import type { ErrorDetail } from "../../base/errors.ts";
import { toMajor, toMinor } from "../../base/lib/money.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import { projectDeliveries } from "../billing/upcoming/upcoming.ts";
import type { JobPage } from "../merchant-jobs/work.ts";
import { addCauses, type RowPlace } from "./causes.ts";
import type { ImportSummary } from "./create.ts";
import { addMissing } from "./missing-plans.ts";
import type { PlannedSubscription } from "./plan-subscription.ts";
import type { MissingPlan } from "./planned/plans.ts";
import type { Surroundings } from "./planned/surroundings.ts";

/** A row of the check, with what it adds to the summary. Amounts are minor units. */
export type Checked = {
  stored: Omit<JobPage["rows"][number], "n">;
  differs: boolean;
  /** Whether a living subscription says what the other system charges; undefined for what charges nothing. */
  isCompared?: boolean;
  isWithoutCard?: boolean;
  isWithoutAddress?: boolean;
  isProvinceUnknown?: boolean;
  warnings?: ErrorDetail[];
  /** The selling plan that it needs and the account lacks. */
  missing?: MissingPlan | undefined;
  next: { charges: number; here: number; there: number };
};

/** A row of the check, by where it stands in the file. */
export type PlacedRow = Checked & { place: RowPlace };

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

/** The sums of an import with those of the rows of a page. Where nothing is compared, they say so, and not that nothing differs. */
export function addTo(summary: ImportSummary, checked: PlacedRow[], subscriptions: number): ImportSummary {
  const { currency_code: currency, next_35_days: next } = summary;
  const sum = (major: number | null, minors: number[]) =>
    toMajor((toMinor(major ?? 0, currency) ?? 0) + minors.reduce((all, one) => all + one, 0), currency);
  const paid = checked.filter(({ isWithoutCard }) => !isWithoutCard).map((one) => one.next);
  const unpaid = checked.filter(({ isWithoutCard }) => isWithoutCard).map((one) => one.next);
  const atFault = checked.filter(({ stored }) => stored.status === "FAILED");
  const errors = summary.errors + atFault.length;
  const notCompared =
    (summary.not_compared ?? 0) + countOf(checked, ({ isCompared }) => isCompared === false);
  const isNothingCompared =
    summary.differing === null && !checked.some(({ isCompared }) => isCompared === true);
  const differing = (summary.differing ?? 0) + countOf(checked, ({ differs }) => differs);
  const without = summary.without_card ?? { subscriptions: 0, charges: 0, amount_here: 0 };
  const withoutCard = {
    subscriptions: without.subscriptions + unpaid.length,
    charges: without.charges + unpaid.reduce((all, { charges }) => all + charges, 0),
    amount_here: sum(
      without.amount_here,
      unpaid.map(({ here }) => here),
    ),
  };
  const withoutAddress =
    (summary.without_address ?? 0) + countOf(checked, ({ isWithoutAddress }) => isWithoutAddress === true);
  const unknownProvinces =
    (summary.unknown_provinces ?? 0) +
    countOf(checked, ({ isProvinceUnknown }) => isProvinceUnknown === true);
  const faults = addCauses(
    summary.faults ?? [],
    atFault.map(({ place, stored }) => ({ place, causes: JSON.parse(stored.errors) })),
  );
  const warnings = addCauses(
    summary.warnings ?? [],
    checked.map(({ place, warnings: causes = [] }) => ({ place, causes })),
  );
  const missing = addMissing(
    summary.missing_plans ?? [],
    checked.flatMap((row) => row.missing ?? []),
  );
  return {
    ...summary,
    ...{ subscriptions, errors, differing: isNothingCompared ? null : differing },
    ...(notCompared > 0 ? { not_compared: notCompared } : {}),
    ...(withoutCard.subscriptions > 0 ? { without_card: withoutCard } : {}),
    ...(unknownProvinces > 0 ? { unknown_provinces: unknownProvinces } : {}),
    ...(withoutAddress > 0 ? { without_address: withoutAddress } : {}),
    ...(faults.length > 0 ? { faults } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(missing.length > 0 ? { missing_plans: missing } : {}),
    next_35_days: {
      charges: next.charges + paid.reduce((all, { charges }) => all + charges, 0),
      amount_here: sum(
        next.amount_here,
        paid.map(({ here }) => here),
      ),
      amount_there: isNothingCompared
        ? null
        : sum(
            next.amount_there ?? next.amount_here,
            paid.map(({ there }) => there),
          ),
    },
  };
}

function countOf<T>(all: T[], is: (one: T) => boolean): number {
  return all.filter(is).length;
}
