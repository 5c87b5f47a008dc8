import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { freePort } from "../scripts/free-port.ts";
import { root } from "../scripts/paths.ts";
import { demoApiKey, demoId, demoShop } from "../src/base/demo.ts";
import type { Script } from "./build.ts";
import { serve } from "./serve.ts";

export type PageCost = { name: string; kilobytes: number; trips: number };

/** The weight of each page of the portal with all that it loads, and how many trips to the database it takes. */
export async function portalCosts(script: Script): Promise<PageCost[]> {
  const lines: string[] = [];
  // Pages are answered at the public address only; requests to any other are led there.
  const port = await freePort();
  const { address, stop } = await serve({
    script,
    subscriptions: 1000,
    bindings: { PUBLIC_URL: `http://127.0.0.1:${port}` },
    settings: { port },
    onLine: (line) => lines.push(line),
  });
  const cookie = await signIn(address);
  const get = async (path: string) => (await fetch(address + path, { headers: { Cookie: cookie } })).text();
  const loaded = [
    readFileSync(`${root}public/assets/portal.css`),
    readFileSync(`${root}public/assets/portal.js`),
    await get(`${base}/theme.css`),
  ];
  const costs: PageCost[] = [];
  for (const [name, path] of Object.entries(pages)) {
    lines.length = 0;
    const bytes = [await get(path), ...loaded].reduce((sum, part) => sum + gzipSync(part).length, 0);
    costs.push({ name, kilobytes: bytes / 1024, trips: await tripsIn(lines) });
  }
  await stop();
  return costs;
}

const base = `/portal/${demoShop}`;
const subscription = `${base}/subscriptions/${demoId("subscription", 1)}`;
const pages = { home: base, subscription, "skip form": `${subscription}/skip`, orders: `${base}/orders` };

async function signIn(address: string): Promise<string> {
  const response = await fetch(`${address}/api/portal/sessions`, {
    method: "POST",
    headers: { "X-API-Key": demoApiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ profile_id: demoId("profile", 1) }),
  });
  const { url } = (await response.json()) as { url: string };
  const entered = await fetch(`${address}${base}/enter`, {
    method: "POST",
    headers: { Origin: address },
    body: new URLSearchParams({ token: new URL(url).searchParams.get("token") ?? "" }),
    redirect: "manual",
  });
  return entered.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** The page's own line comes last: the operations that it calls share its database. */
async function tripsIn(lines: string[]): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const page = lines
      .map(parsed)
      .find(({ event, route }) => event === "request" && route?.startsWith("/portal"));
    if (page) return page.db_round_trips ?? Number.NaN;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return Number.NaN;
}

type Line = { event?: string; route?: string; db_round_trips?: number };

function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {};
  }
}
