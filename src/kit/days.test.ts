/** The last day that a request may name is ten years from the account's today. */
import { describe, expect, test } from "vitest";
import { furthestDate, todayOf, tooFarFault } from "./days.ts";

describe("the last day that a request may name is ten years from the account's today", () => {
  test.each([
    ["2026-11-21T12:00:00.000Z", "UTC", "2036-11-21"],
    ["2028-02-29T12:00:00.000Z", "UTC", "2038-02-28"],
    ["2026-12-31T23:30:00.000Z", "Europe/Berlin", "2037-01-01"],
    ["2027-01-01T03:00:00.000Z", "America/New_York", "2036-12-31"],
  ])("at %s in %s it is %s", (now, timezone, furthest) => {
    expect(furthestDate(todayOf({ now, account: { timezone } }))).toBe(furthest);
  });

  test.each([
    ["2036-11-20", undefined],
    ["2036-11-21", undefined],
    ["2036-11-22", "must be 2036-11-21 or earlier: no date lies more than 10 years ahead"],
    ["9999-12-31", "must be 2036-11-21 or earlier: no date lies more than 10 years ahead"],
    ["+010000-01-01", "must be 2036-11-21 or earlier: no date lies more than 10 years ahead"],
  ])("%s: %s", (date, fault) => {
    expect(tooFarFault(date, "2036-11-21")).toBe(fault);
  });
});
