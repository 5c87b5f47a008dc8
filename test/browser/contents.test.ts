/** A customer changes the contents of a subscription at any width, by keyboard alone, and takes it back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { overflow } from "./axe.ts";
import { enter, tabTo, unfold } from "./keys.ts";
import { lookOnScreens, screens } from "./look.ts";
import {
  goods,
  historyOf,
  leave,
  merchant,
  openPortal,
  picture,
  portal,
  press,
  rowOf,
  showAs,
  subscribe,
  textOf,
} from "./visitor.ts";

/** A demo customer of no other test here. */
const customer = 39;
/** Of no other test either: where its picture comes from, only the pages of this file know. */
const bag = {
  ...goods,
  store_product_id: "product-39",
  store_variant_id: "variant-39-large",
  product_title: "Beef and carrot, 1.5 kg",
  variant_title: "Large",
  price: 19.95,
  quantity: 2,
};
const pictures = "https://cdn.demo-store.example";
let id: string;
let before: object[];

function catalogue(items?: object[]) {
  return merchant(items ? "PUT" : "GET", "/api/account/portal/catalogue", items && { items });
}

type Item = { product_title: string };

beforeAll(async () => {
  const { data } = (await (await catalogue()).json()) as { data: { items: Item[] } };
  before = data.items;
  const { store_product_id, store_variant_id, product_title, variant_title, price } = bag;
  const own = { store_product_id, store_variant_id, product_title, variant_title, price };
  const more = Array.from({ length: 25 }, (_, nth) => ({
    store_product_id: "product-8",
    store_variant_id: `variant-8-${nth}`,
    product_title: `Freeze-dried rabbit with pumpkin, parsley and dandelion, batch ${nth}`,
    variant_title: "Family pack of twelve",
    price: 9.9 + nth,
    is_one_time_allowed: true,
    image_url: nth % 2 === 0 ? `${pictures}/${nth}.svg` : null,
  }));
  await catalogue([...data.items, { ...own, image_url: `${pictures}/0.svg` }, ...more]);
  id = await subscribe(customer, {
    lines: [
      bag,
      { ...bag, store_product_id: "product-9", store_variant_id: "variant-9", product_title: "Salmon oil" },
    ],
  });
});
afterAll(() => catalogue(before));

function at(part = ""): string {
  return `${portal}/subscriptions/${id}${part}`;
}

/** The shop's own server is not there: its pictures come from here. */
async function openPage(options: Parameters<typeof openPortal>[1] = {}): Promise<Page> {
  const page = await openPortal(customer, options);
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const [, nth] = new RegExp(`^${pictures}/(\\d+)\\.svg$`).exec(request.url()) ?? [];
    if (nth === undefined) return void request.continue();
    const hue = (Number(nth) * 47) % 360;
    const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80"><rect x="6" y="4" width="48" height="72" rx="8" fill="hsl(${hue} 45% 45%)"/><rect x="14" y="28" width="32" height="24" rx="3" fill="#fff"/></svg>`;
    void request.respond({ contentType: "image/svg+xml", body });
  });
  return page;
}

async function leavePage(page: Page): Promise<void> {
  page.removeAllListeners("request");
  await page.setRequestInterception(false);
  await leave(page);
}

describe("narrow and wide", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(() => leavePage(page));

  const look = (name: string) => lookOnScreens(page, name);

  test("each page of a change", async () => {
    await page.goto(portal);
    await look("contents-home");
    await page.goto(at());
    await look("contents");
    await page.click(".edit summary");
    await press(page, 'a[href*="/quantity?line="]');
    await look("contents-quantity");
    await page.click("input[name=quantity]", { count: 3 });
    await page.type("input[name=quantity]", "3");
    await press(page, "main form button");
    await look("contents-quantity-preview");
    await page.goto(at());
    await page.click(".edit summary");
    await press(page, 'a[href*="/swap?line="]');
    await look("contents-swap");
    await page.goto(at("/add"));
    await look("contents-add");
    await page.type("input[name=q]", "dental");
    await press(page, ".search button");
    await look("contents-found");
    await press(page, 'button[value="1"]');
    await look("contents-once-preview");
    await page.goto(at());
    await page.click(".edit summary");
    await press(page, 'a[href*="/remove?line="]');
    await look("contents-remove-preview");
  });

  test.each(screens)("every picture has its box at $width px, also before it is there", async (screen) => {
    await showAs(page, screen);
    await page.goto(at());
    const boxes = await page.$$eval("img.picture", (all) =>
      all.map((one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height]),
    );
    expect(boxes).toEqual([
      [72, 72],
      [64, 64],
    ]);
  });
});

type Line = { store_variant_id: string; quantity: number };

async function linesNow(): Promise<Line[]> {
  return JSON.parse(String((await rowOf(id)).lines)) as Line[];
}

/** Each change by the keys alone: from the link on the subscription's page to the page that shows what it would do. */
const walks: {
  change: string;
  walk: (page: Page) => Promise<void>;
  shows: string;
  after: (was: Line[]) => object[];
}[] = [
  {
    change: "something is added for the next delivery",
    walk: async (page) => {
      await tabTo(page, ({ text }) => text === "Add something");
      await enter(page);
      await tabTo(page, ({ name }) => name === "q");
      await page.keyboard.type("chews");
      await enter(page);
      await tabTo(page, ({ text }) => text.startsWith("Add once"));
      await enter(page);
    },
    shows: "Dental chews (in the next delivery only)",
    after: (was) => [...was, { quantity: 1, is_one_time: true }],
  },
  {
    change: "a quantity is changed",
    walk: async (page) => {
      await unfold(page, "Edit");
      await tabTo(page, ({ text }) => text.startsWith("Quantity"));
      await enter(page);
      await tabTo(page, ({ name }) => name === "quantity");
      await page.keyboard.press("ArrowUp");
      await enter(page);
    },
    shows: "3 × Beef and carrot, 1.5 kg, Large",
    after: ([first, ...others]) => [{ ...first, quantity: 3 }, ...others],
  },
  {
    change: "an item is swapped",
    walk: async (page) => {
      await unfold(page, "Edit");
      await tabTo(page, ({ text }) => text.startsWith("Swap"));
      await enter(page);
      await tabTo(page, ({ name }) => name === "q");
      await page.keyboard.type("medium carrot");
      await enter(page);
      await tabTo(page, ({ text }) => text.startsWith("Swap for this"));
      await enter(page);
    },
    shows: "2 × Beef and carrot, 1 kg, Medium",
    after: ([first, ...others]) => [
      { quantity: first!.quantity, store_variant_id: "variant-1-medium" },
      ...others,
    ],
  },
  {
    change: "an item is removed",
    walk: async (page) => {
      await unfold(page, "Edit");
      await tabTo(page, ({ text }) => text.startsWith("Remove"));
      await enter(page);
    },
    shows: "2 × Beef and carrot, 1.5 kg, Large",
    after: ([, ...others]) => others,
  },
];

test.each(walks)("by keyboard alone: $change, and it is undone", async ({ walk, shows, after }) => {
  const page = await openPage({ width: 1280 });
  const [told, was] = [await historyOf(id), await linesNow()];
  await page.goto(at());
  await walk(page);
  expect(await textOf(page)).toContain(shows);
  expect(await linesNow(), "nothing has happened yet").toEqual(was);
  await tabTo(page, ({ text }) => text === "Confirm");
  await enter(page);
  expect(await linesNow()).toMatchObject(after(was));
  await tabTo(page, ({ text }) => text === "Undo");
  await enter(page);
  const bare = ({ store_variant_id, quantity }: Line) => [store_variant_id, quantity];
  expect((await linesNow()).map(bare).sort()).toEqual(was.map(bare).sort());
  expect((await historyOf(id)).slice(told.length)).toEqual(["lines_changed", "subscription_change_undone"]);
  await leavePage(page);
});

test.each(["de", "fr", "es"])(
  "with letters twice as large, in %s, no page is wider than a narrow screen",
  async (locale) => {
    const page = await openPage({ width: 390, locale });
    for (const part of ["", "/add", "/swap", "/quantity", "/remove"]) {
      await page.goto(at());
      const link =
        part === "" ? undefined : await page.$eval(`a[href*="${part}"]`, (one) => one.getAttribute("href"));
      if (link) await page.goto(new URL(link, portal).href);
      await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
      if (locale === "de") await picture(page, `contents${part.replace("/", "-")}-${locale}-large`);
      expect([part, await overflow(page)]).toEqual([part, 0]);
    }
    await leavePage(page);
  },
);
