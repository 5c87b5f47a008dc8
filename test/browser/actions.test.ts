/** A customer can do everything on the portal's pages, with and without JavaScript, and each form acts once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoId } from "../../src/base/demo.ts";
import { type ActionName, actions, hasForm } from "../../src/edges/portal/pages/actions.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import {
  execute,
  goods,
  historyOf,
  inDays,
  leave,
  merchant,
  openPortal,
  portal,
  press,
  rowOf,
  select,
  subscribe,
  textOf,
} from "./visitor.ts";

/** Demo customers of no other test, each for a round: whoever still owes something has all of their subscriptions switched. */
const customers = { scripted: 50, plain: 40 };

type Row = Awaited<ReturnType<typeof rowOf>>;
type Case = {
  name: ActionName;
  /** The action on whose page its link is, if not on the subscription's. */
  from?: ActionName;
  /** The link is about a line, which it names. */
  isOfLine?: true;
  /** Brings the subscription into the state in which the action is possible. */
  prepare?: (id: string) => unknown;
  /** Fills in the form. */
  fill?: (page: Page) => Promise<unknown>;
  /** The page with the form shows the effect, and has the button that brings it about. */
  isOneStep?: true;
  /** The text by which the page announces its effect. */
  says: RegExp;
  entry: string;
  expectRow: (after: Row, before: Row) => void | Promise<void>;
  /** It can be undone, and the row is then as it was. */
  isUndone?: true;
};

function change(id: string, method: string, part: string, body: object = {}) {
  return merchant(method, `/api/subscriptions/${id}/${part}`, body);
}

/** A bag of the demo store's catalogue, at its price. */
const bag = { ...goods, store_variant_id: "variant-1-large", price: 19.95 };

function linesIn({ lines }: Row): object[] {
  return JSON.parse(String(lines));
}

const cases: Case[] = [
  {
    name: "skip",
    fill: async (page) => {
      await page.click("input[name=count][value='2']");
      await page.click("input[name=skip_reason_id]");
    },
    says: /Next delivery/,
    entry: "subscription_skipped",
    expectRow: (after, before) =>
      expect(
        Date.parse(String(after.next_delivery_date)) - Date.parse(String(before.next_delivery_date)),
      ).toBe(14 * 86_400_000),
    isUndone: true,
  },
  {
    name: "unskip",
    prepare: (id) => change(id, "POST", "skip", { skip_weeks: 1, skip_reason_id: demoId("skip_reason", 1) }),
    says: /Next delivery/,
    entry: "subscription_unskipped",
    expectRow: (after, before) =>
      expect(String(after.next_delivery_date) < String(before.next_delivery_date)).toBe(true),
  },
  {
    name: "schedule",
    fill: (page) => setDate(page, "next_delivery_date", inDays(30)),
    says: /Next delivery/,
    entry: "delivery_rescheduled",
    expectRow: (after) => expect(after.next_delivery_date).toBe(inDays(30)),
    isUndone: true,
  },
  {
    name: "frequency",
    fill: (page) => page.click('input[value="WEEK-2"]'),
    says: /Every 2 weeks/,
    entry: "frequency_changed",
    expectRow: (after) => expect([after.billing_interval, after.billing_interval_count]).toEqual(["WEEK", 2]),
    isUndone: true,
  },
  {
    name: "address",
    fill: async (page) => {
      for (const [name, value] of Object.entries({
        address1: "7 New Lane",
        city: "Albany",
        zip: "12207",
      })) {
        await page.$eval(`input[name=${name}]`, (input) => {
          (input as unknown as { value: string }).value = "";
        });
        await page.type(`input[name=${name}]`, value);
      }
      await page.select("select[name=country_code]", "US");
    },
    says: /7 New Lane/,
    entry: "delivery_address_changed",
    expectRow: (after) => expect(String(after.delivery_address)).toContain("7 New Lane"),
    isUndone: true,
  },
  {
    name: "instructions",
    fill: (page) => page.type("textarea", "Ring <b>twice</b>"),
    says: /Ring <b>twice<\/b>/,
    entry: "delivery_instructions_updated",
    expectRow: (after) => expect(after.delivery_instructions).toBe("Ring <b>twice</b>"),
    isUndone: true,
  },
  {
    name: "payment-method",
    fill: (page) => page.click("input[name=payment_method_id]"),
    says: /Payment method/,
    entry: "payment_method_changed",
    expectRow: (after, before) => expect(after.payment_method_id).not.toBe(before.payment_method_id),
    isUndone: true,
  },
  {
    name: "payment-link",
    from: "payment-method",
    says: /sends no e-mail/,
    entry: "payment_update_requested",
    expectRow: (after, before) => expect(after.payment_method_id).toBe(before.payment_method_id),
  },
  {
    name: "quantity",
    isOfLine: true,
    fill: async (page) => {
      await page.click("input[name=quantity]", { count: 3 });
      await page.type("input[name=quantity]", "3");
    },
    says: /1 × Beef and carrot.*\s+→\s+Afterwards:\s+3 × Beef and carrot/,
    entry: "lines_changed",
    expectRow: (after) => expect(linesIn(after)).toMatchObject([{ quantity: 3 }]),
    isUndone: true,
  },
  {
    name: "swap",
    isOfLine: true,
    says: /Item\s+Now:\s+1 × Beef and carrot/,
    entry: "lines_changed",
    expectRow: (after) =>
      expect(linesIn(after)).not.toMatchObject([{ store_variant_id: bag.store_variant_id }]),
    isUndone: true,
  },
  {
    name: "add",
    says: /Item\s+Now:\s+–/,
    entry: "lines_changed",
    expectRow: (after) => expect(linesIn(after)).toHaveLength(2),
    isUndone: true,
  },
  {
    name: "remove",
    isOfLine: true,
    prepare: (id) =>
      change(id, "POST", "lines", { ...bag, store_variant_id: "variant-2-large", product_title: "Lamb" }),
    says: /Item\s+Now:\s+1 × Beef and carrot.*\s+→\s+Afterwards:\s+–/,
    entry: "lines_changed",
    expectRow: (after) => expect(linesIn(after)).toHaveLength(1),
    isUndone: true,
  },
  {
    name: "pause",
    fill: (page) => setDate(page, "pause_until", inDays(60)),
    says: /Paused until/,
    entry: "subscription_paused",
    expectRow: (after) => expect([after.status, after.pause_until]).toEqual(["PAUSED", inDays(60)]),
    isUndone: true,
  },
  {
    name: "resume",
    prepare: (id) => change(id, "POST", "pause"),
    says: /Status/,
    entry: "subscription_resumed",
    expectRow: (after) => expect(after.status).toBe("ACTIVE"),
    isUndone: true,
  },
  {
    name: "cancel",
    isOneStep: true,
    fill: (page) => page.click("input[name=cancellation_reason_id]"),
    says: /Cancelled/,
    entry: "subscription_cancelled",
    expectRow: (after) => expect([after.status, after.next_billing_date]).toEqual(["CANCELLED", null]),
    isUndone: true,
  },
  {
    name: "reactivate",
    prepare: (id) => change(id, "POST", "cancel"),
    fill: (page) => setDate(page, "next_delivery_date", inDays(10)),
    says: /Active/,
    entry: "subscription_reactivated",
    expectRow: (after) => expect([after.status, after.next_delivery_date]).toEqual(["ACTIVE", inDays(10)]),
    isUndone: true,
  },
  {
    name: "retry-payment",
    prepare: (id) => execute("UPDATE subscriptions SET status = 'PAYMENT_FAILED' WHERE id = ?", id),
    says: /Charged now\s+\$/,
    entry: "billing_started",
    expectRow: async (after) => expect(await attemptsOf(String(after.id))).toHaveLength(1),
  },
  {
    name: "ship-now",
    says: /Charged now\s+\$/,
    entry: "ship_now_requested",
    expectRow: async (after) => expect(await attemptsOf(String(after.id))).toHaveLength(1),
  },
];

function attemptsOf(id: string) {
  return select("SELECT id FROM billing_attempts WHERE subscription_id = ?", id);
}

/** A browser's date field takes keys in its own language's order; a customer's picker sets the value. */
async function setDate(page: Page, name: string, value: string): Promise<void> {
  await page.$eval(
    `input[name=${name}]`,
    (input, date) => {
      (input as unknown as { value: string }).value = date;
    },
    value,
  );
}

const unsettled = ["revision", "updated_at", "store_contract_id", "store_sync_error"];

/** Counted on by every change of the schedule; a life at a store that keeps contracts keeps its number. */
const counted = ["schedule_revision", "activation", "former_contract_id"];

function settled(row: Row, besides: string[] = []) {
  const left = [...unsettled, ...besides];
  return Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name)));
}

test("every action of the page has its case", () => {
  expect(cases.map(({ name }) => name).sort()).toEqual(Object.keys(actions).sort());
});

/** The button of a change, and not that of the search among many items. */
const changeButton = "main form[method=post] button";

describe.each([
  { javaScript: true, customer: customers.scripted },
  { javaScript: false, customer: customers.plain },
])("with JavaScript: $javaScript", ({ javaScript, customer }) => {
  let page: Page;
  let ids: string[];
  beforeAll(async () => {
    page = await openPortal(customer, { width: 390, javaScript });
    const methods = cases.map((_, index) => (index % 2 ? "pm_success" : "pm_pending"));
    ids = await Promise.all(methods.map((method) => subscribe(customer, { method, lines: [bag] })));
  });
  afterAll(() => leave(page));

  test.each(cases.map((one, index) => [one.name, one, index] as const))("%s", async (name, one, index) => {
    const id = ids[index]!;
    await one.prepare?.(id);
    const [before, told] = [await rowOf(id), await historyOf(id)];
    const path = `/subscriptions/${id}`;

    await page.goto(`${portal}${path}${one.from ? `/${one.from}` : ""}`);
    if (one.isOfLine) await page.click(".edit summary");
    await press(page, `a[href${one.isOfLine ? "*" : "$"}="${path}/${name}${one.isOfLine ? "?line=" : ""}"]`);
    if (hasForm(name)) {
      await one.fill?.(page);
      if (!one.isOneStep) await press(page, changeButton);
    }
    expect(await textOf(page)).toMatch(one.says);
    expect(settled(await rowOf(id)), "nothing has happened yet").toEqual(settled(before));
    expect(await historyOf(id)).toEqual(told);

    await press(page, `${changeButton}${one.isOneStep ? ".danger" : ""}`);
    expect(page.url()).toBe(portal + path);
    await one.expectRow(await rowOf(id), before);
    expect((await historyOf(id)).slice(told.length)).toContain(one.entry);
    const acted = (await historyOf(id)).filter((entry) => entry === one.entry).length;
    expect(acted - told.filter((entry) => entry === one.entry).length, "once").toBe(1);

    if (!one.isUndone) return;
    await press(page, ".notice button");
    expect((await historyOf(id)).at(-1)).toBe("subscription_change_undone");
    expect(settled(await rowOf(id), counted)).toEqual(settled(before, counted));
  });
});

test("a form that is sent twice acts once, by a double click as by sending it again", async () => {
  const page = await openPortal(customers.scripted);
  const id = await subscribe(customers.scripted);
  await page.goto(`${portal}/subscriptions/${id}/skip`);
  await page.click("input[name=skip_reason_id]");
  await press(page, "main form button");
  const sent = (await page.evaluate(
    "JSON.stringify([...new FormData(document.querySelector('main form'))])",
  )) as string;
  await Promise.all([page.waitForNavigation(), page.click("main form button", { count: 2 })]);
  const { next_delivery_date } = await rowOf(id);
  const again = `fetch("${portal}/subscriptions/${id}/skip", {
    method: "POST", body: new URLSearchParams(${sent}) }).then(({ status, url }) => [status, url])`;
  // The page's policy allows no requests by script, so another page of this origin sends it.
  await page.goto(`${portal}/theme.css`);
  await page.setBypassCSP(true);
  await page.reload();
  expect(await page.evaluate(again)).toEqual([200, `${portal}/subscriptions/${id}`]);
  expect((await rowOf(id)).next_delivery_date).toBe(next_delivery_date);
  expect((await historyOf(id)).filter((entry) => entry === "subscription_skipped")).toHaveLength(1);
  await page.browserContext().close();
});

test("the customer's own details: name, phone and addresses", async () => {
  const page = await openPortal(customers.scripted);
  await page.goto(`${portal}/profile`);
  await page.type("input[name=phone_number]", "99");
  await press(page, `form[action$="/profile"] button`);
  const profile = demoId("profile", customers.scripted);
  const [row] = await select("SELECT phone_number FROM profiles WHERE id = ?", profile);
  expect(String(row?.phone_number)).toContain("99");
  const form = `form[action$="/addresses"]`;
  for (const [name, value] of Object.entries({
    address1: "5 Side Road",
    city: "Troy",
    zip: "12180",
  }))
    await page.type(`${form} input[name=${name}]`, value);
  await page.select(`${form} select[name=country_code]`, "US");
  await press(page, `${form} button`);
  const addresses = () =>
    select(
      "SELECT id FROM delivery_addresses WHERE profile_id = ? AND address1 = '5 Side Road' AND deleted_at IS NULL",
      profile,
    );
  const [address] = await addresses();
  expect(await textOf(page)).toContain("5 Side Road");
  await press(page, `form[action$="${address?.id}/remove"] button`);
  expect(await addresses()).toEqual([]);
  await leave(page);
});
