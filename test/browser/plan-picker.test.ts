/** Somebody subscribes by the plan picker on a product's page, with and without JavaScript, and reads the right price of each variant. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { folder, type Language, languages, renderBlock } from "../support/theme.ts";
import { products } from "../support/theme-products.ts";
import { lookOnScreens } from "./look.ts";
import { leave, newPage } from "./visitor.ts";

let server: Server;
let shop: string;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://shop.example");
    if (url.pathname === "/cart/add") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return response.end(Buffer.concat(chunks).toString());
    }
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(await renderPage(url.searchParams));
  }).listen(0, "localhost");
  await once(server, "listening");
  shop = `http://localhost:${(server.address() as AddressInfo).port}`;
}, 120_000);
afterAll(() => {
  server.close();
});

/** The page of a product in a plain theme, which has a form of its own with its choice of variants. */
async function renderPage(query: URLSearchParams): Promise<string> {
  const name = (query.get("product") ?? "manyGroups") as keyof typeof products;
  const language = (query.get("language") ?? "en") as Language;
  const found = products[name].variants.find(({ id }) => String(id) === query.get("variant"));
  const product = { ...products[name], ...(found ? { selected_or_first_available_variant: found } : {}) };
  const file = (asset: string) => readFileSync(`${folder}/assets/${asset}`, "utf8");
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Food</title>
<style>body{margin:0;font-family:Georgia,serif}main{max-width:30rem;margin:auto;padding:1rem}${file("plan-picker.css")}</style>
<script type="module">${file("plan-picker.js")}</script></head><body><main><h1>Food</h1>
<form action="/cart/add"><label>Size <select name="id">${product.variants
    .map(
      ({ id, title }) =>
        `<option value="${id}"${id === product.selected_or_first_available_variant?.id ? " selected" : ""}>${title.replaceAll("<", "&lt;")}</option>`,
    )
    .join("")}</select></label></form>
${await renderBlock("plan-picker", { product }, { language })}</main></body></html>`;
}

const shownPart = "[data-variant]:not([hidden])";

test.each(languages)("is readable in %s, narrow and wide", async (language) => {
  const page = await newPage();
  for (const product of ["manyGroups", "soldOut", "manyPlans"]) {
    await page.goto(`${shop}/products/food?language=${language}&product=${product}`);
    await lookOnScreens(page, `plan-picker-${product}-${language}`);
  }
  await leave(page);
});

test("without JavaScript a plan is sent by two clicks, and each variant has its page", async () => {
  const page = await newPage({ javaScript: false });
  await page.goto(`${shop}/products/food`);
  await page.click(`${shownPart} input[value="21"]`);
  await Promise.all([page.waitForNavigation(), page.click(`${shownPart} button`)]);
  expect(await page.evaluate("document.body.textContent")).toBe("id=101&selling_plan=21");
  await page.goto(`${shop}/products/food`);
  await Promise.all([page.waitForNavigation(), page.click('nav a[href$="variant=102"]')]);
  const part = await page.evaluate(`document.querySelector("${shownPart}").textContent`);
  expect(part).toContain("€45.00");
  expect(part).toContain("Sold out");
  await leave(page);
});

test("follows the theme's variant, and keeps the chosen plan", async () => {
  const page = await newPage();
  await page.goto(`${shop}/products/food`);
  await page.click(`${shownPart} input[value="12"]`);
  await page.select("form select[name=id]", "102");
  await page.waitForSelector('[data-variant="102"]:not([hidden])');
  expect(await page.$$(shownPart)).toHaveLength(1);
  const chosen = `document.querySelector('${shownPart} :checked').value`;
  expect(await page.evaluate(chosen)).toBe("12");
  expect(await page.evaluate(`document.querySelector('${shownPart} button').disabled`)).toBe(true);
  await page.select("form select[name=id]", "101");
  await page.waitForSelector('[data-variant="101"]:not([hidden])');
  expect(await page.evaluate(chosen)).toBe("12");
  await Promise.all([page.waitForNavigation(), page.click(`${shownPart} button`)]);
  expect(await page.evaluate("document.body.textContent")).toBe("id=101&selling_plan=12");
  await leave(page);
});

test("sends the plan of a select", async () => {
  const page = await newPage();
  await page.goto(`${shop}/products/food?product=manyPlans`);
  await page.select(`${shownPart} select`, "3");
  await Promise.all([page.waitForNavigation(), page.click(`${shownPart} button`)]);
  expect(await page.evaluate("document.body.textContent")).toBe("id=101&selling_plan=3");
  await leave(page);
});
