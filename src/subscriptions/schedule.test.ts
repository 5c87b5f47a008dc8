import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ctx } from "../context.ts";
import type { PlacedSlot } from "../delivery/queries.ts";
import { DomainError } from "../errors.ts";
import { type IntervalUnit, intervalUnits } from "../lib/intervals.ts";
import { addDays, datesOf, dayOfWeek, nthDelivery } from "./cadence.ts";
import {
  dateFrom,
  deliveriesPerBilling,
  deliveryDateIn,
  requireOnSlotDay,
  restartingFrom,
  startingOn,
  todayOf,
} from "./schedule.ts";
import type { Subscription } from "./tables.ts";

const seeded = (numRuns: number) => ({ seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns });
const at = (now: string, timezone: string): Ctx => ({ now, account: { timezone } }) as Ctx;
const on = (
  day_of_week: number,
  packing: number | null = null,
  billing: number | null = null,
  lead: number | null = null,
) =>
  ({
    slot: { id: "slot" },
    day: {
      day_of_week,
      packing_day_of_week: packing,
      billing_day_of_week: billing,
      courier_lead_time_days: lead,
    },
  }) as PlacedSlot;
const row = (values: Partial<Subscription>): Subscription =>
  ({
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
    ...values,
  }) as Subscription;

const faultOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, ...(error.details ?? []).map(({ path, message }) => `${path} ${message}`)];
  }
};

describe("today, in the account's zone", () => {
  test.each([
    ["America/New_York", "2026-11-21T04:59:59.999Z", "2026-11-20"],
    ["America/New_York", "2026-11-21T05:00:00.000Z", "2026-11-21"],
    ["America/New_York", "2026-07-01T03:59:59.999Z", "2026-06-30"],
    ["America/New_York", "2026-07-01T04:00:00.000Z", "2026-07-01"],
    ["America/New_York spring", "2026-03-08T04:59:59.999Z", "2026-03-07"],
    ["America/New_York spring", "2026-03-08T05:00:00.000Z", "2026-03-08"],
    ["America/New_York spring", "2026-03-09T03:59:59.999Z", "2026-03-08"],
    ["America/New_York spring", "2026-03-09T04:00:00.000Z", "2026-03-09"],
    ["America/New_York autumn", "2026-11-01T03:59:59.999Z", "2026-10-31"],
    ["America/New_York autumn", "2026-11-01T04:00:00.000Z", "2026-11-01"],
    ["America/New_York autumn", "2026-11-02T04:59:59.999Z", "2026-11-01"],
    ["America/New_York autumn", "2026-11-02T05:00:00.000Z", "2026-11-02"],
    ["Europe/Berlin spring", "2026-03-28T22:59:59.999Z", "2026-03-28"],
    ["Europe/Berlin spring", "2026-03-28T23:00:00.000Z", "2026-03-29"],
    ["Europe/Berlin spring", "2026-03-29T21:59:59.999Z", "2026-03-29"],
    ["Europe/Berlin spring", "2026-03-29T22:00:00.000Z", "2026-03-30"],
    ["Europe/Berlin autumn", "2026-10-25T22:59:59.999Z", "2026-10-25"],
    ["Europe/Berlin autumn", "2026-10-25T23:00:00.000Z", "2026-10-26"],
    ["Pacific/Auckland", "2026-11-20T10:59:59.999Z", "2026-11-20"],
    ["Pacific/Auckland", "2026-11-20T11:00:00.000Z", "2026-11-21"],
    ["Pacific/Auckland autumn", "2026-04-05T11:59:59.999Z", "2026-04-05"],
    ["Pacific/Auckland autumn", "2026-04-05T12:00:00.000Z", "2026-04-06"],
    ["Asia/Kathmandu", "2026-12-31T18:14:59.999Z", "2026-12-31"],
    ["Asia/Kathmandu", "2026-12-31T18:15:00.000Z", "2027-01-01"],
  ])("%s at %s it is %s", (zone, now, today) => {
    expect(todayOf(at(now, zone.split(" ")[0]!))).toBe(today);
  });
});

describe("a delivery date in a body", () => {
  const night = "2026-11-21T04:30:00.000Z";
  const past = ["VALIDATION_FAILED", "next_delivery_date must not be in the past"];
  const offDay = ["VALIDATION_FAILED", "next_delivery_date must be on the delivery slot's day of the week"];
  test.each([
    ["today is the account's: New York's 20th", "America/New_York", "2026-11-20", undefined, "2026-11-20"],
    ["Berlin's 21st", "Europe/Berlin", "2026-11-20", undefined, past],
    ["Berlin's 21st", "Europe/Berlin", "2026-11-21", undefined, "2026-11-21"],
    ["Auckland's 21st", "Pacific/Auckland", "2026-11-20", undefined, past],
    ["a date-time's date in the zone", "America/New_York", "2026-11-21T04:59:00Z", undefined, "2026-11-20"],
    ["a date-time's date in the zone", "America/New_York", "2026-11-21T05:00:00Z", undefined, "2026-11-21"],
    ["a date-time's date in the zone", "Europe/Berlin", "2026-11-21T23:00:00Z", undefined, "2026-11-22"],
    ["a date-time's date in the zone, past", "America/New_York", "2026-11-20T04:59:00Z", undefined, past],
    ["a local date-time", "Europe/Berlin", "2026-11-21T00:00:00", undefined, "2026-11-21"],
    ["on the slot's day", "Europe/Berlin", "2026-11-27", on(5), "2026-11-27"],
    ["off the slot's day", "Europe/Berlin", "2026-11-28", on(5), offDay],
    ["the zone decides the day of the week", "America/New_York", "2026-11-28T04:00:00Z", on(5), "2026-11-27"],
    ["the zone decides the day of the week", "Europe/Berlin", "2026-11-28T04:00:00Z", on(5), offDay],
    ["past goes before off the day", "Europe/Berlin", "2026-11-19", on(5), past],
  ] as [string, string, string, PlacedSlot | undefined, unknown][])(
    "%s: %s %s",
    (_, zone, text, place, expected) => {
      expect(faultOf(() => deliveryDateIn(at(night, zone), text, place))).toEqual(expected);
    },
  );

  test("the fault is told at the path given", () => {
    expect(faultOf(() => dateFrom(at(night, "UTC"), "2020-01-01", "2026-11-21", "a.b"))).toEqual([
      "VALIDATION_FAILED",
      "a.b must not be in the past",
    ]);
    expect(faultOf(() => dateFrom(at(night, "UTC"), "9999-12-31", "2026-11-21"))).toEqual([
      "VALIDATION_FAILED",
      "next_delivery_date must not be after 9000-12-31",
    ]);
    expect(faultOf(() => requireOnSlotDay("2026-11-20", on(4), "slot"))).toEqual([
      "VALIDATION_FAILED",
      "slot must be on the delivery slot's day of the week",
    ]);
  });
});

describe("how many deliveries one billing covers", () => {
  test.each([
    [1, "MONTH", 1, "MONTH", 1],
    [3, "MONTH", 1, "MONTH", 3],
    [1, "YEAR", 1, "MONTH", 12],
    [8, "WEEK", 14, "DAY", 4],
  ] as [number, IntervalUnit, number, IntervalUnit, number][])(
    "%i %s of %i %s: %i",
    (b, billing, d, delivery, times) => {
      const intervals = {
        billing_interval: billing,
        billing_interval_count: b,
        delivery_interval: delivery,
        delivery_interval_count: d,
      };
      expect(deliveriesPerBilling(intervals)).toBe(times);
    },
  );
});

describe("a schedule that begins", () => {
  test("with its first delivery, billed at once", () => {
    expect(startingOn("2026-12-04", on(5, 4, 1, 1), "2026-11-21")).toEqual({
      anchor_date: "2026-12-04",
      next_index: 0,
      next_billed_index: 0,
      next_delivery_date: "2026-12-04",
      next_production_date: "2026-12-03",
      next_billing_date: "2026-11-30",
    });
  });

  test("without a slot: billing is delivery, no production", () => {
    expect(startingOn("2026-12-04", undefined, "2026-11-21")).toMatchObject({
      next_delivery_date: "2026-12-04",
      next_production_date: null,
      next_billing_date: "2026-12-04",
    });
  });

  test("too soon to be packed and billed in time: today", () => {
    expect(startingOn("2026-11-27", on(5, 4, 1, 2), "2026-11-24")).toMatchObject({
      next_delivery_date: "2026-11-27",
      next_production_date: "2026-11-24",
      next_billing_date: "2026-11-24",
    });
  });
});

describe("a schedule that goes on", () => {
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
      on(5, 4, 1, 1),
      "2026-11-16",
      [1, 1, "2026-11-27", "2026-11-26", "2026-11-23"],
    ],
    [
      "billed tomorrow at the earliest",
      {},
      on(5, 4, 1, 1),
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
      },
      undefined,
      "2026-02-01",
      [1, 3, "2026-02-15", null, "2026-04-15"],
    ],
  ] as [string, Partial<Subscription>, PlacedSlot | undefined, string, unknown[]][])(
    "%s",
    (_, values, place, today, expected) => {
      const next = { ...row(values), ...restartingFrom(row(values), place, today) };
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
    expect(restartingFrom(row(planned), on(5, 4, 1, 1), "2026-11-17")).toEqual({});
    expect(restartingFrom(row(planned), on(5, 4, 1, 1), "2026-11-18")).toMatchObject({
      next_delivery_date: "2026-11-27",
    });
  });

  test("charges nothing today, stays on the schedule, on the slot's day", () => {
    const weekday = fc.integer({ min: 1, max: 7 });
    const place = fc.option(
      fc.tuple(weekday, fc.option(weekday), fc.option(weekday), fc.option(fc.nat(10))).map((of) => on(...of)),
      { nil: undefined },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...intervalUnits),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(600),
        fc.nat(4),
        place,
        (unit, count, days, index, slot) => {
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
          const next = { ...subscription, ...restartingFrom(subscription, slot, today) };
          const interval = { unit, count };
          expect(next.anchor_date).toBe("2026-01-31");
          expect(next.next_index).toBeGreaterThanOrEqual(index);
          expect(next.next_delivery_date).toBe(
            nthDelivery("2026-01-31", interval, next.next_index, slot?.day),
          );
          if (slot) expect(dayOfWeek(next.next_delivery_date!)).toBe(slot.day.day_of_week);
          expect(next.next_billing_date! > today).toBe(true);
          expect(next).toMatchObject({ next_billed_index: next.next_index });
          const { billing, production } = datesOf(next.next_delivery_date!, slot?.day, "2000-01-01");
          expect([next.next_billing_date, next.next_production_date]).toEqual([billing, production]);
        },
      ),
      seeded(1000),
    );
  });
});
