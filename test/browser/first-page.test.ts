/** The first page leads everywhere without JavaScript, and signs the demo customer in with one click. */
import { expect, test } from "vitest";
import { demoId } from "../../src/base/demo.ts";
import { faultsOf, overflow } from "./axe.ts";
import { leave, merchant, newPage, origin, picture, portal, press, textOf } from "./visitor.ts";

test("the first page leads everywhere, without JavaScript, and one click signs the demo customer in", async () => {
  const page = await newPage({ width: 390, javaScript: false });
  await page.goto(origin);
  const links = (await page.$$eval("main a[href]", (all) =>
    all.map((a) => a.getAttribute("href")),
  )) as string[];
  for (const href of links) {
    const answer = await fetch(new URL(href, origin));
    expect([href, answer.status]).toEqual([href, 200]);
    const id = href.split("#/")[1]?.split("/")[1];
    if (id) expect(await (await fetch(`${origin}/api.json`)).text()).toContain(`"operationId":"${id}"`);
  }
  await press(page, "main form button");
  expect(page.url()).toBe(portal);
  await page.click(".menu summary");
  expect(await textOf(page, "header")).toContain("Sign out");
  await leave(page);
});

test("the demo store's mails can be read, each as its customer has it", async () => {
  const page = await newPage({ width: 390 });
  await page.goto(`${origin}/demo/mails`);
  await picture(page, "demo-mails-empty");
  expect(await faultsOf(page)).toEqual([]);

  await merchant("POST", "/api/account/mail/test", { to: "ada@shop.example" });
  for (let tries = 0; !(await textOf(page)).includes("ada@shop.example"); tries++) {
    if (tries === 100) throw new Error("The mail was not kept");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await page.reload();
  }
  await picture(page, "demo-mails");
  expect(await overflow(page)).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  await press(page, ".mails a");
  await picture(page, "demo-mail");
  expect(await page.evaluate("getComputedStyle(document.querySelector('table')).width"), "styled").toMatch(
    /px$/,
  );
  const { status } = await fetch(`${origin}/demo/mails/${demoId("mail", 9999)}`);
  expect(status).toBe(404);
  await leave(page);
});
