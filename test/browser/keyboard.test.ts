/** The portal can be used by keyboard alone, and no other page reads or frames it. */
import { expect, test } from "vitest";
import { demoId } from "../../src/base/demo.ts";
import { enter, focused, tabTo, unfold } from "./keys.ts";
import { historyOf, leave, newLink, newPage, openPortal, origin, portal, press, textOf } from "./visitor.ts";

test("by keyboard alone: from the link to a skipped delivery and back", async () => {
  const page = await newPage();
  await page.goto(await newLink(1));
  await tabTo(page, ({ text }) => text === "Open my subscriptions");
  await enter(page);
  await tabTo(page, ({ text }) => /^Skip\s*:/.test(text));
  await enter(page);
  const [, id = ""] = /subscriptions\/([^/]+)/.exec(page.url()) ?? [];
  await tabTo(page, ({ name }) => name === "count");
  await page.keyboard.press("ArrowDown");
  await tabTo(page, ({ name }) => name === "skip_reason_id");
  await page.keyboard.press("Space");
  await tabTo(page, ({ text }) => text === "Continue");
  await enter(page);
  await tabTo(page, ({ text }) => text === "Confirm");
  await enter(page);
  expect(await textOf(page)).toContain("Skipped.");
  await tabTo(page, ({ text }) => text === "Undo");
  await enter(page);
  expect((await historyOf(id)).slice(-2)).toEqual(["subscription_skipped", "subscription_change_undone"]);
  await unfold(page, "Linus");
  await tabTo(page, ({ text }) => text === "Sign out");
  await enter(page);
  expect(await textOf(page)).toContain("Sign in");
  await leave(page);
});

test("the first Tab leads past the navigation", async () => {
  const page = await openPortal();
  await page.keyboard.press("Tab");
  expect((await focused(page)).text).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("content");
  await leave(page);
});

test("no script of the page reads the session, and no other page frames it", async () => {
  const page = await openPortal();
  expect(await page.evaluate("document.cookie")).toBe("");
  const cookies = await page.browserContext().cookies();
  const session = cookies.find(({ name }) => name === "__Host-perennial");
  expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax", path: "/" });
  await page.goto(`data:text/html,<iframe src="${portal}"></iframe>`);
  const frame = page.frames().find((one) => one !== page.mainFrame());
  expect(await frame?.evaluate("document.body.innerText").catch(() => "")).not.toContain("subscriptions");
  await page.browserContext().close();
});

test("everything is two steps from the first page at most", async () => {
  const page = await openPortal();
  await press(page, `a.button[href$="${demoId("subscription", 1)}"]`);
  const links = await page.$$eval("main .actions a, main .change a", (all) =>
    all.map((one) => one.getAttribute("href") ?? ""),
  );
  expect(links.length).toBeGreaterThan(7);
  for (const link of links) expect(new URL(link, origin).pathname).toContain(demoId("subscription", 1));
  await leave(page);
});
