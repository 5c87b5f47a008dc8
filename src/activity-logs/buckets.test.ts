import fc from "fast-check";
import { expect, test } from "vitest";
import { type Buckets, bucketsOf } from "./buckets.ts";

const quarterMs = 900_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** The counters of an entry, as the trigger names them. */
const countersOf = (instant: string): string[] => {
  const quarter = iso(Math.floor(Date.parse(instant) / quarterMs) * quarterMs).slice(0, 16);
  return [`D${instant.slice(0, 10)}`, `Q${quarter}`];
};

const within = (
  bucket: string,
  { head_from, head_to, days_from, days_to, tail_from, tail_to }: Buckets,
): boolean =>
  (bucket >= head_from && bucket < head_to) ||
  (bucket >= days_from && bucket < days_to) ||
  (bucket >= tail_from && bucket < tail_to);

const quarter = fc
  .integer({ min: Date.UTC(2025, 0, 1) / quarterMs, max: Date.UTC(2025, 0, 12) / quarterMs })
  .map((nth) => nth * quarterMs);

test("an entry is counted once if it lies from start to before end, else not at all", () => {
  const settings = { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 5000 };
  const entry = fc.tuple(quarter, fc.constantFrom(-1, 0, 1, 899_999)).map(([at, off]) => at + off);
  fc.assert(
    fc.property(quarter, quarter, entry, (one, two, at) => {
      const [start, end] = [Math.min(one, two), Math.max(one, two)];
      const buckets = bucketsOf(iso(start), iso(end));
      const counted = countersOf(iso(at)).filter((bucket) => within(bucket, buckets)).length;
      expect(counted, `${iso(at)} from ${iso(start)} to ${iso(end)}`).toBe(at >= start && at < end ? 1 : 0);
    }),
    settings,
  );
});

test("a year is read as days, with fewer than a day's quarters at either end", () => {
  expect(bucketsOf("2025-01-01T05:00:00.000Z", "2026-01-01T05:00:00.000Z")).toEqual({
    head_from: "Q2025-01-01T05:00",
    head_to: "Q2025-01-02T00:00",
    days_from: "D2025-01-02",
    days_to: "D2026-01-01",
    tail_from: "Q2026-01-01T00:00",
    tail_to: "Q2026-01-01T05:00",
  });
});
