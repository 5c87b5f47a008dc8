/** The element for shops' pages skips a delivery on a page of another origin with a strict policy. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { demoId } from "../../src/base/demo.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { documentedElement } from "../support/documented-element.ts";
import { faultsOf, overflow } from "./axe.ts";
import {
  execute,
  goods,
  historyOf,
  leave,
  merchant,
  newPage,
  origin,
  type PageOptions,
  picture,
  portal,
  rowOf,
  subscribe,
} from "./visitor.ts";

/** A demo customer of no other test here. */
const customer = 49;
const profile_id = demoId("profile", customer);
const week = 7 * 86_400_000;

let token: string;
let subscription: string;
beforeAll(async () => {
  const body = { actor_type: "customer", profile_id, expires_in: 900 };
  token = (await answerOf<{ access_token: string }>(merchant("POST", "/api/auth/token", body))).access_token;
  subscription = await subscribe(customer, {
    days: 7,
    lines: [{ ...goods, product_title: "<b>Beef</b> & carrot", quantity: 2 }],
  });
});

async function answerOf<T>(response: Promise<Response>): Promise<T> {
  const answer = await response;
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

/** Opens the shop's own page with the element, loaded by the tag that the documentation shows. */
async function openShopPage(
  more: { lang?: string; token?: string; subscription?: string } = {},
  screen: PageOptions = {},
): Promise<Page> {
  const page = await newPage(screen);
  const { name, integrity } = documentedElement();
  const query = new URLSearchParams({
    src: `${origin}/assets/${name}`,
    integrity,
    lang: "en",
    token,
    subscription,
    ...more,
  });
  await page.goto(`${inject("shopPage")}/?${query}`);
  await page.waitForSelector(`${element} >>> p`);
  return page;
}

const element = "perennial-next-delivery";

/** The text of a part once it has words like these. */
async function untilIt(page: Page, says: RegExp): Promise<string> {
  const root = `document.querySelector("${element}").shadowRoot`;
  await page.waitForFunction(`${says}.test(${root}.textContent)`);
  return (await page.evaluate(`${root}.textContent`)) as string;
}

async function press(page: Page, text: string): Promise<void> {
  for (const button of await page.$$(`${element} >>> button`))
    if ((await button.evaluate(({ textContent }) => textContent)) === text) return button.click();
  throw new Error(`There is no button ${text}`);
}

function dateOf(row: Awaited<ReturnType<typeof rowOf>>, locale = "en"): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  return format.format(new Date(String(row.next_delivery_date)));
}

test("a customer skips on the shop's own page, of another origin and with a strict policy, and takes it back", async () => {
  const page = await openShopPage();
  const before = await rowOf(subscription);
  const text = await untilIt(page, /Next delivery/);
  expect(text).toContain(dateOf(before));
  expect(text, "never read as HTML").toContain("2 × <b>Beef</b> & carrot");
  expect(text).toMatch(/\$\d+\.\d\d/);

  await press(page, "Skip this delivery");
  const asked = await untilIt(page, /The next one then comes on/);
  await press(page, "Skip");
  expect(await rowOf(subscription), "a reason is required").toEqual(before);
  await page.click(`${element} >>> input[type=radio]`);
  await press(page, "Skip");
  const told = await untilIt(page, /Skipped\./);
  const after = await rowOf(subscription);
  expect(Date.parse(String(after.next_delivery_date)) - Date.parse(String(before.next_delivery_date))).toBe(
    week,
  );
  expect(asked).toContain(dateOf(after));
  expect(told).toContain(dateOf(after));
  expect(await historyOf(subscription)).toContain("subscription_skipped");
  expect(
    await page.evaluate(`document.querySelector("${element}").shadowRoot.activeElement.textContent`),
  ).toBe("Skipped.");

  await press(page, "Undo");
  expect(await untilIt(page, /It comes after all\./)).toContain(dateOf(before));
  const link = await page.$eval(`${element} >>> a`, (a) => (a as { href: string }).href);
  expect(link).toBe(`${portal}/subscriptions/${subscription}`);
  await leave(page);
});

describe.each([
  { lang: "en", screen: { width: 390, dark: true }, next: /Next delivery/, reason: "Going on holiday" },
  { lang: "de", screen: { width: 390 }, next: /Nächste Lieferung/, reason: "Ich bin im Urlaub" },
  { lang: "fr-CA", screen: {}, next: /Prochaine livraison/, reason: "Je pars en vacances" },
  { lang: "es", screen: { dark: true }, next: /Próxima entrega/, reason: "Me voy de vacaciones" },
])("in $lang", ({ lang, screen, next, reason }) => {
  let page: Page;
  beforeAll(async () => {
    page = await openShopPage({ lang }, screen);
  });
  afterAll(() => leave(page));

  const look = async (name: string) => {
    await picture(page, `embedded-${name}-${lang}`);
    expect(await overflow(page)).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  };

  test("it shows the delivery, and asks for the reason in the customer's words", async () => {
    expect(await untilIt(page, next)).toContain(dateOf(await rowOf(subscription), lang.slice(0, 2)));
    await look("next");
    await page.click(`${element} >>> button`);
    await page.waitForSelector(`${element} >>> form`);
    expect(await untilIt(page, /./)).toContain(reason);
    await look("form");
  });
});

test("a page in no language of its own has the portal's", async () => {
  const page = await openShopPage({ lang: "nl" });
  expect(await untilIt(page, /./)).toContain("Next delivery");
  await leave(page);
});

test("it is honest about what cannot be: an expired token, which a page can replace, no delivery, and no connection", async () => {
  const page = await openShopPage({ token: "expired" });
  await untilIt(page, /Please sign in to the shop again/);
  await page.evaluate(`document.querySelector("${element}").setAttribute("token", ${JSON.stringify(token)})`);
  await untilIt(page, /Next delivery/);

  await page.setOfflineMode(true);
  await press(page, "Skip this delivery");
  await page.click(`${element} >>> input[type=radio]`);
  await press(page, "Skip");
  await untilIt(page, /This cannot be shown right now/);
  await page.setOfflineMode(false);
  await press(page, "Try again");
  await untilIt(page, /Next delivery/);

  await execute("UPDATE subscriptions SET status = 'PAUSED' WHERE id = ?", subscription);
  const paused = await openShopPage();
  expect(await untilIt(paused, /Manage subscription/)).not.toContain("Skip this delivery");
  await execute("UPDATE subscriptions SET status = 'ACTIVE' WHERE id = ?", subscription);
  for (const open of [page, paused]) await leave(open);
});

test("without a subscription it shows the active one whose delivery comes next", async () => {
  const page = await newPage();
  const { name, integrity } = documentedElement();
  await page.goto(
    `${inject("shopPage")}/?${new URLSearchParams({ src: `${origin}/assets/${name}`, integrity, lang: "en", token })}`,
  );
  await page.evaluate(`document.querySelector("${element}").removeAttribute("subscription")`);
  await untilIt(page, /Next delivery/);
  const { data } = await answerOf<{ data: { id: string; next_delivery_date: string }[] }>(
    merchant(
      "GET",
      `/api/subscriptions?profile_id=${profile_id}&status=ACTIVE&sort_by=next_delivery_date&sort_order=asc`,
    ),
  );
  const link = await page.$eval(`${element} >>> a`, (a) => (a as { href: string }).href);
  expect(link).toBe(`${portal}/subscriptions/${data[0]!.id}`);
  await leave(page);
});
