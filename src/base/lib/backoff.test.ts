/** A pause between tries doubles up to its longest, and is scattered by chance within its bounds. */
import { describe, expect, test } from "vitest";
import { doublingPause, scatterPause } from "./backoff.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "./time/durations.ts";

const hours = [1, 2, 4, 8, 16, 24, 24].map((count) => count * hourMs);

/** Every schedule of the service: its pauses from the first on, and those of tries without end. */
const schedules = [
  { of: "a refusal or a wait for others", first: hourMs, longest: dayMs, from: 0, pauses: hours },
  {
    of: "a contract whose store gave no answer (s)",
    ...{ first: 2, longest: 21_600, from: 0 },
    pauses: [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 21_600, 21_600],
  },
  {
    of: "a plan whose store gave no answer (s)",
    ...{ first: 60, longest: 21_600, from: 0 },
    pauses: [60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600],
  },
  {
    of: "a charge whose store gave no answer (s)",
    ...{ first: 2, longest: 3600, from: -1 },
    pauses: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600],
  },
  {
    of: "a pending payment (s)",
    ...{ first: 5, longest: 7200, from: -1 },
    pauses: [2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 7200, 7200],
  },
  {
    of: "a webhook of a store, and a message of the queue (s)",
    ...{ first: 5, longest: 3600, from: 0 },
    pauses: [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600],
  },
  {
    of: "the keys of an identity provider",
    ...{ first: secondMs, longest: minuteMs, from: 0 },
    pauses: [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * secondMs),
  },
];

describe("a doubling pause", () => {
  test.each(schedules)("has its figures after $of", ({ first, longest, from, pauses }) => {
    const found = pauses.map((_, index) => doublingPause({ first, longest }, from + index));
    expect(found).toEqual(pauses);
  });

  test.each(schedules)("is never longer than its longest after $of", ({ first, longest }) => {
    for (const doublings of [20, 100, 1023, 1024, 5000])
      expect(doublingPause({ first, longest }, doublings)).toBe(longest);
  });
});

describe("a scattered pause", () => {
  test.each([
    { chance: 0, pause: 270_000 },
    { chance: 0.5, pause: 300_000 },
    { chance: 0.75, pause: 315_000 },
    { chance: 1, pause: 330_000 },
  ])("of five minutes is $pause ms at a chance of $chance", ({ chance, pause }) => {
    expect(scatterPause(5 * minuteMs, { part: 0.1, chance })).toBe(pause);
  });

  test("is a whole number", () => {
    expect(scatterPause(5, { part: 0.1, chance: 0.4 })).toBe(5);
    expect(scatterPause(15, { part: 0.1, chance: 0.95 })).toBe(16);
  });
});
