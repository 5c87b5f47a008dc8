import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installTool } from "../../scripts/install.mjs";
import { newSigningKey } from "../../scripts/keys.ts";
import { seed } from "../../scripts/seed/index.ts";
import { serveFakeStripe } from "../../scripts/stripe-fake/serve.ts";
import { createAccount } from "../../src/base/accounts/actions.ts";
import { fileIn } from "../../src/host/data.ts";
import type { Browser } from "../../tools/browser/puppeteer.ts";
import { serveWorker } from "../support/host/server.ts";
import { startLibsqlWorker } from "../support/libsql-worker.ts";
import { startShopPage } from "./shop-page.ts";

declare module "vitest" {
  interface ProvidedContext {
    origin: string;
    /** A shop's own page, at another origin that the Worker allows. */
    shopPage: string;
    browser: string;
    /** Why there is no browser, and how to get one; empty where there is one. */
    browserFault: string;
    /** The key of an account that has no store yet, and its shop. */
    otherKey: string;
    otherShop: string;
    /** The address of its database. */
    database: string;
  }
}

/** One Worker with the demo store, and one browser, for all browser tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shopPage = await startShopPage();
  const stripe = await serveFakeStripe();
  const { origin, db, database, close } = await startWorker({
    STRIPE_API_URL: stripe.address,
    ALLOWED_ORIGINS: shopPage.origin,
    JWT_PRIVATE_JWK: newSigningKey(),
    STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
  });
  await seed(db, new Date());
  const other = await createAccount(
    db,
    { shop: "cards.example", name: "Cards", timezone: "UTC", currency: "EUR" },
    new Date().toISOString(),
  );
  const browser = await startBrowser();
  project.provide("otherKey", other.text);
  project.provide("otherShop", other.account.shop);
  project.provide("origin", origin);
  project.provide("shopPage", shopPage.origin);
  project.provide("browser", typeof browser === "string" ? "" : browser.wsEndpoint());
  project.provide("browserFault", typeof browser === "string" ? browser : "");
  project.provide("database", database);
  return async () => {
    if (typeof browser !== "string") await browser.close();
    await close();
    await stripe.close();
    shopPage.close();
  };
}

/** The Worker within Node, which takes a third of the time; with EVERYWHERE=on, on the runtime and a libSQL server. */
async function startWorker(variables: Record<string, string>) {
  if (process.env.EVERYWHERE === "on") {
    const { server, ...started } = await startLibsqlWorker(variables);
    return { ...started, db: server.db, database: server.url };
  }
  const data = mkdtempSync(join(tmpdir(), "perennial-browser-"));
  return { ...(await serveWorker(data, variables)), database: `file:${fileIn(data)}` };
}

const inContainers = ["--no-sandbox", "--no-zygote"];

/** The document that follows stays in the frame of the one before, which takes a sixth less time. */
const lessWork = ["--disable-features=RenderDocument,BackForwardCache"];

/** A page lives for a moment: code that is optimized as early as usual is thrown away with it, which takes a third of a tab's time. */
const optimizesLate = ["--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000"];

const howToGetOne =
  "The browser tests need Chromium. One for Linux is installed from tools/browser, with the libraries that a system may lack. CHROME_PATH names another browser, as outside Linux.";

/** The browser; or why there is none, which each test then says: an error here would end the run of all other tests. */
async function startBrowser(): Promise<Browser | string> {
  try {
    await installTool("browser");
    const { packagedChromium } = await import("../../tools/browser/chromium.ts");
    const { launch } = await import("../../tools/browser/puppeteer.ts");
    const executablePath = process.env.CHROME_PATH || (await packagedChromium());
    return await launch({
      executablePath,
      headless: "shell",
      args: [...inContainers, ...lessWork, ...optimizesLate],
    });
  } catch (error) {
    return `${howToGetOne}\n${error}`;
  }
}
