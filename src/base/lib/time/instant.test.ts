/** An instant is written as the language's own dates write it, as far as these reach. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { toInstant } from "./dates.ts";
import { dayMs } from "./durations.ts";

/** The first and the last millisecond of a date in JavaScript (ECMA-262 §21.4.1.1). */
const ends = { min: -8.64e15, max: 8.64e15 };

test("an instant has the text that a date of the language has", () => {
  const near = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) });
  const fractional = fc.double({ min: -1e13, max: 1e13, noNaN: true });
  const seed = Number(process.env.FUZZ_SEED ?? "20261121");
  fc.assert(
    fc.property(fc.oneof(near, fc.maxSafeInteger(), fractional), (ms) => {
      fc.pre(ms >= ends.min && ms <= ends.max);
      expect(toInstant(ms)).toBe(new Date(ms).toISOString());
    }),
    { seed, numRuns: 2_000 },
  );
});

test.each([Number.NaN, ends.min - dayMs, ends.max + dayMs])("%s milliseconds are no instant", (ms) => {
  expect(() => toInstant(ms)).toThrow(RangeError);
});

test.each([ends.min, -1, 0, 86_399_999, ends.max])("%s milliseconds are an instant", (ms) => {
  expect(toInstant(ms)).toBe(new Date(ms).toISOString());
});
