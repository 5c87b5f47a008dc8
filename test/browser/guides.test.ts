/** The guides that a deployment serves can be read at any width, in light and dark, without faults. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { faultsOf, overflow } from "./axe.ts";
import { leave, newPage, origin, picture, showAs } from "./visitor.ts";

let page: Page;
beforeAll(async () => {
  page = await newPage();
});
afterAll(() => leave(page));

test.each([
  "index",
  "sell/days",
  "sell/law",
  "build/previews",
  "build/events",
  "run/alerts",
  "agent/connect",
  "change/recipes",
])("%s is read on a phone and on a desk", async (guide) => {
  await page.goto(`${origin}/docs/${guide}.html`);
  expect(await page.evaluate(`document.querySelectorAll("h1").length`), guide).toBe(1);
  for (const [width, dark] of [
    [390, false],
    [1280, true],
  ] as const) {
    await showAs(page, { width, dark });
    expect(await overflow(page), `${width} px`).toBe(0);
    expect(await faultsOf(page), `${width} px`).toEqual([]);
    await picture(page, `guide-${guide.replace("/", "-")}-${width}`);
  }
});
