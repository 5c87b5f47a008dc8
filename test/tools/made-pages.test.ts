/** Each made part of a page in docs/ is as the code has it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pages } from "../../scripts/docs/pages.ts";
import { root } from "../../scripts/paths.ts";

test.each(Object.entries(pages))("docs/%s is as npm run docs makes it", async (page, make) => {
  const text = readFileSync(`${root}docs/${page}`, "utf8");
  expect(await make(text)).toBe(text);
});
