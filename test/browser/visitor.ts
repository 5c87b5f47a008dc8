import { mkdirSync } from "node:fs";
import { createClient } from "@libsql/client";
import { inject } from "vitest";
import { demoApiKey, demoId, demoShop } from "../../src/base/demo.ts";
import { type Browser, type BrowserContext, connect, type Page } from "../../tools/browser/puppeteer.ts";

export const origin = inject("origin");
export const portal = `${origin}/portal/${demoShop}`;

/** Rows of the Worker's own database. */
export async function select(sql: string, ...params: (string | number)[]): Promise<Row[]> {
  const { rows } = await database.execute({ sql, args: params });
  return rows.map((row) => ({ ...row }) as Row);
}

/** Changes rows as another request of the same time would. */
export async function execute(sql: string, ...params: (string | number)[]): Promise<void> {
  await database.execute({ sql, args: params });
}

/** The actions in a subscription's history, oldest first. */
export async function historyOf(id: string): Promise<string[]> {
  const rows = await select(
    "SELECT action FROM activity_logs WHERE subscription_id = ? ORDER BY sequence",
    id,
  );
  return rows.map(({ action }) => String(action));
}

export async function rowOf(id: string): Promise<Row> {
  const [row] = await select("SELECT * FROM subscriptions WHERE id = ?", id);
  if (!row) throw new Error(`There is no subscription ${id}`);
  return row;
}

/** A request with the demo store's key. */
export async function merchant(method: string, path: string, body?: object): Promise<Response> {
  return fetch(origin + path, {
    method,
    headers: { "X-API-Key": demoApiKey, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

/** A link as the merchant's server gets it for a demo customer. */
export async function newLink(customer = 1, more: object = {}): Promise<string> {
  const body = { profile_id: demoId("profile", customer), locale: "en", ...more };
  const response = await merchant("POST", "/api/portal/sessions", body);
  return ((await response.json()) as { url: string }).url;
}

/** A browser profile of its own, with nothing in it. */
export async function newContext(): Promise<BrowserContext> {
  if (inject("browserFault") !== "") throw new Error(inject("browserFault"));
  browser ??= connect({ browserWSEndpoint: inject("browser") });
  return (await browser).createBrowserContext();
}

export async function newPage(
  context: BrowserContext,
  { javaScript = true, ...screen }: PageOptions = {},
): Promise<Page> {
  const page = await context.newPage();
  await page.setJavaScriptEnabled(javaScript);
  await showAs(page, screen);
  return page;
}

/** Gives the page, open or not, another screen. */
export async function showAs(page: Page, { width = 1280, dark = false }: Screen): Promise<void> {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
}

/** Signs a demo customer in, as they would: by the link and its button. */
export async function signIn(page: Page, customer = 1, more: object = {}): Promise<void> {
  await page.goto(await newLink(customer, more));
  await press(page, "main button");
}

/** Clicks what a selector finds, and waits for the page that follows. */
export async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: "domcontentloaded" }), page.click(selector)]);
}

export async function textOf(page: Page, selector = "main"): Promise<string> {
  return (await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`)) as string;
}

export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

/** Pictures of pages, kept as build output. */
const pictures = "coverage/portal";
mkdirSync(pictures, { recursive: true });

type Row = Record<string, string | number | null>;

const database = createClient({ url: inject("database") });

let browser: Promise<Browser> | undefined;

type Screen = { width?: number; dark?: boolean };
export type PageOptions = Screen & { javaScript?: boolean };
