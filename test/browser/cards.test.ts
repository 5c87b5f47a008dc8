/** A customer learns on every page that a card will have expired before the next charge. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoId, demoPlanIds } from "../../src/base/demo.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { faultsOf } from "./axe.ts";
import { lookOnScreens } from "./look.ts";
import {
  execute,
  goods,
  leave,
  merchant,
  openPortal,
  picture,
  portal,
  press,
  rowOf,
  subscribe,
  textOf,
} from "./visitor.ts";

/** A demo customer of no other test here, with one card. */
const customer = 55;
let id: string;

beforeAll(async () => {
  id = await subscribe(customer, { days: 45, lines: [{ ...goods, selling_plan_id: demoPlanIds.monthly }] });
  const { payment_method_id: method } = await rowOf(id);
  const [year, month] = new Date().toISOString().split("-").map(Number);
  await execute(
    "UPDATE payment_methods SET exp_month = ?, exp_year = ? WHERE id = ?",
    month!,
    year!,
    String(method),
  );
  await execute(
    "UPDATE payment_methods SET status = 'REVOKED' WHERE profile_id = ? AND id <> ?",
    demoId("profile", customer),
    String(method),
  );
});

describe("narrow and wide", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPortal(customer);
  });
  afterAll(() => leave(page));

  const setStatus = (status: string) =>
    execute(
      "UPDATE payment_methods SET status = ? WHERE id = (SELECT payment_method_id FROM subscriptions WHERE id = ?)",
      status,
      id,
    );
  const look = (name: string) => lookOnScreens(page, name);

  test("a card that expires before the next charge is told of on each page, and where there is no way, whom to write to", async () => {
    await page.goto(portal);
    await look("card-expiring-home");
    expect(await textOf(page)).toMatch(/expires at the end of .*, before the next charge on/);
    await page.goto(`${portal}/subscriptions/${id}`);
    await look("card-expiring");
    await press(page, ".alert a");
    await look("card-ways");
    await press(page, 'a[href$="/payment-link"]');
    await look("card-link");
    await setStatus("REVOKED");
    await page.goto(`${portal}/subscriptions/${id}`);
    await look("card-revoked");
    expect(await textOf(page)).toContain("To pay in another way, write to help@demo-store.example");
    await setStatus("VALID");
  });
});

test("the merchant's own page is one click from the subscription's", async () => {
  const set = (update_payment_url: string | null) =>
    merchant("PUT", "/api/account/portal", { update_payment_url });
  await set("https://shop.example.com/account/card");
  const page = await openPortal(customer, { width: 390 });
  await page.goto(`${portal}/subscriptions/${id}`);
  await press(page, `a[href$="/payment-method"]`);
  await picture(page, "card-at-shop-390-light");
  expect(await faultsOf(page)).toEqual([]);
  const href = await page.$eval('main a[rel="noreferrer"]', (one) => one.getAttribute("href"));
  expect(href).toContain(`https://shop.example.com/account/card?subscription_id=${id}`);
  await set(null);
  await leave(page);
});
