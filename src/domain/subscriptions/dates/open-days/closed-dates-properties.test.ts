/** Closed days leave every delivery its turn, and deleting them puts every date back exactly. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Case, closing, course, startingOn } from "../../../../../test/support/closed-days.ts";
import { seeded } from "../../../../../test/support/seeded.ts";
import { aSlot } from "../../../../../test/support/slots.ts";
import { addDays, dayOfWeek, toDay } from "../../../../base/lib/time/calendar.ts";
import { intervalUnits } from "../../../../base/lib/time/intervals.ts";
import { type ClosedDay, type ClosedKind, closedKinds, closureOn } from "../../../delivery/closed-days.ts";
import { closedRules } from "../../../delivery/tables.ts";
import { nthDelivery } from "../cadence.ts";
import type { Calendar } from "../calendar.ts";
import { deliveriesOwed, scheduleOf } from "../next-dates.ts";
import { datesToFollow } from "./open-dates.ts";

const aRule = fc.constantFrom(...closedRules);
const kinds = fc.subarray([...closedKinds], { minLength: 1 });
function aClosedDay(within: number) {
  return fc
    .record({
      from: fc.nat(within),
      length: fc.nat(12),
      rule: aRule,
      applies_to: kinds,
      isOfSlot: fc.boolean(),
    })
    .map(({ from, length, rule, applies_to, isOfSlot }): ClosedDay => {
      const first = addDays("2026-11-25", from);
      return closing(first, addDays(first, length), rule, { applies_to, slot_ids: isOfSlot ? ["slot"] : [] });
    });
}
const closedLists = fc.array(aClosedDay(150), { maxLength: 6 });
const aSchedule = fc.record({
  anchor: fc.constantFrom("2026-11-28", "2026-11-29", "2026-11-30", "2026-12-31", "2026-12-01"),
  unit: fc.constantFrom(...intervalUnits),
  count: fc.integer({ min: 1, max: 4 }),
  per: fc.integer({ min: 1, max: 4 }),
  slot: aSlot,
});

const cases: fc.Arbitrary<Case> = fc.tuple(aSchedule, closedLists).map(toCase);

/** A subscription of every few days, in no slot, many of whose dates are moved. */
const crowded: fc.Arbitrary<Case> = fc
  .tuple(
    fc.record({ count: fc.integer({ min: 2, max: 4 }), per: fc.integer({ min: 1, max: 2 }) }),
    fc.array(aClosedDay(30), { minLength: 2, maxLength: 5 }),
  )
  .map(([{ count, per }, closed]) =>
    toCase([{ anchor: "2026-11-25", unit: "DAY", count, per, slot: undefined }, closed]),
  );

type Plan = {
  anchor: string;
  unit: (typeof intervalUnits)[number];
  count: number;
  per: number;
  slot: Calendar["slot"];
};

function toCase([{ anchor, unit, count, per, slot }, closed]: [Plan, ClosedDay[]]): Case {
  const calendar = { slot, closed, today: "2026-10-01" };
  const more = { delivery_interval: unit, delivery_interval_count: count, deliveries_per_billing: per };
  let first: string = anchor;
  while (slot && dayOfWeek(first) !== slot.day.day_of_week) first = addDays(first, 1);
  return { row: startingOn(first, calendar, more), calendar };
}

function isClosed({ closed, slot }: Calendar, kind: ClosedKind, date: string | null): boolean {
  return date !== null && closureOn(closed, { kind, slotId: slot?.id }, toDay(date)) !== undefined;
}

describe("closed days leave", () => {
  test("no date on a closed day, each after the last, none charged or packed after its delivery", () => {
    fc.assert(
      fc.property(cases, (one) => {
        let last = "";
        for (const { row } of course(one, 12)) {
          const { next_delivery_date: delivery, next_production_date: production } = row;
          const billing = deliveriesOwed(row) === 0 ? row.next_billing_date : null;
          expect(isClosed(one.calendar, "delivery", delivery)).toBe(false);
          expect(isClosed(one.calendar, "production", production)).toBe(false);
          expect(isClosed(one.calendar, "billing", row.next_billing_date)).toBe(false);
          expect(delivery! > last).toBe(true);
          expect((billing ?? "") <= delivery! && (production ?? "") <= delivery!).toBe(true);
          last = delivery!;
        }
      }),
      seeded(1500),
    );
  });

  test("each delivery its turn: the next one follows, except those whose own day has passed by then", () => {
    fc.assert(
      fc.property(crowded, (one) => {
        const all = [...course(one, 12)];
        for (const [nth, { row }] of all.slice(1).entries()) {
          const { next_index: made, next_delivery_date: delivered } = all[nth]!.row;
          const { anchor, interval } = scheduleOf(row, undefined);
          for (let index = made + 1; index < (row.scheduled_index ?? row.next_index); index++)
            expect(nthDelivery(anchor, interval, index, undefined) <= delivered!).toBe(true);
        }
      }),
      seeded(1500),
    );
  });

  test("the anchor; deleting them puts every date back exactly", () => {
    fc.assert(
      fc.property(cases, ({ row, calendar }) => {
        const open = { ...calendar, closed: [] };
        const never = startingOn(row.anchor_date, open, {
          delivery_interval: row.delivery_interval,
          delivery_interval_count: row.delivery_interval_count,
          deliveries_per_billing: row.deliveries_per_billing,
        });
        expect({ ...row, ...datesToFollow(row, open) }).toEqual(never);
      }),
      seeded(1500),
    );
  });

  test("dates that were worked out as they are", () => {
    fc.assert(
      fc.property(cases, (one) => {
        for (const { row, calendar } of course(one, 6)) expect(datesToFollow(row, calendar)).toBeUndefined();
      }),
      seeded(600),
    );
  });

  test("the same dates whether they were closed before the subscription began or after", () => {
    fc.assert(
      fc.property(cases, ({ row, calendar }) => {
        const before = { ...row, ...datesToFollow(row, { ...calendar, closed: [] }) };
        expect({ ...before, ...datesToFollow(before, calendar) }).toEqual(row);
      }),
      seeded(1500),
    );
  });

  test("dates that follow them once, whatever days the slot is given meanwhile", () => {
    fc.assert(
      fc.property(cases, aSlot, closedLists, fc.nat(5), fc.nat(20), (one, slot, closed, nth, days) => {
        fc.pre((one.calendar.slot === undefined) === (slot === undefined));
        const { row, calendar } = [...course(one, 6)][nth]!;
        const later = { slot, closed, today: addDays(calendar.today, days) };
        expect(datesToFollow({ ...row, ...datesToFollow(row, later) }, later)).toBeUndefined();
      }),
      seeded(1500),
    );
  });
});
