/** The costs in docs/scale.md are made of the figures that the page states and other tests hold. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measured, withCosts } from "../../scripts/docs/costs.ts";
import { root } from "../../scripts/paths.ts";

const page = readFileSync(`${root}docs/scale.md`, "utf8");

test("they stand as the script makes them (npm run docs)", () => {
  expect(withCosts(page)).toBe(page);
});

test.each([
  ["rows of a renewal", measured.renewal.rows, /^\| a renewal, with its reminder[^|]+\| (\d+) +\|$/m],
  [
    "rows of a creation",
    measured.creation.rows,
    /^\| a creation, with its contract and mail +\| (\d+) +\|$/m,
  ],
  ["kilobytes of a renewal", measured.renewal.kib, /^A renewal leaves ([\d.]+) KB for good/m],
  ["kilobytes of a creation", measured.creation.kib, /history takes ([\d.]+) KB of pages/],
])("%s: %d, as the page says", (_, figure, stated) => {
  expect(Number(stated.exec(page)?.[1])).toBe(figure);
});
