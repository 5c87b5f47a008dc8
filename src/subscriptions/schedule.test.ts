import { describe, expect, test } from "vitest";
import { slotOn } from "../../test/support/slots.ts";
import type { Ctx } from "../context.ts";
import type { PlacedSlot } from "../delivery/queries.ts";
import { DomainError } from "../errors.ts";
import type { IntervalUnit } from "../lib/intervals.ts";
import {
  dateFrom,
  deliveriesPerBilling,
  deliveryDateIn,
  requireOnSlotDay,
  startSchedule,
  todayOf,
} from "./schedule.ts";

const at = (now: string, timezone: string): Ctx => ({ now, account: { timezone } }) as Ctx;

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
  ] as [string, string, string, PlacedSlot | undefined, unknown][])(
    "%s: %s %s",
    (_, zone, text, place, expected) => {
      expect(faultOf(() => deliveryDateIn(at(night, zone), text, place))).toEqual(expected);
    },
  );

  test("the error names the path of the date", () => {
    expect(faultOf(() => dateFrom(at(night, "UTC"), "2020-01-01", "2026-11-21", "a.b"))).toEqual([
      "VALIDATION_FAILED",
      "a.b must not be in the past",
    ]);
    expect(faultOf(() => dateFrom(at(night, "UTC"), "9999-12-31", "2026-11-21"))).toEqual([
      "VALIDATION_FAILED",
      "next_delivery_date must not be after 9000-12-31",
    ]);
    expect(faultOf(() => requireOnSlotDay("2026-11-20", slotOn(4), "slot"))).toEqual([
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
    expect(startSchedule("2026-12-04", slotOn(5, 4, 1, 1), "2026-11-21")).toEqual({
      anchor_date: "2026-12-04",
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
