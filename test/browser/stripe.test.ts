/** A customer pays in Stripe's own form in a browser, by keyboard, and without JavaScript on Stripe's page. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { enter, tabTo } from "./keys.ts";
import { look, lookOnScreens } from "./look.ts";
import { goods, inDays, leave, newPage, origin, press, textOf, until } from "./visitor.ts";

/** The two pages that load the payment provider's script, with a stand-in for it. */

const portal = `${origin}/portal/${inject("otherShop")}`;
let profileId: string;
let plan: string;

// biome-ignore lint/suspicious/noExplicitAny: a body as JSON, whose members the test states
async function ask(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(origin + path, {
    method,
    headers: { "X-API-Key": inject("otherKey"), "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

beforeAll(async () => {
  const keys = { secret_key: "sk_test_fake", publishable_key: "pk_test_fake" };
  await ask("PUT", "/api/account/store", { store: "stripe", ...keys });
  await ask("PUT", "/api/account/portal", { is_enabled: true });
  const weekly = { name: "Weekly", billing_interval: "WEEK", billing_interval_count: 1 };
  plan = (await ask("POST", "/api/subscriptions/selling-plans", { id: "weekly", ...weekly })).data.id;
  const { access_token } = await ask("POST", "/api/auth/token", { actor_type: "admin", name: "Ann" });
  const made = await fetch(`${origin}/api/profiles`, {
    method: "POST",
    headers: {
      "X-API-Key": inject("otherKey"),
      Authorization: `Bearer ${access_token}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ email: "ada@example.com", first_name: "Ada" }),
  });
  profileId = ((await made.json()) as { data: { id: string } }).data.id;
});

async function subscribed(store_payment_method_id: string): Promise<string> {
  const { ids } = await ask("POST", "/api/subscriptions", {
    profile_id: profileId,
    store_payment_method_id,
    next_delivery_date: inDays(14),
    lines: [{ ...goods, selling_plan_id: plan }],
  });
  const read = async () => (await ask("GET", `/api/subscriptions/${ids[0]}`)).data;
  await until("The contract was not made", async () => (await read()).store_contract_id !== null);
  return ids[0];
}

async function openAs(options: { width: number; javaScript?: boolean }): Promise<Page> {
  const page = await newPage(options);
  const { url } = await ask("POST", "/api/portal/sessions", { profile_id: profileId, locale: "en" });
  await page.goto(url);
  await press(page, "main button");
  return page;
}

describe("narrow and wide", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openAs({ width: 390 });
  });
  afterAll(() => leave(page));

  test("a card is entered in the provider's form, by the keyboard, and pays once that is confirmed", async () => {
    const id = await subscribed("pm_card_visa");
    await page.goto(`${portal}/subscriptions/${id}/payment-method`);
    await press(page, 'a[href$="/payment-method/new"]');
    await page.waitForSelector("form[data-store] select");
    await lookOnScreens(page, "new-method");
    await page.select("form[data-store] select", "pm_card_mastercard");
    await tabTo(page, ({ text }) => text === "Save");
    await enter(page);
    expect(await textOf(page)).toContain("4444");
    const others = await page.$("input[name=update_all]");
    if (others) await press(page, "main form button");
    await press(page, "main form button");
    expect(await textOf(page)).toContain("The payment method was changed");
  });

  test("a card that is refused there is told of, and another may be tried", async () => {
    const id = await subscribed("pm_card_visa");
    await page.goto(`${portal}/subscriptions/${id}/payment-method/new`);
    await page.waitForSelector("form[data-store] select");
    await page.select("form[data-store] select", "pm_card_chargeDeclined");
    await page.click("form[data-store] button");
    await page.waitForSelector("form[data-store] [role=alert]:not([hidden])");
    await lookOnScreens(page, "new-method-refused");
    await page.select("form[data-store] select", "pm_card_mastercard");
    await press(page, "form[data-store] button");
    expect(await textOf(page)).toContain("4444");
  });

  test("a payment is confirmed at the bank by the keyboard, and the page says that it was paid", async () => {
    const id = await subscribed("pm_card_authenticationRequired");
    const { billing_attempt_id } = await ask("POST", `/api/subscriptions/${id}/ship-now`, {});
    const attempt = async () =>
      (await ask("GET", `/api/subscriptions/${id}/billing-attempts/${billing_attempt_id}`)).data;
    await until("It does not wait", async () => (await attempt()).status === "ACTION_REQUIRED");
    await page.goto((await attempt()).next_action_url);
    await page.waitForSelector("form[data-store]:not([hidden])");
    await lookOnScreens(page, "pay");
    await tabTo(page, ({ text }) => text.startsWith("Confirm"));
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=dialog] button");
    await press(page, "[role=dialog] button");
    await lookOnScreens(page, "paid");
    expect(await textOf(page)).toContain("has been paid");
    await until("It was not recorded", async () => (await attempt()).status === "SUCCEEDED");
  });
});

describe("without JavaScript", () => {
  test("the provider's own page takes the card, and leads back to the preview", async () => {
    const id = await subscribed("pm_card_visa");
    const page = await openAs({ width: 390, javaScript: false });
    await page.goto(`${portal}/subscriptions/${id}/payment-method/new`);
    await look(page, "new-method-plain", { width: 390, dark: false });
    await press(page, "main .card a.button");
    await page.select("select", "pm_card_mastercard");
    await press(page, "form button");
    expect(await textOf(page)).toContain("4444");
    await leave(page);
  });

  test("a payment cannot be confirmed, which the page says, with another way to pay", async () => {
    const id = await subscribed("pm_card_authenticationRequired");
    const { billing_attempt_id } = await ask("POST", `/api/subscriptions/${id}/ship-now`, {});
    const status = async () =>
      (await ask("GET", `/api/subscriptions/${id}/billing-attempts/${billing_attempt_id}`)).data.status;
    await until("It does not wait", async () => (await status()) === "ACTION_REQUIRED");
    const page = await openAs({ width: 390, javaScript: false });
    await page.goto(`${portal}/pay/${billing_attempt_id}`);
    await look(page, "pay-plain", { width: 390, dark: false });
    expect(await textOf(page)).toContain("has to run JavaScript");
    await leave(page);
  });
});
