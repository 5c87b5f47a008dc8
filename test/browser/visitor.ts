import { mkdirSync } from "node:fs";
import { createClient } from "@libsql/client";
import { inject } from "vitest";
import { demoApiKey, demoId, demoPlanIds, demoShop } from "../../src/base/demo.ts";
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

/** A line of goods of the demo store. */
export const goods = {
  store_product_id: "product-1",
  store_variant_id: "variant-1",
  product_title: "Beef and carrot",
  selling_plan_id: demoPlanIds.weekly,
  price: 20,
  quantity: 1,
};

/** A new subscription of a demo customer, once the store has its contract: from then on nobody but the test changes it. */
export async function subscribe(
  customer: number,
  { method = "pm_success", days = 14, lines = [goods] }: Ordered = {},
): Promise<string> {
  const answer = await merchant("POST", "/api/subscriptions", {
    profile_id: demoId("profile", customer),
    store_payment_method_id: method,
    next_delivery_date: inDays(days),
    lines,
  });
  if (!answer.ok)
    throw new Error(`POST /api/subscriptions answered ${answer.status}: ${await answer.text()}`);
  const [id] = ((await answer.json()) as { ids: [string] }).ids;
  await until("The contract was not made", async () => (await rowOf(id)).store_contract_id !== null);
  return id;
}

type Ordered = { method?: string; days?: number; lines?: object[] };

export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Waits for what the Worker does behind a request. Throws the fault where it does not. */
export async function until(fault: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isDone()); tries++) {
    if (tries === mostTries) throw new Error(fault);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** A loaded machine takes many times as long as an idle one. */
const mostTries = 1200;

/** A link as the merchant's server gets it for a demo customer. */
export async function newLink(customer = 1, more: object = {}): Promise<string> {
  const body = { profile_id: demoId("profile", customer), locale: "en", ...more };
  const response = await merchant("POST", "/api/portal/sessions", body);
  return ((await response.json()) as { url: string }).url;
}

/** A page of a browser profile that has no cookies. */
export async function newPage({ javaScript = true, ...screen }: PageOptions = {}): Promise<Page> {
  const page = vacant.pop() ?? (await (await newContext()).newPage());
  await page.setJavaScriptEnabled(javaScript);
  await showAs(page, screen);
  return page;
}

/** Gives a page up to the next test, empty and without its cookies: another profile would need processes of its own. */
export async function leave(page: Page): Promise<void> {
  await page.goto("about:blank");
  const client = await page.createCDPSession();
  await client.send("Network.clearBrowserCookies");
  await client.detach();
  vacant.push(page);
}

async function newContext(): Promise<BrowserContext> {
  if (inject("browserFault") !== "") throw new Error(inject("browserFault"));
  browser ??= connect({ browserWSEndpoint: inject("browser") });
  return (await browser).createBrowserContext();
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

/** A page in which a demo customer has signed in. */
export async function openPortal(
  customer = 1,
  { locale = "en", ...options }: PageOptions & { locale?: string | undefined } = {},
): Promise<Page> {
  const page = await newPage(options);
  await signIn(page, customer, { locale });
  return page;
}

/** Clicks what a selector finds, and waits for the page that follows with its styles, so that the next click finds its place. */
export async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.click(selector)]);
}

export async function textOf(page: Page, selector = "main"): Promise<string> {
  return (await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`)) as string;
}

/** Keeps a picture of a page, for people to look at, where `PICTURES=on` asks for them. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== "on") return;
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true, optimizeForSpeed: true });
}

const pictures = "coverage/portal";
mkdirSync(pictures, { recursive: true });

type Row = Record<string, string | number | null>;

const database = createClient({ url: inject("database"), timeout: 20_000 });

let browser: Promise<Browser> | undefined;
const vacant: Page[] = [];

type Screen = { width?: number; dark?: boolean };
export type PageOptions = Screen & { javaScript?: boolean };
