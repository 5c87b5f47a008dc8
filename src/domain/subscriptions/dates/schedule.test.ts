/** Dates of a schedule are counted in the account's zone, and the charge belongs to its first unpaid delivery. */
import { describe, expect, test } from "vitest";
import { calendarIn, slotOn } from "../../../../test/support/slots.ts";
import { DomainError } from "../../../base/errors.ts";
import type { IntervalUnit } from "../../../base/lib/time/intervals.ts";
import type { Ctx } from "../../../kit/context.ts";
import { dateFrom, todayOf } from "../../../kit/days.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import type { Subscription } from "../tables.ts";
import { requireDeliverable } from "./earliest-delivery.ts";
import { deliveryFrom } from "./next-after.ts";
import { unmoved } from "./next-dates.ts";
import {
  continueSchedule,
  deliveriesPerBilling,
  isWithinCalendar,
  nextBillingDate,
  startSchedule,
} from "./schedule.ts";

function at(now: string, timezone: string): Ctx {
  return { now, account: { timezone } } as Ctx;
}

function faultOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, ...(error.details ?? []).map(({ path, message }) => `${path} ${message}`)];
  }
}

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

/** The date that a request names for a delivery in a slot. */
function deliveryDateIn(ctx: Ctx, text: string, slot: SlotWithDay | undefined): string {
  const date = dateFrom(ctx, text, todayOf(ctx));
  requireDeliverable(date, calendarIn(slot), "next_delivery_date");
  return date;
}

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
    ["on the slot's day", "Europe/Berlin", "2026-11-27", slotOn(5), "2026-11-27"],
    ["off the slot's day", "Europe/Berlin", "2026-11-28", slotOn(5), offDay],
    [
      "the zone decides the day of the week",
      "America/New_York",
      "2026-11-28T04:00:00Z",
      slotOn(5),
      "2026-11-27",
    ],
    ["the zone decides the day of the week", "Europe/Berlin", "2026-11-28T04:00:00Z", slotOn(5), offDay],
    ["past goes before off the day", "Europe/Berlin", "2026-11-19", slotOn(5), past],
  ] as [string, string, string, SlotWithDay | undefined, unknown][])(
    "%s: %s %s",
    (_, zone, text, slot, expected) => {
      expect(faultOf(() => deliveryDateIn(at(night, zone), text, slot))).toEqual(expected);
    },
  );

  test("the error names the path of the date", () => {
    expect(faultOf(() => dateFrom(at(night, "UTC"), "2020-01-01", "2026-11-21", "a.b"))).toEqual([
      "VALIDATION_FAILED",
      "a.b must not be in the past",
    ]);
    expect(faultOf(() => dateFrom(at(night, "UTC"), "2036-11-22", "2026-11-21"))).toEqual([
      "VALIDATION_FAILED",
      "next_delivery_date must be 2036-11-21 or earlier: no date lies more than 10 years ahead",
    ]);
    expect(faultOf(() => requireDeliverable("2026-11-20", calendarIn(slotOn(4)), "slot"))).toEqual([
      "VALIDATION_FAILED",
      "slot must be on the delivery slot's day of the week",
    ]);
  });

  test("one before a day that is not today is told that day", () => {
    expect(faultOf(() => dateFrom(at(night, "UTC"), "2026-11-21", "2026-11-24"))).toEqual([
      "VALIDATION_FAILED",
      "next_delivery_date must be from 2026-11-24 on",
    ]);
    expect(dateFrom(at(night, "UTC"), "2026-11-24", "2026-11-24")).toBe("2026-11-24");
  });

  test("a text that is no date is refused", () => {
    expect(faultOf(() => dateFrom(at(night, "UTC"), "soon", "2026-11-21"))).toEqual(past);
  });

  test.each([
    ["2026-11-20", true],
    ["9999-12-31", true],
    ["+010000-01-01", false],
  ])("%s is on the calendar of schedules: %s", (date, isWithin) => {
    expect(isWithinCalendar(date)).toBe(isWithin);
  });
});

describe("how many deliveries one billing covers", () => {
  test.each([
    [1, "MONTH", 1, "MONTH", 1],
    [3, "MONTH", 1, "MONTH", 3],
    [1, "YEAR", 1, "MONTH", 12],
    [8, "WEEK", 14, "DAY", 4],
    [1, "MONTH", 1, "WEEK", 1],
    [3, "WEEK", 2, "WEEK", 1],
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

/** Every second week on Fridays, in the third cycle, with deliveries owed. */
function biweekly(more: Partial<Subscription> = {}): Subscription {
  return {
    status: "ACTIVE",
    anchor_date: "2026-10-23",
    next_index: 2,
    next_billed_index: 2,
    next_delivery_date: "2026-11-20",
    next_production_date: "2026-11-19",
    next_billing_date: "2026-11-16",
    billing_interval: "WEEK",
    billing_interval_count: 2,
    delivery_interval: "WEEK",
    delivery_interval_count: 2,
    current_billing_cycle: 3,
    max_cycles: null,
    ...more,
  } as Subscription;
}

describe("a schedule that is counted from another delivery", () => {
  test("begins with it, and is billed for it where nothing is owed", () => {
    expect(continueSchedule(biweekly(), "2026-12-04", calendarIn(slotOn(5, 4, 1, 1)), "2026-11-21")).toEqual({
      anchor_date: "2026-12-04",
      anchor_day: null,
      ...unmoved,
      next_index: 0,
      next_billed_index: 0,
      next_delivery_date: "2026-12-04",
      next_production_date: "2026-12-03",
      next_billing_date: "2026-11-30",
    });
  });

  test("makes the owed deliveries before the next billing", () => {
    const row = biweekly({ next_billed_index: 4 });
    expect(continueSchedule(row, "2026-12-05", calendarIn(undefined), "2026-11-21")).toEqual({
      anchor_date: "2026-12-05",
      anchor_day: null,
      ...unmoved,
      next_index: 0,
      next_billed_index: 2,
      next_delivery_date: "2026-12-05",
      next_production_date: null,
      next_billing_date: "2027-01-02",
    });
  });
});

describe("the next billing date", () => {
  test.each<[string, Partial<Subscription>, string | null]>([
    ["that of the first unpaid delivery", {}, "2026-11-16"],
    ["after those that are paid for", { next_billed_index: 4 }, "2026-12-14"],
    ["of the last cycle", { max_cycles: 3 }, "2026-11-16"],
    ["none after the last cycle", { max_cycles: 2 }, null],
    ["none once it is cancelled", { status: "CANCELLED" }, null],
    ["none once it has expired", { status: "EXPIRED" }, null],
    ["kept while it is paused", { status: "PAUSED" }, "2026-11-16"],
  ])("%s", (_, more, billing) => {
    expect(nextBillingDate(biweekly(more), slotOn(5, 4, 1, 1), "2026-11-01")).toBe(billing);
  });

  test("is no earlier than the day from which on it is asked for", () => {
    expect(nextBillingDate(biweekly(), slotOn(5, 4, 1, 1), "2026-11-18")).toBe("2026-11-18");
  });
});

describe("the delivery that a charge made now is for", () => {
  test.each<[string, SlotWithDay | undefined, Partial<Subscription>, string, string, string | null]>([
    ["the planned one", slotOn(5, 4, 1, 1), {}, "2026-11-10", "2026-11-20", "2026-11-19"],
    [
      "the planned one, today, packed today",
      slotOn(5, 4, 1, 1),
      {},
      "2026-11-20",
      "2026-11-20",
      "2026-11-20",
    ],
    ["the slot's next, a day late", slotOn(5, 4, 1, 1), {}, "2026-11-21", "2026-11-27", "2026-11-26"],
    ["today without a slot, a day late", undefined, {}, "2026-11-21", "2026-11-21", null],
    [
      "today where none is planned",
      undefined,
      { next_delivery_date: null },
      "2026-11-21",
      "2026-11-21",
      null,
    ],
  ])("%s", (_, slot, more, today, delivery_date, production_date) => {
    expect(deliveryFrom(biweekly(more), calendarIn(slot, today))).toEqual({ delivery_date, production_date });
  });
});

describe("a schedule that begins", () => {
  test("with its first delivery, billed at once", () => {
    expect(startSchedule("2026-12-04", slotOn(5, 4, 1, 1), "2026-11-21")).toEqual({
      anchor_date: "2026-12-04",
      anchor_day: null,
      ...unmoved,
      next_index: 0,
      next_billed_index: 0,
      next_delivery_date: "2026-12-04",
      next_production_date: "2026-12-03",
      next_billing_date: "2026-11-30",
    });
  });

  test("without a slot: billing is delivery, no production", () => {
    expect(startSchedule("2026-12-04", undefined, "2026-11-21")).toMatchObject({
      next_delivery_date: "2026-12-04",
      next_production_date: null,
      next_billing_date: "2026-12-04",
    });
  });

  test("too soon to be packed and billed in time: today", () => {
    expect(startSchedule("2026-11-27", slotOn(5, 4, 1, 2), "2026-11-24")).toMatchObject({
      next_delivery_date: "2026-11-27",
      next_production_date: "2026-11-24",
      next_billing_date: "2026-11-24",
    });
  });
});
