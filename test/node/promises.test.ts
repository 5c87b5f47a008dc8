import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { promisesPage } from "../../scripts/promises/page.ts";

test("each promise of the documents is stated by a test or a rule that exists", () => {
  expect(promisesPage().faults).toEqual([]);
});

test("docs/promises.md is what npm run promises makes of the documents", () => {
  expect(readFileSync("docs/promises.md", "utf8")).toBe(promisesPage().text);
});
