/** The page of the API can be read and tried out in a browser at any width. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { colourFaultsOf, faultsOf } from "./axe.ts";
import { leave, newPage, origin, picture, showAs, textOf } from "./visitor.ts";

let page: Page;
beforeAll(async () => {
  page = await newPage();
  await page.goto(`${origin}/api`);
  await page.waitForSelector("#groups button");
});
afterAll(() => leave(page));

function sideways(page: Page) {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

const sizes = [
  [390, false],
  [390, true],
  [1280, false],
  [1280, true],
] as const;

/** Its script follows the colours a moment later. */
async function showOn(width: number, dark: boolean): Promise<void> {
  await showAs(page, { width, dark });
  await page.waitForFunction(`document.documentElement.classList.contains("dark-mode") === ${dark}`);
}

/** Where all rules have been kept in light, dark can break those on colours alone. */
function newFaultsIn(dark: boolean): Promise<string[]> {
  return dark ? colourFaultsOf(page) : faultsOf(page);
}

/** The bytes that the page has loaded, compressed. */
async function loadedBytes(): Promise<number> {
  const urls = (await page.evaluate(
    `performance.getEntriesByType("resource").map(({ name }) => name)`,
  )) as string[];
  const texts = await Promise.all(urls.map(async (url) => await (await fetch(url)).text()));
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
}

describe.each(sizes)("the first screen, %i px wide, dark: %s", (width, dark) => {
  beforeAll(() => showOn(width, dark));

  test("has the search and the groups, and does not scroll sideways", async () => {
    expect(await isInView("#find"), "the search is on the first screen").toBe(true);
    expect(await isInView("#groups button:last-child"), "and so are the groups").toBe(true);
    expect(await sideways(page)).toBe(0);
    await picture(page, `api-first-${width}-${dark ? "dark" : "light"}`);
    expect(await newFaultsIn(dark)).toEqual([]);
  });
});

function isInView(selector: string) {
  return page.evaluate(
    `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().bottom <= innerHeight`,
  );
}

async function find(phrase: string): Promise<string> {
  await page.evaluate(`document.getElementById("find").value = ""`);
  await page.type("#find", phrase);
  return textOf(page, "#found");
}

describe("the search", () => {
  beforeAll(() => showAs(page, { width: 1280 }));

  const resultIds = `[...document.querySelectorAll("#results a")].map(({ hash }) => hash.split("/").at(-1))`;

  test.each([
    ["a name", "skipSubscription", "skipSubscription"],
    ["words of a summary", "reorder skip reasons", "reorderSkipReasons"],
    ["a word that descriptions alone have", "streamable", "mcp"],
    ["a path", "/{id}/payment-method", "getSubscriptionPaymentMethods"],
  ])("finds an operation by %s, and lists it", async (_, phrase, id) => {
    expect(await find(phrase)).toMatch(/^\d+ of 2\d\d operations$/);
    expect(await page.evaluate(resultIds)).toContain(id);
  });

  test("lists what is named so before what only mentions it", async () => {
    await find("skip");
    const ids = (await page.evaluate(resultIds)) as string[];
    expect(ids.indexOf("undoChange")).toBeGreaterThan(ids.indexOf("listPublicSkipReasons"));
    expect(ids[0]).toMatch(/skip/i);
    const methods = await page.$$eval("#results b", (all) => all.map(({ className }) => className));
    expect([...new Set(methods)].sort(), "each in its colour").toEqual(["delete", "get", "post", "put"]);
    expect(await faultsOf(page)).toEqual([]);
  });

  test("says that it finds nothing", async () => {
    expect(await find("no such thing")).toContain("Nothing is found for “no such thing”");
    expect(await page.evaluate(resultIds)).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, "api-nothing-found");
  });

  test("leads to a group, in place of what was found", async () => {
    await find("ship-now");
    await page.evaluate(
      `[...document.querySelectorAll("#groups button")].find((one) => one.textContent === "Orders").click()`,
    );
    expect(await page.evaluate(resultIds)).toContain("listOrders");
    expect(await page.evaluate(resultIds)).not.toContain("shipNow");
    expect(await page.evaluate(`document.getElementById("find").value`)).toBe("");
    expect(await sideways(page)).toBe(0);
    await picture(page, "api-group");
  });
});

test("all fields of a subscription are one click away", async () => {
  await page.click("#fields-Subscription summary");
  const fields = (await page.evaluate(
    `[...document.querySelectorAll("#fields-Subscription tbody th")].map((one) => one.innerText)`,
  )) as string[];
  expect(fields).toContain("pause_until");
  expect(fields.length).toBeGreaterThan(60);
  expect(await faultsOf(page)).toEqual([]);
  await picture(page, "api-fields");
  await page.click("#fields-Subscription summary");
});

test("loads at most 200 KB until an operation is opened", async () => {
  expect(await page.evaluate(`typeof SwaggerUIBundle`)).toBe("undefined");
  expect(await loadedBytes()).toBeLessThan(200_000);
});

async function opened(id: string): Promise<string> {
  const operation = `#swagger-ui [id$="-${id}"]`;
  await page.waitForSelector(`${operation}.is-open`);
  return operation;
}

test("an operation that is opened says so, then stands on the screen, and has the focus", async () => {
  await find("list skip reasons");
  await click(page, `#results a[href$="/listSkipReasons"]`);
  expect(await textOf(page, "#results .opening")).toContain("List skip reasons");
  const operation = await opened("listSkipReasons");
  await page.waitForFunction(
    `document.activeElement?.closest(".opblock") === document.querySelector(${JSON.stringify(operation)})`,
  );
  expect(await isInView(`${operation} .opblock-summary`)).toBe(true);
  await page.waitForSelector(`${operation} [data-param-name="X-D1-Bookmark"]`);
  await page.waitForSelector(".webhooks h2 button");
});

test("an address that names an operation brings Swagger UI, which opens it, at once", async () => {
  const other = await newPage();
  await other.goto(`${origin}/api#/Skip%20reasons/listSkipReasons`);
  await other.waitForFunction("typeof SwaggerUIBundle === 'function'");
  await leave(other);
});

describe.each(sizes)("Swagger UI, %i px wide, dark: %s", (width, dark) => {
  beforeAll(() => showOn(width, dark));

  test("has its groups and webhooks closed, and does not scroll sideways", async () => {
    const shown = `[...document.querySelectorAll(".opblock")].filter((one) => one.checkVisibility()).length`;
    const before = (await page.evaluate(shown)) as number;
    expect(before, "the group of the opened operation").toBeLessThan(10);
    await page.evaluate(`document.querySelector(".webhooks h2 button").click()`);
    expect(await page.evaluate(shown), "the heading of the webhooks opens them").toBeGreaterThan(before + 40);
    await page.evaluate(`document.querySelector(".webhooks h2 button").click()`);
    expect(await sideways(page)).toBe(0);
    await picture(page, `api-${width}-${dark ? "dark" : "light"}`);
    expect(await newFaultsIn(dark)).toEqual([]);
  });
});

test("the introduction is folded, and opens", async () => {
  expect(await page.evaluate(`document.querySelector(".introduction .info").checkVisibility()`)).toBe(false);
  await page.click(".introduction > summary");
  expect(await textOf(page, ".introduction")).toContain("Credentials and scopes");
  expect(await faultsOf(page)).toEqual([]);
  await picture(page, "api-introduction");
  await page.click(".introduction > summary");
});

test("the list that is open is tried out with the demo key, which is filled in, and answers 200", async () => {
  await showAs(page, { width: 390 });
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

test("an opened operation has no faults, and its example is of one state", async () => {
  await showOn(1280, true);
  await find("get a subscription");
  await click(page, `#results a[href$="/getSubscription"]`);
  const operation = await opened("getSubscription");
  await page.waitForSelector(`${operation} .highlight-code`);
  const example = await textOf(page, `${operation} .highlight-code`);
  expect(example).toContain('"pause_until": null');
  for (const flag of [
    '"can_pause": true',
    '"can_resume": false',
    '"can_reactivate": false',
    '"is_in_dunning": false',
  ])
    expect(example).toContain(flag);
  expect(example).toContain('"status": "ACTIVE"');
  expect(await faultsOf(page)).toEqual([]);
  await picture(page, "api-operation");
});

/** Clicks without scrolling there: parts of the page lie over others on a phone. */
function click(page: Page, selector: string) {
  return page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
}
