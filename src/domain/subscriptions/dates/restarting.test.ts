/** A schedule that restarts keeps the dates that lie ahead, and moves those that have passed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import { aSlot, calendarIn, slotOn } from "../../../../test/support/slots.ts";
import { addDays, dayOfWeek } from "../../../base/lib/time/calendar.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import type { Subscription } from "../tables.ts";
import { calculatePlannedDates, nthDelivery } from "./cadence.ts";
import { unmoved } from "./next-dates.ts";
import { restartSchedule } from "./restarting.ts";

function row(values: Partial<Subscription>): Subscription {
  return {
    billing_interval: "WEEK",
    billing_interval_count: 1,
    delivery_interval: "WEEK",
    delivery_interval_count: 1,
    anchor_date: "2026-11-20",
    next_index: 0,
    next_billed_index: 0,
    next_billing_date: null,
    next_delivery_date: null,
    next_production_date: null,
    max_cycles: null,
    ...unmoved,
    ...values,
  } as Subscription;
}

describe("a schedule that restarts", () => {
  test.each([
    [
      "the next delivery is ahead: nothing moves",
      {},
      undefined,
      "2026-11-10",
      [0, 0, "2026-11-20", null, "2026-11-20"],
    ],
    [
      "the next delivery is today: the one after",
      {},
      undefined,
      "2026-11-20",
      [1, 1, "2026-11-27", null, "2026-11-27"],
    ],
    ["weeks have passed", {}, undefined, "2026-12-25", [6, 6, "2027-01-01", null, "2027-01-01"]],
    [
      "never billed today",
      {},
      slotOn(5, 4, 1, 1),
      "2026-11-16",
      [1, 1, "2026-11-27", "2026-11-26", "2026-11-23"],
    ],
    [
      "billed tomorrow at the earliest",
      {},
      slotOn(5, 4, 1, 1),
      "2026-11-15",
      [0, 0, "2026-11-20", "2026-11-19", "2026-11-16"],
    ],
    [
      "no drift: the 31st comes again",
      {
        anchor_date: "2026-01-31",
        delivery_interval: "MONTH",
        billing_interval: "MONTH",
        next_index: 1,
        next_billed_index: 1,
      },
      undefined,
      "2026-03-01",
      [2, 2, "2026-03-31", null, "2026-03-31"],
    ],
    [
      "prepaid: the paid deliveries are still owed, billing stays",
      {
        anchor_date: "2026-01-15",
        delivery_interval: "MONTH",
        billing_interval: "MONTH",
        billing_interval_count: 3,
        next_index: 1,
        next_billed_index: 3,
        next_delivery_date: "2026-02-15",
        next_billing_date: "2026-04-15",
      },
      undefined,
      "2026-02-01",
      [1, 3, "2026-02-15", null, "2026-04-15"],
    ],
    [
      "billed every three months: a delivery that was missed comes tomorrow, and the schedule counts from it",
      {
        anchor_date: "2026-01-15",
        delivery_interval: "MONTH",
        delivery_interval_count: 3,
        billing_interval: "MONTH",
        billing_interval_count: 3,
        next_index: 1,
        next_billed_index: 1,
        next_delivery_date: "2026-04-15",
        next_billing_date: "2026-04-15",
      },
      undefined,
      "2026-04-20",
      [0, 0, "2026-04-21", null, "2026-04-21"],
    ],
    [
      "billed every year, in a slot: one whose charge has passed keeps its day",
      {
        anchor_date: "2026-11-20",
        delivery_interval: "YEAR",
        billing_interval: "YEAR",
        next_delivery_date: "2026-11-20",
        next_production_date: "2026-11-19",
        next_billing_date: "2026-11-16",
      },
      slotOn(5, 4, 1, 1),
      "2026-11-17",
      [0, 0, "2026-11-20", "2026-11-19", "2026-11-18"],
    ],
    [
      "prepaid, billed every three months: what was held comes tomorrow, and the charge after it",
      {
        anchor_date: "2026-01-15",
        delivery_interval: "MONTH",
        billing_interval: "MONTH",
        billing_interval_count: 3,
        next_index: 1,
        next_billed_index: 3,
        next_delivery_date: "2026-02-15",
        next_billing_date: "2026-04-15",
      },
      undefined,
      "2026-03-20",
      [0, 2, "2026-03-21", null, "2026-05-21"],
    ],
  ] as [string, Partial<Subscription>, SlotWithDay | undefined, string, unknown[]][])(
    "%s",
    (_, values, slot, today, expected) => {
      const next = { ...row(values), ...restartSchedule(row(values), calendarIn(slot, today)) };
      expect([
        next.next_index,
        next.next_billed_index,
        next.next_delivery_date,
        next.next_production_date,
        next.next_billing_date,
      ]).toEqual(expected);
    },
  );

  test("what is planned for tomorrow or later stays as it is; what is billed today does not", () => {
    const planned = {
      next_billing_date: "2026-11-18",
      next_production_date: "2026-11-18",
      next_delivery_date: "2026-11-23",
    };
    expect(restartSchedule(row(planned), calendarIn(slotOn(5, 4, 1, 1), "2026-11-17"))).toEqual({});
    expect(restartSchedule(row(planned), calendarIn(slotOn(5, 4, 1, 1), "2026-11-18"))).toMatchObject({
      next_delivery_date: "2026-11-27",
    });
  });

  test("what is planned for the very next day stays, also where no billing follows", () => {
    const planned = { next_delivery_date: "2026-11-18", next_production_date: null };
    for (const next_billing_date of ["2026-11-18", null])
      expect(
        restartSchedule(row({ ...planned, next_billing_date }), calendarIn(undefined, "2026-11-17")),
      ).toEqual({});
  });

  test("an owed delivery that a pause has held is made after it, though the next billing is ahead", () => {
    const held = {
      next_billed_index: 2,
      next_delivery_date: "2026-11-20",
      next_billing_date: "2026-12-04",
    };
    expect(restartSchedule(row(held), calendarIn(undefined, "2026-11-23"))).toEqual({
      anchor_date: "2026-11-20",
      ...unmoved,
      next_index: 1,
      next_billed_index: 3,
      next_delivery_date: "2026-11-27",
      next_production_date: null,
      next_billing_date: "2026-12-11",
    });
  });

  test("charges nothing today, stays on the schedule, on the slot's day", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...([
            ["DAY", 1],
            ["DAY", 31],
            ["WEEK", 1],
            ["WEEK", 4],
            ["MONTH", 1],
          ] as const),
        ),
        fc.nat(600),
        fc.nat(4),
        aSlot,
        ([unit, count], days, index, slot) => {
          const today = addDays("2026-01-31", days);
          const subscription = row({
            anchor_date: "2026-01-31",
            delivery_interval: unit,
            delivery_interval_count: count,
            billing_interval: unit,
            billing_interval_count: count,
            next_index: index,
            next_billed_index: index,
          });
          const next = { ...subscription, ...restartSchedule(subscription, calendarIn(slot, today)) };
          const interval = { unit, count };
          expect(next.anchor_date).toBe("2026-01-31");
          expect(next.next_index).toBeGreaterThanOrEqual(index);
          expect(next.next_delivery_date).toBe(
            nthDelivery("2026-01-31", interval, next.next_index, slot?.day),
          );
          if (slot) expect(dayOfWeek(next.next_delivery_date!)).toBe(slot.day.day_of_week);
          expect(next.next_billing_date! > today).toBe(true);
          expect(next).toMatchObject({ next_billed_index: next.next_index });
          const { billing, production } = calculatePlannedDates(next.next_delivery_date!, slot?.day);
          expect([next.next_billing_date, next.next_production_date]).toEqual([billing, production]);
        },
      ),
      seeded(1000),
    );
  });
});
