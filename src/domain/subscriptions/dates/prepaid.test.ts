/** Deliveries that are paid for are made on their own schedule through pauses, cancellations and new intervals. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import { calendarIn } from "../../../../test/support/slots.ts";
import { addDays, dayOfWeek } from "../../../base/lib/time/calendar.ts";
import { type IntervalUnit, intervalUnits } from "../../../base/lib/time/intervals.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import type { Subscription } from "../tables.ts";
import { nextAfter } from "./next-after.ts";
import { deliveriesOwed, unmoved } from "./next-dates.ts";
import { creditLateCharge, settleOwedOnCancel } from "./prepaid.ts";
import { reanchorSchedule } from "./reanchor.ts";
import { restartSchedule } from "./restarting.ts";
import { continueSchedule, startSchedule } from "./schedule.ts";

const today = "2026-11-20";

/** Monthly on the 4th, with so many deliveries owed before the next billing. */
function owing(owed: number, more: Partial<Subscription> = {}): Subscription {
  return {
    status: "ACTIVE",
    anchor_date: "2026-10-04",
    next_index: 2,
    next_billed_index: 2 + owed,
    next_delivery_date: "2026-12-04",
    next_production_date: null,
    next_billing_date: "2027-02-04",
    billing_interval: "MONTH",
    billing_interval_count: 3,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    deliveries_per_billing: 3,
    current_billing_cycle: 2,
    max_cycles: null,
    dunning_episode_id: null,
    ...unmoved,
    ...more,
  } as Subscription;
}

const none = { next_billing_date: null, next_delivery_date: null, next_production_date: null };

describe("a life that is cancelled", () => {
  test("keeps the dates of what is owed, and is billed no more", () => {
    expect(settleOwedOnCancel(owing(2), "deliver")).toEqual({
      columns: { next_billing_date: null, dunning_episode_id: null },
      metadata: { deliveries_owed: 2, prepaid_on_end: "deliver" },
    });
  });

  test("that a pause has held delivers from tomorrow on", () => {
    const row = owing(2, {
      status: "PAUSED",
      next_delivery_date: "2026-10-04",
      next_index: 0,
      next_billed_index: 2,
    });
    expect(settleOwedOnCancel(row, "deliver", calendarIn(undefined, today)).columns).toMatchObject({
      ...{ anchor_date: "2026-11-21", next_delivery_date: "2026-11-21" },
      ...{ next_index: 0, next_billed_index: 2, next_billing_date: null },
    });
  });

  test("owes nothing more where the account says stop", () => {
    const { columns, metadata } = settleOwedOnCancel(owing(2), "stop");
    expect(columns).toMatchObject(none);
    expect(deliveriesOwed({ ...owing(2), ...columns })).toBe(0);
    expect(metadata).toEqual({ deliveries_owed: 2, prepaid_on_end: "stop" });
  });

  test.each(["deliver", "stop"] as const)(
    "that owes nothing has no dates and says nothing: %s",
    (setting) => {
      const { columns, metadata } = settleOwedOnCancel(owing(0), setting);
      expect([columns, metadata]).toEqual([expect.objectContaining(none), {}]);
    },
  );
});

describe("a charge that is recorded after its life was cancelled", () => {
  const paid = { deliveries: 3, delivery_date: "2026-11-18", isOffSchedule: false };

  test("for one delivery is its own order, and nothing besides", () => {
    expect(
      creditLateCharge({ row: owing(0), calendar: calendarIn(undefined, today) }, "deliver", {
        ...paid,
        deliveries: 1,
      }),
    ).toEqual({
      columns: {},
      metadata: {},
    });
  });

  test("pays for deliveries of the cancelled one, on its own schedule", () => {
    const row = owing(0, { status: "CANCELLED", ...none });
    expect(
      creditLateCharge({ row, calendar: calendarIn(undefined, today) }, "deliver", paid).columns,
    ).toMatchObject({
      next_delivery_date: "2027-01-04",
      next_billing_date: null,
      next_index: 3,
      next_billed_index: 5,
    });
  });

  test("comes after what the cancelled one still owes", () => {
    const row = owing(1, { status: "CANCELLED", next_billing_date: null });
    expect(
      creditLateCharge({ row, calendar: calendarIn(undefined, today) }, "deliver", paid).columns,
    ).toEqual({
      next_billed_index: 5,
      next_billing_date: null,
    });
  });

  test("comes before the next billing of another life", () => {
    const { columns } = creditLateCharge(
      { row: owing(0), calendar: calendarIn(undefined, today) },
      "deliver",
      paid,
    );
    expect(columns).toEqual({ next_billed_index: 4, next_billing_date: "2027-02-04" });
  });

  test("lapses where the account says stop", () => {
    const row = owing(0, { status: "CANCELLED", ...none });
    expect(creditLateCharge({ row, calendar: calendarIn(undefined, today) }, "stop", paid)).toEqual({
      columns: {},
      metadata: { deliveries_owed: 2, prepaid_on_end: "stop" },
    });
  });
});

describe("a schedule whose intervals have changed", () => {
  const twoMonthly = { delivery_interval_count: 2, billing_interval_count: 6, anchor_date: "2026-08-04" };
  test("with nothing owed keeps all next dates", () => {
    expect(
      reanchorSchedule({ row: owing(0, twoMonthly), intervals: {} }, calendarIn(undefined, today)),
    ).toEqual({
      anchor_date: "2026-12-04",
      anchor_day: null,
      ...unmoved,
      next_index: 0,
      next_billed_index: 0,
    });
  });

  test("with deliveries owed keeps the next one's date; the billing follows them", () => {
    expect(
      reanchorSchedule({ row: owing(2, twoMonthly), intervals: {} }, calendarIn(undefined, today)),
    ).toEqual({
      anchor_date: "2026-12-04",
      anchor_day: null,
      ...unmoved,
      next_index: 0,
      next_billed_index: 2,
      next_billing_date: "2027-04-04",
    });
  });

  test("after the last billing plans none", () => {
    const last = owing(2, { ...twoMonthly, max_cycles: 1, next_billing_date: null });
    expect(reanchorSchedule({ row: last, intervals: {} }, calendarIn(undefined, today))).toMatchObject({
      next_billing_date: null,
    });
  });

  test("that has no next date stays as it is", () => {
    expect(reanchorSchedule({ row: owing(0, none), intervals: {} }, calendarIn(undefined, today))).toEqual(
      {},
    );
  });
});

const slot = fc.option(
  fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.option(fc.integer({ min: 1, max: 7 })), fc.nat(10))
    .map(([day_of_week, packing_day_of_week, courier_lead_time_days]) => ({
      id: "slot",
      day: { day_of_week, packing_day_of_week, billing_day_of_week: null, courier_lead_time_days },
    }))
    .map((slot) => slot as SlotWithDay),
  { nil: undefined },
);
const interval = fc.record({
  unit: fc.constantFrom(...intervalUnits),
  count: fc.integer({ min: 1, max: 3 }),
});

function onDayOf(slot: SlotWithDay | undefined, date: string): string {
  return slot && dayOfWeek(date) !== slot.day.day_of_week ? onDayOf(slot, addDays(date, 1)) : date;
}

type Step = (
  row: Subscription,
  slot: SlotWithDay | undefined,
  at: string,
) => { columns: Partial<Subscription>; made?: number };

function ordered(deliveries: number): Step {
  return (row, slot, at) => {
    const isBilled = deliveriesOwed(row) === 0;
    const delivery = row.next_delivery_date ?? at;
    const owed = deliveriesOwed(row) + (isBilled ? deliveries : 0) - 1;
    return {
      columns: nextAfter(row, calendarIn(slot, at), { delivery, owed, isOffSchedule: false }),
      made: isBilled ? deliveries : 0,
    };
  };
}
const steps: fc.Arbitrary<Step>[] = [
  interval.map(
    ({ unit, count }: { unit: IntervalUnit; count: number }): Step =>
      (row, slot, at) => {
        const intervals = { delivery_interval: unit, delivery_interval_count: count };
        return {
          columns: { ...intervals, ...reanchorSchedule({ row, intervals }, calendarIn(slot, at)) },
        };
      },
  ),
  fc.integer({ min: 0, max: 60 }).map(
    (days): Step =>
      (row, slot, at) => ({
        columns: continueSchedule(row, onDayOf(slot, addDays(at, days)), calendarIn(slot), at),
      }),
  ),
  fc.constant((row, slot, at) => ({ columns: restartSchedule(row, calendarIn(slot, at)) })),
];

test("whatever moves a schedule, what was paid for and not delivered is owed", () => {
  const acts = fc.array(fc.oneof(...steps, fc.constant(undefined)), { maxLength: 20 });
  fc.assert(
    fc.property(slot, fc.integer({ min: 1, max: 6 }), acts, (slot, deliveries, history) => {
      let at = today;
      let row = { ...owing(0), ...startSchedule(onDayOf(slot, today), slot, today) };
      let [paidFor, made] = [0, 0];
      for (const act of history) {
        const { columns, made: paid } = (act ?? ordered(deliveries))(row, slot, at);
        row = { ...row, ...columns };
        at = addDays(at, 9);
        if (paid === undefined) continue;
        paidFor += paid;
        made++;
      }
      expect(deliveriesOwed(row)).toBe(paidFor - made);
    }),
    seeded(500),
  );
});
