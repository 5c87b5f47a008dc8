/** The pages show the figures of costs as the code has them, and other tests hold those. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pages } from "../../scripts/docs/pages.ts";
import { root } from "../../scripts/paths.ts";

test.each(Object.entries(pages))("docs/%s is as npm run docs makes it", (page, make) => {
  const text = readFileSync(`${root}docs/${page}`, "utf8");
  expect(make(text)).toBe(text);
});
