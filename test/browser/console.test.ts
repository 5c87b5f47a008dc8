/** The owner of the demo store signs in to the console with one click, finds a customer's subscription, and can read every page. */
import { expect, test } from "vitest";
import { demoId, demoShop } from "../../src/base/demo.ts";
import { colourFaultsOf, faultsOf, overflow } from "./axe.ts";
import { leave, newPage, origin, picture, press, showAs, textOf } from "./visitor.ts";

const base = `${origin}/console/${demoShop}`;

test("one click leads the owner in, a search to a subscription, and each page can be read on every screen", async () => {
  const page = await newPage({ width: 390, javaScript: false });
  await page.goto(`${base}/login`);
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(origin);
  await press(page, 'form[action="/demo/console"] button');
  expect(page.url()).toBe(base);
  await page.goto(`${base}/search?q=1001`);
  await press(page, 'main a[href*="/subscriptions/"]');
  expect(await textOf(page)).toContain("#1001");
  const subscription = page.url();
  const paths = {
    today: base,
    search: `${base}/search?q=ada`,
    customers: `${base}/customers`,
    customer: `${base}/customers/${demoId("profile", 1)}`,
    subscription,
    orders: `${base}/orders`,
    order: `${base}/orders/${demoId("order", 1)}`,
    "to-do": `${base}/to-do`,
    jobs: `${base}/jobs`,
    bulk: `${base}/jobs/bulk?filter.status=ACTIVE&action=pause`,
    import: `${base}/jobs/import`,
    figures: `${base}/figures`,
    waiting: `${base}/orders?list=waiting`,
    slips: `${base}/orders/slips?list=waiting`,
    settings: `${base}/settings`,
    days: `${base}/settings/days`,
    member: `${base}/do/add-member`,
    form: `${base}/do/edit-shop`,
    key: `${base}/do/add-key`,
    nothing: `${base}/nothing`,
  };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(path);
    expect([name, (await page.content()).length < 40 * 1024]).toEqual([name, true]);
    for (const width of [390, 1280])
      for (const dark of [false, true]) {
        await showAs(page, { width, dark });
        expect([name, width, await overflow(page)]).toEqual([name, width, 0]);
        // The page is the one of before, in other colours.
        expect([name, await (dark ? colourFaultsOf : faultsOf)(page)]).toEqual([name, []]);
        await picture(page, `console-${name}-${width}-${dark ? "dark" : "light"}`);
      }
  }
  await press(page, 'form[action$="/sign-out"] button');
  expect(page.url()).toBe(`${base}/login`);
  await leave(page);
});
