import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoId } from "../../src/base/demo.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { faultsOf, overflow } from "./axe.ts";
import { newContext, newPage, origin, type PageOptions, picture, portal, press, signIn } from "./visitor.ts";

const subscription = `${portal}/subscriptions/${demoId("subscription", 1)}`;
const failed = `${portal}/subscriptions/${demoId("subscription", 7)}`;

const pages: [name: string, url: string][] = [
  ["home", portal],
  ["subscription", subscription],
  ...["skip", "schedule", "frequency", "address", "payment-method", "pause", "cancel", "ship-now"].map(
    (action): [string, string] => [action, `${subscription}/${action}`],
  ),
  ["orders", `${portal}/orders`],
  ["details", `${portal}/profile`],
  ["missing", `${portal}/nowhere`],
];

const [narrow, wide] = [390, 1280];

/** All pages narrow and wide, light and dark; those that hold everything in each combination. */
const combinations: (Required<Pick<PageOptions, "width" | "dark">> & { shown: typeof pages })[] = [
  { width: narrow, dark: true, shown: pages },
  { width: wide, dark: false, shown: pages },
  { width: narrow, dark: false, shown: pages.slice(0, 3) },
  { width: wide, dark: true, shown: pages.slice(0, 3) },
];

describe.each(combinations)("$width px wide, dark: $dark", ({ width, dark, shown }) => {
  let page: Page;
  beforeAll(async () => {
    page = await newPage(await newContext(), { width, dark });
  });
  afterAll(() => page.browserContext().close());

  const look = async (name: string) => {
    await picture(page, `${name}-${width}-${dark ? "dark" : "light"}`);
    expect(await overflow(page), "wider than the screen").toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  };

  test("signing in", async () => {
    await page.goto(portal);
    await look("sign-in");
    await page.type("input[name=email]", "nobody@else.example");
    await press(page, "main button");
    await look("check-mail");
    await signIn(page);
    expect(page.url()).toBe(portal);
  });

  test.each(shown)("%s", async (name, url) => {
    await page.goto(url);
    await look(name);
  });

  test("a change before it is confirmed", async () => {
    await page.goto(`${subscription}/skip`);
    await page.click("input[name=skip_reason_id]");
    await press(page, "main form button");
    await look("preview");
  });

  test("the first page of the deployment", async () => {
    await page.goto(origin);
    await look("landing");
  });
});

test("a failed payment is told, with the way to pay", async () => {
  const page = await newPage(await newContext(), { width: 390 });
  await signIn(page, 7);
  await page.goto(failed);
  await picture(page, "payment-failed-390-light");
  expect(await faultsOf(page)).toEqual([]);
  await page.browserContext().close();
});
