/** Somebody of SUPPORT who has never seen the console finds a failed payment, reads why, skips a box and takes that back. */
import { expect, test } from "vitest";
import { demoShop } from "../../src/base/demo.ts";
import { look, screens } from "./look.ts";
import {
  historyOf,
  leave,
  merchant,
  newPage,
  origin,
  press,
  select,
  showAs,
  subscribe,
  textOf,
  until,
} from "./visitor.ts";

const base = `${origin}/console/${demoShop}`;

async function signInAs(role: string) {
  const body = { email: `${crypto.randomUUID()}@shop.example`, name: "Sam Support", role };
  const member = (await (await merchant("POST", "/api/staff", body)).json()) as { data: { id: string } };
  const invited = await merchant("POST", `/api/staff/${member.data.id}/invite`);
  const { data } = (await invited.json()) as { data: { url: string | null } };
  const page = await newPage();
  await page.goto(data.url ?? "");
  await press(page, "main button");
  return page;
}

test("support finds the failed payment and why, skips the next box of another, and takes that back by a key", async () => {
  const failed = await subscribe(1, { method: "pm_card_declined", days: 14 });
  await merchant("POST", `/api/subscriptions/${failed}/ship-now`, {});
  await until("The payment has not failed", async () => {
    const rows = await select("SELECT 1 FROM dunning_episodes WHERE subscription_id = ?", failed);
    return rows.length > 0;
  });
  const id = await subscribe(1);
  const page = await signInAs("SUPPORT");
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.name")).toBe("q");
  await page.goto(`${base}/subscriptions/${failed}`);
  expect(await textOf(page)).toMatch(/declined|failed/i);
  expect(await textOf(page)).toMatch(/is tried again/);
  await look(page, "console-failed", { width: 1280, dark: false });
  await page.goto(`${base}/subscriptions/${id}`);
  await press(page, 'a[href$="/skip"]');
  await press(page, "main form button");
  expect(await textOf(page)).toContain("Before");
  await press(page, "main form button");
  expect(await textOf(page)).toContain("Undo is possible until");
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("u")]);
  expect(await textOf(page)).toContain("It is as it was before.");
  expect((await historyOf(id)).slice(-2)).toEqual(["subscription_skipped", "subscription_change_undone"]);
  await leave(page);
});

test("the pages of changes can be read on every screen, and work without JavaScript", async () => {
  const id = await subscribe(1);
  const page = await signInAs("OWNER");
  const one = `${base}/subscriptions/${id}`;
  const show = async (name: string) => {
    for (const screen of screens.flatMap(({ width }) => [true, false].map((dark) => ({ width, dark })))) {
      await showAs(page, screen);
      await look(page, `console-${name}`, screen);
    }
  };
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
