/** No page of the portal is wider than its screen, and each is accessible by axe's rules, light and dark. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoId } from "../../src/base/demo.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { faultsOf, overflow } from "./axe.ts";
import { lookInAllColours, lookOnScreens } from "./look.ts";
import { leave, newPage, openPortal, origin, picture, portal, press, signIn, textOf } from "./visitor.ts";

const subscription = `${portal}/subscriptions/${demoId("subscription", 1)}`;
const failed = `${portal}/subscriptions/${demoId("subscription", 7)}`;

const pages: [name: string, url: string][] = [
  ["home", portal],
  ["subscription", subscription],
  ...["skip", "schedule", "frequency", "address", "payment-method", "pause", "cancel", "ship-now"].map(
    (action): [string, string] => [action, `${subscription}/${action}`],
  ),
  ["orders", `${portal}/orders`],
  ["order", `${portal}/orders/${demoId("order", 1)}`],
  ["details", `${portal}/profile`],
  ["missing", `${portal}/nowhere`],
];

const narrow = 390;

/** The pages that hold everything: they are looked at narrow and wide in all colours, the others in those of the screen. */
const fullest = ["home", "subscription", "skip"];

describe("narrow and wide, light and dark", () => {
  let page: Page;
  beforeAll(async () => {
    page = await newPage();
  });
  afterAll(() => leave(page));

  test("signing in", async () => {
    await page.goto(portal);
    await lookInAllColours(page, "sign-in");
    await page.type("input[name=email]", "nobody@else.example");
    await press(page, "main button");
    await lookInAllColours(page, "check-mail");
    await signIn(page);
    expect(page.url()).toBe(portal);
  });

  test.each(pages)("%s", async (name, url) => {
    await page.goto(url);
    await (fullest.includes(name) ? lookInAllColours : lookOnScreens)(page, name);
  });

  test("a change before it is confirmed", async () => {
    await page.goto(`${subscription}/skip`);
    await page.click("input[name=skip_reason_id]");
    await press(page, "main form button");
    await lookInAllColours(page, "preview");
  });

  test("the first page of the deployment", async () => {
    await page.goto(origin);
    await lookInAllColours(page, "landing");
  });
});

test("a failed payment is told, with the way to pay as the first button", async () => {
  const page = await openPortal(7, { width: 390 });
  await page.goto(failed);
  await picture(page, "payment-failed-390-light");
  expect(await faultsOf(page)).toEqual([]);
  const [first, top] = (await page.evaluate(`(() => {
    const button = document.querySelector("main .button");
    return [button.getAttribute("href"), button.getBoundingClientRect().bottom];
  })()`)) as [string, number];
  expect(first).toMatch(/\/retry-payment$/);
  expect(top, "without scrolling").toBeLessThan(900);
  await leave(page);
});

describe.each(["en", "de", "fr", "es"])("with letters twice as large, in %s", (locale) => {
  const changes: [action: string, choose: string][] = [
    ["skip", `document.querySelector("[name=skip_reason_id]").checked = true`],
    ["address", `document.querySelector("[name=address1]").value = "7 New Lane"`],
    ["pause", ""],
    ["cancel", `document.querySelector("[name=cancellation_reason_id]").checked = true`],
  ];
  let page: Page;
  beforeAll(async () => {
    page = await openPortal(1, { width: narrow, locale });
  });
  afterAll(() => leave(page));

  const fits = async (name: string) => {
    await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
    await page.evaluate(unfold);
    if (locale === "de") await picture(page, `${name}-${locale}-large`);
    expect([name, await overflow(page)]).toEqual([name, 0]);
    expect([name, await page.evaluate(brokenWords)]).toEqual([name, []]);
  };

  test("no page is wider than a narrow screen", async () => {
    for (const [name, url] of pages) {
      await page.goto(url);
      await fits(name);
    }
  });

  test("no change before it is confirmed is", async () => {
    for (const [action, choose] of changes) {
      await page.goto(`${subscription}/${action}`);
      await page.evaluate(choose);
      await press(page, "main form button");
      await fits(`preview-${action}`);
    }
  });

  test("a failed payment is not", async () => {
    await signIn(page, 7, { locale });
    for (const url of [portal, failed]) {
      await page.goto(url);
      await fits(url === portal ? "home-failed" : "failed");
    }
  });
});

/** Opens what a page has folded. */
const unfold = "for (const one of document.querySelectorAll('details')) one.open = true";

/** The words of titles, buttons and links that a line's end breaks in two. */
const brokenWords = `[...document.querySelectorAll("h1, h2, legend, dt, .button, button, nav a")].flatMap((element) => {
  const found = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  return found;
})`;

test("a preview shows what changes alone, and says what stays", async () => {
  const page = await openPortal(1, { width: narrow });
  await page.goto(`${subscription}/skip`);
  await page.click("input[name=skip_reason_id]");
  await press(page, "main form button");
  const shown = (await page.$$eval(".changes dt", (all) => all.map((one) => one.textContent))) as string[];
  expect(shown).toEqual(["Next delivery", "Next charge"]);
  expect(await textOf(page, ".changes + p")).toMatch(/^The amount stays \$\d+\.\d\d\.$/);
  await leave(page);
});

test.each([
  [1280, "block"],
  [1024, "block"],
  [980, "none"],
])("at %i px the subscription beside a form is %s", async (width, display) => {
  const page = await openPortal(1, { width });
  await page.goto(`${subscription}/skip`);
  expect(await page.evaluate("getComputedStyle(document.querySelector('aside')).display")).toBe(display);
  await leave(page);
});
