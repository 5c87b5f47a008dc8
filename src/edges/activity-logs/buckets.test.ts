/** An entry is counted exactly once in a range, and a year is read in days. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Buckets, bucketsOf } from "./buckets.ts";

const quarterMs = 900_000;
function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** The number of times that the counters of these buckets count an entry. */
function timesCounted(instant: string, buckets: Buckets): number {
  const [day, quarter] = [
    instant.slice(0, 10),
    iso(Math.floor(Date.parse(instant) / quarterMs) * quarterMs).slice(11, 16),
  ];
  const { first_day, first_from, first_to, days_from, days_to, last_day, last_from, last_to } = buckets;
  return [
    day === first_day && quarter >= first_from && quarter < first_to,
    day >= days_from && day < days_to,
    day === last_day && quarter >= last_from && quarter < last_to,
  ].filter(Boolean).length;
}

const quarter = fc
  .integer({ min: Date.UTC(2025, 0, 1) / quarterMs, max: Date.UTC(2025, 0, 12) / quarterMs })
  .map((nth) => nth * quarterMs);

test("an entry is counted once if it lies from start to before end, else not at all", () => {
  const settings = { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 5000 };
  const entry = fc.tuple(quarter, fc.constantFrom(-1, 0, 1, 899_999)).map(([at, off]) => at + off);
  fc.assert(
    fc.property(quarter, quarter, entry, (one, two, at) => {
      const [start, end] = [Math.min(one, two), Math.max(one, two)];
      const counted = timesCounted(iso(at), bucketsOf(iso(start), iso(end)));
      expect(counted, `${iso(at)} from ${iso(start)} to ${iso(end)}`).toBe(at >= start && at < end ? 1 : 0);
    }),
    settings,
  );
});

test("a year is read as days, with fewer than a day's quarters at either end", () => {
  expect(bucketsOf("2025-01-01T05:00:00.000Z", "2026-01-01T05:00:00.000Z")).toEqual({
    first_day: "2025-01-01",
    first_from: "05:00",
    first_to: "24:00",
    days_from: "2025-01-02",
    days_to: "2026-01-01",
    last_day: "2026-01-01",
    last_from: "00:00",
    last_to: "05:00",
  });
});
