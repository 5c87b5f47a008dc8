/** A slot has a cut-off only with cutoff_days, at the time that the clocks of its zone show. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { clockTimeAt } from "../../base/lib/time/zones.ts";
import { cutoffOf, cutoffText } from "./cutoff.ts";

const newYork = "America/New_York";

test.each([
  [
    "two days before, at its time, by the clocks of the zone",
    "2027-01-12",
    2,
    "18:00",
    "2027-01-10T23:00:00.000Z",
  ],
  ["on the day itself", "2027-01-12", 0, "06:00", "2027-01-12T11:00:00.000Z"],
  ["without a time at midnight", "2027-01-12", 1, null, "2027-01-11T05:00:00.000Z"],
  ["on the day on which the clocks are set forward", "2027-03-16", 2, "18:00", "2027-03-14T22:00:00.000Z"],
  ["at a time that the clocks never show", "2027-03-16", 2, "02:30", "2027-03-14T07:30:00.000Z"],
  ["at the first of two such times", "2027-11-09", 2, "01:30", "2027-11-07T05:30:00.000Z"],
  ["across a month and a year", "2027-01-05", 14, "12:00", "2026-12-22T17:00:00.000Z"],
])("the cut-off lies %s", (_, delivery, cutoff_days, cutoff_time, instant) => {
  expect(cutoffOf({ cutoff_days, cutoff_time }, delivery, newYork)).toBe(instant);
});

test("a slot without cutoff_days has no cut-off, whatever its cutoff_time says", () => {
  expect(cutoffOf({ cutoff_days: null, cutoff_time: "18:00" }, "2027-01-12", newYork)).toBeUndefined();
});

test("its words are what the clocks of its zone show then, unless they never do", () => {
  const zone = fc.constantFrom(newYork, "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Tokyo");
  const delivery = fc
    .date({ min: new Date("2025-01-01"), max: new Date("2035-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const two = (n: number) => String(n).padStart(2, "0");
  const time = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
  fc.assert(
    fc.property(zone, delivery, fc.nat(14), fc.option(time), (timezone, date, cutoff_days, cutoff_time) => {
      const cutoff = { cutoff_days, cutoff_time };
      const shown = clockTimeAt(Date.parse(cutoffOf(cutoff, date, timezone) ?? ""), timezone);
      const text = new Date(shown).toISOString().slice(0, 16).replace("T", " ");
      const skippedMs = shown - Date.parse(`${cutoffText(cutoff, date).replace(" ", "T")}Z`);
      if (skippedMs === 0) expect(text).toBe(cutoffText(cutoff, date));
      else expect([30, 60].map((minutes) => minutes * 60_000)).toContain(skippedMs);
    }),
  );
});
