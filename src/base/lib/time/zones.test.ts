/** Dates and times in zones agree with Temporal at any instant of any zone. */
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import {
  aDayLater,
  dateIn,
  endOfDay,
  type Instant,
  parseDate,
  parseInstant,
  parseInstantIn,
  startOfDay,
} from "./dates.ts";

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];

/** The rules of dates.ts by Temporal, which the Worker does without. */
const byTemporal = {
  dateIn: (instant: Instant, zone: string) => zoned(instant, zone).toPlainDate().toString(),
  aDayLater: (instant: Instant, zone: string) => toText(zoned(instant, zone).add({ days: 1 }).toInstant()),
  startOfDay: (date: string, zone: string) =>
    toText(Temporal.PlainDate.from(date).toZonedDateTime(zone).toInstant()),
  endOfDay: (date: string, zone: string) =>
    toText(Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone).toInstant()),
  parseInstantIn: (text: string, zone: string) =>
    toText(Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()),
};
const ours: typeof byTemporal = { ...{ dateIn, aDayLater, startOfDay, endOfDay }, parseInstantIn: readIn };

function readIn(text: string, zone: string): string {
  return String(parseInstantIn(text, zone));
}

function zoned(instant: Instant, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
}

function toText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

/** All that dates.ts says about an instant and the time that clocks show then, in a zone. */
function tell(rules: typeof byTemporal, instant: Instant, zone: string): string {
  const shown = zoned(instant, zone).toPlainDateTime();
  const date = shown.toPlainDate().toString();
  return [
    ...[instant, zone, rules.dateIn(instant, zone), rules.aDayLater(instant, zone)],
    ...[rules.startOfDay(date, zone), rules.endOfDay(date, zone)],
    rules.parseInstantIn(shown.toString({ fractionalSecondDigits: 3 }), zone),
  ].join(" ");
}

function expectEqual(ms: number, zone: string): void {
  const instant = new Date(ms).toISOString();
  const [one, other] = [tell(ours, instant, zone), tell(byTemporal, instant, zone)];
  if (one !== other) expect(one).toBe(other);
}

describe("dates and times in zones are Temporal's", () => {
  test("around changes of the clocks of every zone: of one year in most, of many years in some", () => {
    const [minute, day] = [60_000, 86_400_000];
    const around = [-day, -60 * minute, -1, 0, 30 * minute, day];
    const whole = ["America/New_York", "Australia/Lord_Howe", "Pacific/Apia"];
    for (const [nth, zone] of zones.entries()) {
      const first = whole.includes(zone) ? 1990 : 1950 + (nth % 80);
      const last = whole.includes(zone) ? 2030 : first;
      let at = Temporal.Instant.from(`${first}-01-01T00:00Z`).toZonedDateTimeISO(zone);
      for (;;) {
        const next = at.getTimeZoneTransition("next");
        if (!next || next.year > last) break;
        at = next;
        for (const ms of around) expectEqual(at.epochMilliseconds + ms, zone);
      }
    }
  });

  test("at any instant of any zone, from the year 1 to 9999", () => {
    const anInstant = fc.oneof(
      fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) }),
      fc.integer({ min: Date.parse("0001-01-03"), max: Date.parse("9999-12-28") }),
    );
    fc.assert(
      fc.property(anInstant, fc.constantFrom(...zones), (ms, zone) => expectEqual(ms, zone)),
      seeded(1_500),
    );
  });

  test.each([
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["2019-09-08", "America/Santiago", "2019-09-08T04:00:00.000Z"],
    ["1919-03-31", "America/Toronto", "1919-03-31T04:30:00.000Z"],
  ])("%s in %s, whose midnight was skipped, begins at %s", (date, zone, start) => {
    expect(startOfDay(date, zone)).toBe(start);
    expect(byTemporal.startOfDay(date, zone)).toBe(start);
  });

  test("an unknown zone and what is no instant throw RangeError", () => {
    expect(() => dateIn("2026-11-20T12:00:00.000Z", "Mars/Olympus")).toThrow(RangeError);
    expect(() => parseInstantIn("2026-11-20T12:00", "Mars/Olympus")).toThrow(RangeError);
    expect(() => dateIn("tomorrow", "UTC")).toThrow(RangeError);
  });
});

describe("texts are read as Temporal reads them", () => {
  const digits = (length: number, max: number) =>
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, "0"));
  const aDay = fc.tuple(digits(4, 9999), digits(2, 13), digits(2, 32)).map((parts) => parts.join("-"));
  const aTime = fc
    .tuple(digits(2, 24), digits(2, 60), fc.option(digits(2, 61)), fc.option(digits(3, 999)))
    .map(([hour, minute, second, fraction]) => {
      const seconds = second === null ? "" : `:${second}${fraction === null ? "" : `.${fraction}`}`;
      return `${hour}:${minute}${seconds}`;
    });
  const anOffset = fc.oneof(
    fc.constantFrom("", "Z", "z"),
    fc
      .tuple(fc.constantFrom("+", "-"), digits(2, 24), fc.constantFrom(":", ""), digits(2, 60))
      .map((parts) => parts.join("")),
  );
  const aDateTime = fc.tuple(aDay, fc.constantFrom("T", "t", " "), aTime, anOffset);

  function read(read: () => string): string | undefined {
    try {
      return read();
    } catch {
      return undefined;
    }
  }

  test("each day of the calendar, and each time with and without an offset", () => {
    fc.assert(
      fc.property(aDateTime, ([day, between, time, offset]) => {
        expect(parseDate(day, "UTC"), day).toBe(read(() => Temporal.PlainDate.from(day).toString()));
        const text = `${day}${between}${time}${offset}`;
        const year = Number(day.slice(0, 4));
        fc.pre(year >= 1 && year < 9999 && !day.startsWith("0001-01-0"));
        const expected = read(() =>
          offset === ""
            ? byTemporal.parseInstantIn(text, "Asia/Kathmandu")
            : toText(Temporal.Instant.from(text)),
        );
        expect(parseInstantIn(text, "Asia/Kathmandu"), text).toBe(expected);
        if (offset !== "") expect(parseInstant(text), text).toBe(expected);
      }),
      seeded(5_000),
    );
  });
});
