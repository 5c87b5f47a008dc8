/** Somebody of SUPPORT who has never seen the console finds a failed payment by a search, reads why, skips a box and takes that back. */
import { expect, test } from "vitest";
import { demoShop } from "../../src/base/demo.ts";
import { look, lookInAllColours } from "./look.ts";
import {
  historyOf,
  leave,
  merchant,
  newPage,
  origin,
  type PageOptions,
  press,
  select,
  showAs,
  subscribe,
  textOf,
  until,
} from "./visitor.ts";

const base = `${origin}/console/${demoShop}`;

/** A page with the link of somebody who was just invited. */
async function invited(role: string, options: PageOptions = {}) {
  const body = { email: `${crypto.randomUUID()}@shop.example`, name: "Sam Support", role };
  const member = (await (await merchant("POST", "/api/staff", body)).json()) as { data: { id: string } };
  const invited = await merchant("POST", `/api/staff/${member.data.id}/invite`);
  const { data } = (await invited.json()) as { data: { url: string | null } };
  const page = await newPage(options);
  await page.goto(data.url ?? "");
  return page;
}

const mostMs = 60_000;
/** Ada Novák, a customer of the demo store. */
const ada = 33;

test.each([true, false])(
  "from sign-in support finds Ada's failed payment, why, and its next try, skips her next box and takes that back, within a minute (JavaScript: %s)",
  async (javaScript) => {
    const id = await subscribe(ada, { method: "pm_card_declined", days: 14 });
    await merchant("POST", `/api/subscriptions/${id}/ship-now`, {});
    await until("The payment has not failed", async () => {
      const rows = await select("SELECT 1 FROM dunning_episodes WHERE subscription_id = ?", id);
      return rows.length > 0;
    });
    const screen = { width: 1280, dark: !javaScript };
    const page = await invited("SUPPORT", { javaScript, ...screen });
    const began = performance.now();
    await press(page, "main button");
    if (javaScript) await page.keyboard.press("/");
    else await page.click(".search input");
    await page.keyboard.type("Ada");
    await press(page, ".search button");
    const row = `tr:has(a[href$="/subscriptions/${id}"])`;
    expect(await textOf(page, row)).toContain("payment failed");
    await look(page, "console-search", screen);
    await press(page, `main a[href$="/subscriptions/${id}"]`);
    expect(await textOf(page)).toMatch(/declined/i);
    expect(await textOf(page)).toMatch(/is tried again/);
    await look(page, "console-failed", screen);
    await press(page, 'main a[href$="/skip"]');
    await press(page, "main form button");
    expect(await textOf(page)).toContain("Before");
    await press(page, "main form button");
    expect(await textOf(page)).toContain("Undo is possible until");
    if (javaScript)
      await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("u")]);
    else await press(page, ".notice button");
    expect(await textOf(page)).toContain("It is as it was before.");
    expect(performance.now() - began).toBeLessThan(mostMs);
    expect((await historyOf(id)).slice(-2)).toEqual(["subscription_skipped", "subscription_change_undone"]);
    await leave(page);
  },
);

test("the pages of changes can be read on every screen, and work without JavaScript", async () => {
  const id = await subscribe(1);
  const page = await invited("OWNER");
  await press(page, "main button");
  const one = `${base}/subscriptions/${id}`;
  const show = (name: string) => lookInAllColours(page, `console-${name}`);
  for (const name of ["skip", "schedule", "address", "add", "discount", "cancel"]) {
    await page.goto(`${one}/${name}`);
    await show(`form-${name}`);
  }
  await page.setJavaScriptEnabled(false);
  await page.goto(`${one}/skip`);
  await press(page, "main form button");
  await show("preview");
  await press(page, "main form button");
  await show("done");
  await press(page, "main form button");
  expect(await textOf(page)).toContain("It is as it was before.");
  await page.goto(`${one}/skip`);
  await page.evaluate("0");
  await showAs(page, { width: 390 });
  await page.click(".menu summary");
  expect(await textOf(page, ".menu")).toContain("Customers");
  await page.setJavaScriptEnabled(true);
  await leave(page);
});
