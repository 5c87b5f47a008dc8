/** The rules of zones that are written down are those of the platform, at each turn of the clocks and between, for a hundred years. */
import { expect, test } from "vitest";
import { offsetByRule } from "./zone-rules.ts";
import { offsetByPlatform } from "./zones.ts";

const zones = [
  ...["UTC", "Europe/London", "Europe/Berlin", "Europe/Kyiv", "America/New_York", "America/St_Johns"],
  ...["Asia/Kolkata", "America/Argentina/Buenos_Aires", "America/Indiana/Indianapolis"],
  ...Intl.supportedValuesOf("timeZone"),
].filter((zone) => offsetByRule(Date.UTC(2026, 0, 1), zone) !== undefined);

const [hour, day] = [3_600_000, 86_400_000];

/** Every hour of the days on which clocks are changed anywhere, each Sunday by itself, and a moment of each month. */
function spansOf(year: number): number[][] {
  const turning = [2, 3, 8, 9, 10].flatMap((month) =>
    [-1, 0].flatMap((monthsBack) =>
      [1, 8, 25, 26].map((date) => Date.UTC(year, month - monthsBack - 1, date)),
    ),
  );
  const sundays = [...new Set(turning.map((at) => at + ((7 - new Date(at).getUTCDay()) % 7) * day))];
  return [
    ...sundays.map((sunday) => Array.from({ length: 48 }, (_, nth) => sunday + (nth - 16) * hour)),
    ...Array.from({ length: 12 }, (_, month) => [Date.UTC(year, month, 15, 11, 59, 59, 999)]),
  ].map((hours) => hours.flatMap((at) => [at - 1, at]).filter((at) => at >= Date.UTC(2025, 0, 1)));
}

/** The platform's offsets at the moments of a span. No zone changes its clocks twice in two days: between two that agree all are those. */
function offsetsOf(span: number[], zone: string): number[] {
  const [first, last] = [span.at(0), span.at(-1)].map((at) => at && offsetByPlatform(at, zone));
  return span.map((at) => (first === last ? first! : offsetByPlatform(at, zone)));
}

test.each([2025, 2026, 2027, 2028, 2037, 2038, 2100, 2124])("in %i", (year) => {
  expect(zones.length).toBeGreaterThan(100);
  const spans = spansOf(year).filter((span) => span.length > 0);
  const wrong = zones.flatMap((zone) =>
    spans
      .flatMap((span) => {
        const offsets = offsetsOf(span, zone);
        return span.filter((at, nth) => offsetByRule(at, zone) !== offsets[nth]);
      })
      .slice(0, 1)
      .map((at) => `${zone} ${new Date(at).toISOString()}`),
  );
  expect(wrong).toEqual([]);
});

test("nothing is known of another zone, of what was before, and of no instant", () => {
  expect(offsetByRule(Date.UTC(2026, 0, 1), "Africa/Casablanca")).toBeUndefined();
  expect(offsetByRule(Date.UTC(2024, 11, 31), "Europe/Berlin")).toBeUndefined();
  expect(offsetByRule(Date.UTC(2125, 0, 1), "Europe/Berlin")).toBeUndefined();
  expect(offsetByRule(Number.NaN, "Europe/Berlin")).toBeUndefined();
});
