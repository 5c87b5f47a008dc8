/** Days of a zone begin and end where its clocks say, and each form of a date or instant is read as one value or refused. */
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  aDayLater,
  dateIn,
  endOfDay,
  isDateText,
  later,
  parseDate,
  parseInstant,
  parseInstantIn,
  startOfDay,
} from "./dates.ts";
import { dayMs, hourMs } from "./durations.ts";

function seeded(numRuns: number) {
  return { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns };
}

const zones = Intl.supportedValuesOf("timeZone");
const formats = new Map<string, Intl.DateTimeFormat>();
/** The date of an instant by Intl: nothing of ours. */
function dateByIntl(ms: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  formats.set(timeZone, format);
  return format.format(ms);
}

/** From the years in which every zone's offset is a whole number of quarters of an hour, and changes on one. */
const anInstant = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2040, 0, 1) });

describe("a day in a zone", () => {
  test("begins and ends where Intl's date changes, for random zones and dates", () => {
    fc.assert(
      fc.property(anInstant, fc.constantFrom(...zones), (ms, zone) => {
        const date = dateByIntl(ms, zone);
        const [start, end] = [Date.parse(startOfDay(date, zone)), Date.parse(endOfDay(date, zone))];
        expect(ms >= start && ms < end, `${new Date(ms).toISOString()} ${zone}`).toBe(true);
        expect(dateByIntl(start, zone)).toBe(date);
        expect(dateByIntl(end - 1, zone)).toBe(date);
        expect(dateByIntl(start - 1, zone) < date).toBe(true);
        expect(dateByIntl(end, zone) > date).toBe(true);
        const dateOf = (at: number): string => dateIn(new Date(at).toISOString(), zone);
        expect([start - 1, start, ms, end - 1, end].map(dateOf)).toEqual(
          [start - 1, start, ms, end - 1, end].map((at) => dateByIntl(at, zone)),
        );
      }),
      seeded(2000),
    );
  });

  test("ends when the next one begins, on a quarter of an hour", () => {
    fc.assert(
      fc.property(anInstant, fc.constantFrom(...zones), (ms, zone) => {
        const date = dateByIntl(ms, zone);
        const next = new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
        expect(endOfDay(date, zone)).toBe(startOfDay(next, zone));
        expect(Date.parse(startOfDay(date, zone)) % 900_000).toBe(0);
      }),
      seeded(1000),
    );
  });

  test.each([
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", 23],
    ["2018-02-17", "America/Sao_Paulo", "2018-02-17T02:00:00.000Z", 25],
    ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z", 23],
    ["2026-11-01", "America/New_York", "2026-11-01T04:00:00.000Z", 25],
    ["2026-10-04", "Australia/Lord_Howe", "2026-10-03T13:30:00.000Z", 23.5],
    ["2026-04-05", "Australia/Lord_Howe", "2026-04-04T13:00:00.000Z", 24.5],
    ["2026-06-01", "Asia/Kathmandu", "2026-05-31T18:15:00.000Z", 24],
    ["2026-06-01", "UTC", "2026-06-01T00:00:00.000Z", 24],
  ])("%s in %s begins at %s and has %s hours", (date, zone, start, hours) => {
    expect(startOfDay(date, zone)).toBe(start);
    expect(Date.parse(endOfDay(date, zone)) - Date.parse(start)).toBe(hours * hourMs);
  });

  test("is worked out once for each of its quarters of an hour, from 2012 on", () => {
    const format = vi.spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, "format", "get");
    const timesFor = (...instants: string[]): number => {
      format.mockClear();
      for (const instant of instants) dateIn(instant, "Africa/Casablanca");
      return format.mock.calls.length;
    };
    expect(timesFor("2026-11-20T10:00:00.000Z", "2026-11-20T10:14:59.999Z", "2026-11-20T10:15:00.000Z")).toBe(
      2,
    );
    expect(timesFor("2012-01-01T00:00:00.000Z", "2012-01-01T00:00:00.000Z")).toBe(1);
    expect(timesFor("2011-12-31T23:59:59.999Z", "2011-12-31T23:59:59.999Z")).toBe(2);
    format.mockRestore();
  });

  test.each([
    ["1971-06-01T00:44:29.999Z", "Africa/Monrovia", "1971-05-31"],
    ["1971-06-01T00:44:30.000Z", "Africa/Monrovia", "1971-06-01"],
    ["2010-11-07T02:30:00.000Z", "America/St_Johns", "2010-11-07"],
    ["2010-11-07T02:31:00.000Z", "America/St_Johns", "2010-11-06"],
    ["2010-11-07T02:30:59.999Z", "America/St_Johns", "2010-11-07"],
  ])("began or was left within a quarter of an hour: %s in %s is on %s", (instant, zone, date) => {
    expect(dateIn(instant, zone)).toBe(date);
  });

  test.each([
    ["9998-12-31", "9999-01-01T00:00:00.000Z"],
    ["9999-12-30", "9999-12-31T00:00:00.000Z"],
    ["9999-12-31", "9999-12-31T23:45:00.000Z"],
  ])("%s ends at %s: only the calendar's last day is cut", (date, end) => {
    expect(endOfDay(date, "UTC")).toBe(end);
  });

  test("an instant has the date of the zone that is asked for, in whichever order zones are asked for", () => {
    const [noon, night] = ["2026-11-20T12:00:00.000Z", "2026-11-20T23:00:00.000Z"];
    expect(dateIn(night, "UTC")).toBe("2026-11-20");
    expect(dateIn(night, "Europe/Berlin")).toBe("2026-11-21");
    expect(dateIn(noon, "Europe/Berlin")).toBe("2026-11-20");
    expect(dateIn(noon, "Pacific/Kiritimati")).toBe("2026-11-21");
  });

  test("the last day of the calendar ends, in every zone, and not before it begins", () => {
    for (const zone of ["UTC", "America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu"])
      expect(endOfDay("9999-12-31", zone) > startOfDay("9999-12-31", zone), zone).toBe(true);
  });
});

describe("parseInstant: a date-time with an offset, as UTC with milliseconds", () => {
  test.each([
    ["2026-11-20T12:00:00Z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20T12:00Z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20t12:00:00z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20 12:00:00+02:00", "2026-11-20T10:00:00.000Z"],
    ["2026-11-20T12:00:00-0530", "2026-11-20T17:30:00.000Z"],
    ["2026-11-20T12:00:00.5Z", "2026-11-20T12:00:00.500Z"],
    ["2026-11-20T12:00:00.123456789Z", "2026-11-20T12:00:00.123Z"],
    ["2024-02-29T23:59:59.999+14:00", "2024-02-29T09:59:59.999Z"],
    ["2026-11-20 12:00z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20t12:00-05:30", "2026-11-20T17:30:00.000Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
    ["0001-01-02T00:00:00Z", "0001-01-02T00:00:00.000Z"],
    ["0001-01-02T14:00:00+14:00", "0001-01-02T00:00:00.000Z"],
    ["9999-12-30T23:59:59.999Z", "9999-12-30T23:59:59.999Z"],
  ])("%s is %s", (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  test.each([
    "",
    "now",
    "2026-11-20",
    "2026-11-20T12:00:00",
    "2026-02-30T12:00:00Z",
    "2026-11-20T24:00:01Z",
    "2026-11-20T12:61:00Z",
    "2026-11-20T12:00:00+25:00",
    "2026-11-20T12:00:00Z[Europe/Berlin]",
    " 2026-11-20T12:00:00Z",
    "2026-11-20T12:00:00Z\n",
    "+002026-11-20T12:00:00Z",
    "20261120T120000Z",
    "2026-11-20T120000Z",
    "2026-11-20T12Z",
    "2026-11-20T12:00:00,5Z",
    "2026-11-20T12:00:00.Z",
    "2026-11-20T12:00:00.1234567890Z",
    "2026-11-20T12:00:61Z",
    "2026-11-20T12:00:00+02",
    "2026-11-20T12:00:00+02:00:00",
    "2026-11-20_12:00:00Z",
    "1e3",
    "0001-01-01T23:59:59.999Z",
    "9999-12-31T00:00:00Z",
  ])("%j is none", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test("is what Date makes of it, for any instant and offset, and always of one shape", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-02"), max: new Date("9999-12-29"), noInvalidDate: true }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (date, minutes) => {
          const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
          const clock = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
          const instant = parseInstant(`${local}${minutes < 0 ? "-" : "+"}${clock}`);
          expect(instant).toBe(date.toISOString());
        },
      ),
      seeded(500),
    );
  });

  test.each(["9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00"])(
    "%s leaves the years that sort as text: none",
    (text) => {
      const instant = parseInstant(text);
      if (instant !== undefined) expect(instant).toMatch(/^\d{4}-/);
    },
  );
});

describe("parseInstantIn: a date-time, local to the zone unless it has an offset", () => {
  test.each([
    ["2026-11-20T12:00:00", "America/New_York", "2026-11-20T17:00:00.000Z"],
    ["2026-07-20T12:00:00", "America/New_York", "2026-07-20T16:00:00.000Z"],
    ["2026-11-20 12:00", "Asia/Kathmandu", "2026-11-20T06:15:00.000Z"],
    ["2026-11-20t12:00:00.25", "UTC", "2026-11-20T12:00:00.250Z"],
    ["2026-11-20T12:00:00Z", "America/New_York", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20T12:00:00+02:00", "America/New_York", "2026-11-20T10:00:00.000Z"],
    // An hour that daylight saving skips is read an hour later, one that it repeats the first time (as Temporal and RFC 5545 do).
    ["2026-03-08T02:30:00", "America/New_York", "2026-03-08T07:30:00.000Z"],
    ["2026-11-01T01:30:00", "America/New_York", "2026-11-01T05:30:00.000Z"],
  ])("%s in %s is %s", (text, zone, instant) => {
    expect(parseInstantIn(text, zone)).toBe(instant);
  });

  test.each([
    "",
    "2026-11-20",
    "2026-02-30T12:00:00",
    "2026-11-20T24:00:00",
    "2026-11-20T12",
    "2026-11-20T12:00:00[UTC]",
    "2026-11-20T12:00:00+25:00",
    "noon",
  ])("%j is none", (text) => {
    expect(parseInstantIn(text, "UTC")).toBeUndefined();
  });

  test.each([
    ["9999-12-31T23:59:59", "America/New_York"],
    ["9999-12-31T23:59:59", "UTC"],
    ["0000-01-01T00:00:00", "Asia/Tokyo"],
    ["9999-12-31T23:59:59-12:00", "UTC"],
  ])("%s in %s leaves the years that sort as text: none", (text, zone) => {
    expect(parseInstantIn(text, zone)).toBeUndefined();
  });
});

describe("an instant that follows another", () => {
  test.each([
    ["2026-11-20T12:00:00.000Z", 1, "2026-11-20T12:00:00.001Z"],
    ["2026-12-31T23:59:59.999Z", 1, "2027-01-01T00:00:00.000Z"],
    ["2026-11-20T12:00:00.000Z", -hourMs, "2026-11-20T11:00:00.000Z"],
    ["2026-11-20T12:00:00.000Z", 0, "2026-11-20T12:00:00.000Z"],
  ])("%s and %i ms is %s", (instant, ms, expected) => {
    expect(later(instant, ms)).toBe(expected);
  });

  test.each([
    ["2026-06-01T12:00:00.000Z", "America/New_York", "2026-06-02T12:00:00.000Z"],
    ["2026-03-07T17:00:00.000Z", "America/New_York", "2026-03-08T16:00:00.000Z"],
    ["2026-10-31T16:00:00.000Z", "America/New_York", "2026-11-01T17:00:00.000Z"],
    ["2026-03-07T17:00:00.000Z", "UTC", "2026-03-08T17:00:00.000Z"],
  ])("a day after %s, by the clock of %s, is %s", (instant, zone, expected) => {
    expect(aDayLater(instant, zone)).toBe(expected);
  });
});

describe("parseDate: a calendar date, or the date of a date-time in the zone", () => {
  test.each([
    ["2026-11-20", "Asia/Tokyo", "2026-11-20"],
    ["2024-02-29", "UTC", "2024-02-29"],
    ["2026-11-20T23:30:00Z", "UTC", "2026-11-20"],
    ["2026-11-20T23:30:00Z", "Europe/Berlin", "2026-11-21"],
    ["2026-11-20T04:59:59Z", "America/New_York", "2026-11-19"],
    ["2026-11-20T00:30:00+02:00", "UTC", "2026-11-19"],
    ["2026-11-20T23:59:59", "America/New_York", "2026-11-20"],
    ["2026-11-20 23:59", "Asia/Tokyo", "2026-11-20"],
    ["2026-11-20t23:59:60.5", "Asia/Tokyo", "2026-11-20"],
    ["2026-11-20 23:30z", "Europe/Berlin", "2026-11-21"],
    ["2026-11-20T23:30:00+0000", "Europe/Berlin", "2026-11-21"],
    ["0000-01-01", "UTC", "0000-01-01"],
    ["9999-12-31", "UTC", "9999-12-31"],
  ])("%s in %s is %s", (text, zone, date) => {
    expect(parseDate(text, zone)).toBe(date);
    expect(isDateText(text)).toBe(true);
  });

  test.each([
    "",
    "2026-02-29",
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "26-01-01",
    "2026-01",
    "2026/01/01",
    "2026-01-01T",
    "2026-01-01T25:00:00",
    "2026-01-01T10",
    "2026-01-01T10:00:00+25:00",
    "2026-01-01T10:00:00[UTC]",
    "20260101",
    "-2026-01-01",
    "+002026-01-01",
    "2026-01-01\n",
    "tomorrow",
  ])("%j is none", (text) => {
    expect(parseDate(text, "UTC")).toBeUndefined();
    expect(isDateText(text)).toBe(false);
  });

  test("a date is always of ten characters, or none: dates sort as text", () => {
    for (const text of [
      "9999-12-31T23:59:59-12:00",
      "9999-12-31T23:59:59Z",
      "0000-01-01T00:00:00Z",
      "0000-01-01T00:00:00+12:00",
    ])
      for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
        const date = parseDate(text, zone);
        if (date !== undefined) expect(date, `${text} in ${zone}`).toMatch(/^\d{4}-\d\d-\d\d$/);
      }
  });
});
