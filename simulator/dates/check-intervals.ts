import { dateIn } from "../../src/base/lib/time/dates.ts";
import { snapshotOf } from "../../src/domain/billing/snapshot.ts";
import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import { firstAfter, firstPackedFrom, type Grid, laterOf, nthDay, plusDays } from "../accounts/calendar.ts";
import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";
import { closedDaysOf } from "./history.ts";

type Stored = FinalState["subscriptions"][number];

/**
 * Between two billings of a life in which nobody moved its dates lies one interval: what the second delivers is the next
 * delivery of the grid, or was due before it could be billed; in a slot, the next that can still be packed. Prepaid, as many
 * deliveries of the grid as are paid for lie between, or more days where some were late.
 */
export function checkIntervals(world: World, finalState: FinalState): void {
  // Closed days lie between two billings, too: their rules state where each date goes.
  if (closedDaysOf(world)?.hasAny()) return;
  for (const row of finalState.subscriptions) {
    const billed = finalState.attempts
      .filter(({ subscription_id, status }) => subscription_id === row.id && status === "SUCCEEDED")
      .sort((a, b) => a.activation - b.activation || a.cycle - b.cycle);
    for (const [nth, second] of billed.entries()) {
      const first = billed[nth - 1];
      if (first?.activation === second.activation) checkPair(world, finalState, row, first, second);
    }
  }
}

const rule = "one billing an interval";

/** After these a billing is another number of days from the one before. */
const movesDates = [
  "subscription_paused",
  "subscription_resumed",
  "subscription_skipped",
  "subscription_unskipped",
  "subscription_change_undone",
  "subscription_reactivated",
  "frequency_changed",
  "delivery_rescheduled",
  "ship_now_requested",
];

function checkPair(
  { report, account }: World,
  { entries, slots }: FinalState,
  row: Stored,
  first: BillingAttempt,
  second: BillingAttempt,
): void {
  const started = entries.findIndex(({ metadata }) => metadata?.includes(first.id));
  if (
    entries.slice(started).some((entry) => entry.loggable_id === row.id && movesDates.includes(entry.action))
  )
    return;
  const [from, to] = [snapshotOf(first), snapshotOf(second)];
  const grid: Grid = {
    anchor: row.anchor_date,
    anchorDay: row.anchor_day,
    unit: row.delivery_interval,
    count: row.delivery_interval_count,
    slot: slots.get(row.delivery_slot_id),
  };
  const settledOn = dateIn(first.settled_at ?? first.created_at, account.timezone);
  const startedOn = dateIn(second.created_at, account.timezone);
  const earliest = (day: string): string => (grid.slot ? firstPackedFrom(grid.slot, day) : day);
  const before = plusDays(earliest(plusDays(settledOn, 1)), -1);
  const { n } = firstAfter(grid, laterOf(before, from.delivery_date));
  const next = nthDay(grid, n + from.deliveries - 1);
  const isNext = to.delivery_date === next || (from.deliveries > 1 && to.delivery_date > next);
  const isLate = to.delivery_date === earliest(startedOn) && next < startedOn;
  if (!isNext && !isLate)
    report(
      rule,
      `delivered ${from.delivery_date}, settled ${settledOn}, then ${to.delivery_date} on ${startedOn}`,
    );
}
