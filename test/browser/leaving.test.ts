/** A customer leaves in two clicks, past the offers, by mouse and by keyboard, with and without JavaScript. */
import { describe, expect, test } from "vitest";
import { demoId } from "../../src/base/demo.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { enter, tabTo } from "./keys.ts";
import { look as lookAt, lookInAllColours, screens } from "./look.ts";
import {
  goods,
  historyOf,
  leave,
  merchant,
  openPortal,
  portal,
  press,
  rowOf,
  showAs,
  subscribe,
  textOf,
} from "./visitor.ts";

/** A bag that one of the demo store's offers swaps. */
const bag = {
  ...goods,
  store_variant_id: "variant-1-large",
  product_title: "Beef and carrot, 1.5 kg",
  variant_title: "Large",
  price: 40,
};

function order(customer: number): Promise<string> {
  return subscribe(customer, { days: 20, lines: [bag] });
}

function at(id: string, part = ""): string {
  return `${portal}/subscriptions/${id}${part}`;
}

function reason(n: number): string {
  return `input[name=cancellation_reason_id][value="${demoId("cancellation_reason", n)}"]`;
}

/** The quiet button under the chosen reason, which leads to its offers. */
const toOffers = ".reasons label:has(:checked) + .offers button";

/** The height of the buttons of a form as they are drawn, and the size of their text and padding. */
async function sizesOf(page: Page, selector: string): Promise<unknown[]> {
  const sizes =
    await page.evaluate(`JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map((button) => {
    const { height } = button.getBoundingClientRect();
    const { fontSize, padding } = getComputedStyle(button);
    return [Math.round(height), fontSize, padding];
  }))`);
  return JSON.parse(sizes as string) as unknown[];
}

async function casesOf(id: string): Promise<{ status: string }[]> {
  const answer = await merchant("GET", `/api/subscriptions/${id}/cancellations`);
  return ((await answer.json()) as { data: { status: string }[] }).data;
}

/** The width decides what fits, the colours what can be read, JavaScript what is there: each of these meets each other. */
describe.each([true, false])("JavaScript: %s", (javaScript) => {
  test("somebody leaves in two clicks, past the offers as with them", async () => {
    const page = await openPortal(46, { javaScript });
    const look = (name: string) => lookInAllColours(page, `leaving-${name}${javaScript ? "" : "-plain"}`);
    const [straight, around] = [await order(46), await order(46)];
    await page.goto(at(straight));
    await press(page, `a[href$="${straight}/cancel"]`);
    await look("why");
    await page.click(reason(1));
    for (const screen of screens) {
      await showAs(page, screen);
      const sizes = await sizesOf(page, `main form .buttons button, ${toOffers}`);
      expect(sizes).toHaveLength(2);
      expect(sizes[0], "as large as the other").toEqual(sizes[1]);
    }
    await press(page, "main form button.danger");
    expect(page.url()).toBe(at(straight));
    await look("left");
    expect((await rowOf(straight)).status).toBe("CANCELLED");
    expect((await historyOf(straight)).at(-1)).toBe("subscription_cancelled");

    await page.goto(at(around, "/cancel"));
    await page.click(reason(1));
    await page.type("textarea[name=reason]", "Found it cheaper");
    await look("reason");
    await press(page, toOffers);
    expect(await textOf(page)).toContain("20% off the next three deliveries");
    await look("offers");
    await press(page, "main form button.danger");
    const row = await rowOf(around);
    expect([row.status, row.cancellation_reason, row.cancellation_reason_id]).toEqual([
      "CANCELLED",
      "Too expensive",
      demoId("cancellation_reason", 1),
    ]);
    await leave(page);
  });
});

describe.each([
  { customer: 47, javaScript: true },
  { customer: 48, javaScript: false },
])("by keyboard alone, JavaScript: $javaScript", ({ customer, javaScript }) => {
  const open = async (id: string): Promise<Page> => {
    const page = await openPortal(customer, { javaScript });
    await page.goto(at(id));
    await tabTo(page, ({ text }) => text === "Cancel");
    await enter(page);
    return page;
  };

  /** Gives the first reason, and goes on to its offers. */
  const giveReason = async (page: Page): Promise<void> => {
    await tabTo(page, ({ name }) => name === "cancellation_reason_id");
    await page.keyboard.press("Space");
    await tabTo(page, ({ text }) => text === "See what the shop offers");
    await enter(page);
  };

  test("somebody leaves at once", async () => {
    const id = await order(customer);
    const page = await open(id);
    await tabTo(page, ({ text }) => text === "Cancel subscription");
    await enter(page);
    expect(page.url()).toBe(at(id));
    expect((await rowOf(id)).status).toBe("CANCELLED");
    await leave(page);
  });

  test("somebody leaves past the offers, with a reason", async () => {
    const id = await order(customer);
    const page = await open(id);
    await giveReason(page);
    await tabTo(page, ({ text }) => text === "Cancel subscription");
    await enter(page);
    const row = await rowOf(id);
    expect([row.status, row.cancellation_reason, row.cancellation_reason_id]).toEqual([
      "CANCELLED",
      "Too expensive",
      demoId("cancellation_reason", 1),
    ]);
    await leave(page);
  });

  test("somebody chooses within an offer, and takes it", async () => {
    const id = await order(customer);
    const page = await open(id);
    await giveReason(page);
    await tabTo(page, ({ name }) => name === "choice");
    await page.keyboard.press("ArrowDown");
    await tabTo(page, ({ text }) => text === "Take this instead");
    await enter(page);
    expect(page.url()).toBe(at(id));
    const { status, billing_interval, billing_interval_count } = await rowOf(id);
    expect([status, billing_interval, billing_interval_count]).toEqual(["ACTIVE", "MONTH", 2]);
    expect((await casesOf(id))[0]?.status).toBe("ACCEPTED");
    await leave(page);
  });
});

/** Each offer of the demo store, the reason that has it, and a customer who has taken none yet. */
const taken = [
  { kind: "DISCOUNT", why: 1, nth: 0, customer: 41, locale: "de", entry: "discount_applied" },
  { kind: "FREQUENCY", why: 1, nth: 1, customer: 42, locale: "fr", entry: "frequency_changed" },
  { kind: "SWAP", why: 3, nth: 0, customer: 43, locale: "es", entry: "lines_changed" },
  { kind: "PAUSE", why: 3, nth: 1, customer: 44, locale: "en", entry: "subscription_paused" },
  { kind: "SKIP", why: 4, nth: 1, customer: 45, locale: "de", entry: "subscription_skipped" },
];

describe.each(taken)("the offer of kind $kind", ({ kind, why, nth, customer, locale, entry }) => {
  test("is shown with what it does, and taken by its button", async () => {
    const screen = { width: nth === 0 ? 1280 : 390, dark: nth === 1 };
    const page = await openPortal(customer, { ...screen, javaScript: nth === 0, locale });
    const look = (name: string) => lookAt(page, `leaving-${name}-${kind.toLowerCase()}-${locale}`, screen);
    const id = await order(customer);
    await page.goto(at(id, "/cancel"));
    await look("why");
    await page.click(reason(why));
    await press(page, toOffers);
    await look("offer");
    await press(page, `section:nth-of-type(${nth + 1}) form button`);
    expect(page.url()).toBe(at(id));
    await look("taken");
    const told = await historyOf(id);
    expect(told.slice(told.indexOf(entry)).slice(0, 2)).toEqual([entry, "cancellation_offer_accepted"]);
    expect((await casesOf(id))[0]?.status).toBe("ACCEPTED");
    await leave(page);
  });
});
