// `npm run pictures`: the pictures of the README and the guides, from the demo store in a real browser.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { demoApiKey, demoId, demoShop } from "../src/base/demo.ts";
import { commandLine } from "./command-line.ts";
import { freePort } from "./free-port.ts";
import { root } from "./paths.ts";
import { requireTool } from "./require-tool.ts";

commandLine({
  usage: `Usage: npm run pictures

Serves the demo store on this machine, opens its portal on a phone's screen and its console on a desk's, each in light and in dark, and writes what
they look like to docs/pictures. CHROME_PATH names another browser in place of the one of tools/browser, which only runs on Linux.`,
  options: {},
});

/** A README is read over slow lines, too. */
const mostBytes = 150 * 1024;

/** Customers of the demo store who are charged on the day of the pictures. */
const declined = [
  { nth: 11, method: "pm_insufficient_funds" },
  { nth: 26, method: "pm_expired_card" },
];
const paid = [18, 31];

const desk = { door: "/demo/console", screen: { width: 1180, height: 844, deviceScaleFactor: 1 } };
const consolePath = `/console/${demoShop}`;

/** The pages behind the doors of the first page: the first one there for the README, and those of a path for guides, which show the light one. */
const views: View[] = [
  { name: "portal", door: "/demo/sign-in", screen: { width: 390, height: 844, deviceScaleFactor: 1.5 } },
  { name: "console", ...desk },
  {
    name: "console-subscription",
    ...desk,
    path: `${consolePath}/subscriptions/${demoId("subscription", 11)}`,
  },
  { name: "console-orders", ...desk, path: `${consolePath}/orders` },
];

type View = { name: string; path?: string } & typeof desk;

await requireTool("browser");
const { buildHost } = await import("./host/build.ts");
const { packagedChromium } = await import("../tools/browser/chromium.ts");
const { launch } = await import("../tools/browser/puppeteer.ts");

const folder = mkdtempSync(`${tmpdir()}/perennial-pictures-`);
const { file } = await buildHost(`${folder}/dist`);
const port = await freePort();
const server = spawn(
  process.execPath,
  [file, "serve", "--demo", "--data", `${folder}/data`, "--port", String(port)],
  {
    stdio: "ignore",
  },
);
const ended = once(server, "exit");
const address = `http://127.0.0.1:${port}`;
await answers();
const browser = await launch({
  executablePath: process.env.CHROME_PATH || (await packagedChromium()),
  headless: "shell",
  args: ["--no-sandbox", "--no-zygote"],
});
try {
  await liveADay();
  mkdirSync(`${root}docs/pictures`, { recursive: true });
  for (const view of views) await take(view);
} finally {
  await browser.close();
  server.kill();
  await ended;
  rmSync(folder, { recursive: true });
}

/** Charges some customers, of whom two are declined, so that Today has something to say. */
async function liveADay(): Promise<void> {
  for (const { nth, method } of declined) {
    await call("PUT", `/api/subscriptions/${demoId("subscription", nth)}/payment-method`, {
      store_payment_method_id: method,
    });
    await call("POST", `/api/subscriptions/${demoId("subscription", nth)}/ship-now`);
  }
  for (const nth of paid) await call("POST", `/api/subscriptions/${demoId("subscription", nth)}/ship-now`);
  await eventually(async () => {
    const answer = await call("GET", "/api/billing-attempts?status=QUEUED,PROCESSING");
    return ((await answer.json()) as { data: unknown[] }).data.length === 0;
  });
}

async function call(method: string, path: string, body?: object): Promise<Response> {
  const answer = await fetch(address + path, {
    method,
    headers: { "X-API-Key": demoApiKey, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function take({ name, door, screen, path }: View): Promise<void> {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport(screen);
  await page.goto(address);
  await Promise.all([
    page.waitForNavigation({ waitUntil: "load" }),
    page.click(`form[action="${door}"] button`),
  ]);
  if (path) await page.goto(address + path);
  for (const scheme of path ? ["light"] : ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const picture = await page.screenshot();
    if (picture.length > mostBytes) throw new Error(`${name}-${scheme}.png has ${picture.length} bytes`);
    writeFileSync(`${root}docs/pictures/${name}-${scheme}.png`, picture);
    console.log(`docs/pictures/${name}-${scheme}.png: ${Math.ceil(picture.length / 1024)} KB`);
  }
}

/** Waits until the server answers. */
async function answers(): Promise<void> {
  await eventually(() =>
    fetch(`${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === 300) throw new Error("The demo store does not answer");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
