/** The page of the API can be read and tried out in a browser at any width. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { leave, newPage, origin, picture, showAs, textOf } from "./visitor.ts";

let page: Page;
beforeAll(async () => {
  page = await newPage();
  await page.goto(`${origin}/api`);
  await page.waitForSelector(".webhooks h2 button");
});
afterAll(() => leave(page));

function sideways(page: Page) {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

describe.each([
  [390, false],
  [390, true],
  [1280, false],
  [1280, true],
] as const)("the API's page, %i px wide, dark: %s", (width, dark) => {
  beforeAll(() => showAs(page, { width, dark }));

  test("its tags are closed, it has a filter, and it does not scroll sideways", async () => {
    const shown = `[...document.querySelectorAll(".opblock")].filter((one) => one.checkVisibility()).length`;
    expect(await page.evaluate(shown)).toBe(0);
    await page.evaluate(`document.querySelector(".webhooks h2 button").click()`);
    expect(await page.evaluate(shown), "the heading of the webhooks opens them").toBeGreaterThan(40);
    await page.evaluate(`document.querySelector(".webhooks h2 button").click()`);
    expect(await page.$(".operation-filter-input")).not.toBeNull();
    expect(await sideways(page)).toBe(0);
    await picture(page, `api-${width}-${dark ? "dark" : "light"}`);
  });
});

/** Clicks without scrolling there: parts of the page lie over others on a phone. */
function click(page: Page, selector: string) {
  return page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
}

test("a list is tried out with the demo key, which is filled in, and answers 200", async () => {
  await showAs(page, { width: 390 });
  await page.type(".operation-filter-input", "Reasons");
  await page.evaluate(`for (const tag of document.querySelectorAll(".opblock-tag")) tag.click()`);
  const operation = "[id$='-listSkipReasons']";
  await page.waitForSelector(operation);
  await click(page, `${operation} .opblock-summary-control`);
  for (const button of [".try-out__btn", ".execute"]) {
    await page.waitForSelector(button);
    await click(page, button);
  }
  const status = ".live-responses-table tbody .response-col_status";
  await page.waitForSelector(status);
  expect(await textOf(page, status)).toContain("200");
  expect(await sideways(page)).toBe(0);
  await picture(page, "api-tried-out");
});
