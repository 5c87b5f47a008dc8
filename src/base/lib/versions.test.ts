/** Versions are compared by their numbers. */
import { expect, test } from "vitest";
import { isBefore } from "./versions.ts";

test.each([
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.2.0", true],
  ["0.9.0", "0.10.0", true],
  ["0.10.0", "0.9.0", false],
  ["0.2.9", "1.0.0", true],
  ["1.0.0", "0.2.9", false],
  ["0.2.1", "0.2.2", true],
])("%s comes before %s: %s", (version, other, before) => {
  expect(isBefore(version, other)).toBe(before);
});
