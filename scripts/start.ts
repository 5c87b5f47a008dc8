// `npm start`: a local deployment with the demo store, from nothing. PORT names another port than 8787.
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { demoApiKey, demoShop } from "../src/base/demo.ts";
import { commandLine, refuse, wholeNumber } from "./command-line.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { demoLines } from "./start/demo-lines.ts";
import { lineOf } from "./start/output.ts";
import { startWrangler } from "./wrangler.ts";

const { values } = commandLine({
  usage: `Usage: npm start [-- --port 8787] [--store stripe-fake]

Serves the API with the demo store on 127.0.0.1: migrates and seeds the local database, then reloads when src changes.
Requests are readable lines on a terminal, and JSON lines elsewhere.

  --port   where to listen; the environment's PORT, or 8787, by default
  --store  stripe-fake: adds a second account, whose store is a fake Stripe on this machine (docs/build/try-stripe.md)`,
  options: {
    port: { type: "string", default: process.env.PORT || "8787" },
    store: { type: "string" },
  },
});
if (values.store !== undefined && values.store !== "stripe-fake") refuse("--store must be stripe-fake");
const port = wholeNumber("port", values.port, { min: 1, max: 65_535 });
const address = `http://127.0.0.1:${port}`;

// The rest is loaded once the arguments are known to be right.
const { seed } = await import("./seed/index.ts");
const { openLocal } = await import("./storage/local.ts");

await import("./prepare.mjs");
await requireFreePort();
ensureDevVars();
console.error("Preparing the database …");
const db = openLocal();
await seed(db, new Date());
const stripeStore = values.store && (await import("./start/stripe-store.ts"));
const stripe = stripeStore && (await stripeStore.openStripeStore(db, new Date()));

console.error("Starting …");
const server = startWrangler(
  [
    ...["dev", "--port", String(port), "--var", `PUBLIC_URL:${address}`],
    ...(stripe ? ["--var", `STRIPE_API_URL:${stripe.address}`] : []),
    "--show-interactive-dev-session=false",
  ],
  "pipe",
);
show(server.stdout, process.stdout);
show(server.stderr, process.stderr);
let stopping = false;
server.on("exit", (code) => process.exit(stopping ? 0 : (code ?? 1)));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);

// Who ends npm ends the shell between npm and this, and the signal goes no further.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(), 500);

while (!(await get("/health"))) await wait(200);

console.log(`${demoLines(address)}
  curl '${address}/api/public/portal/skip-reasons?shop=${demoShop}'
  curl -H 'X-API-Key: ${demoApiKey}' ${address}/api/subscriptions/skip-reasons
`);

if (stripeStore && stripe) {
  const { stripeShop, stripeKey, openStripeShop } = stripeStore;
  const subscribed = await openStripeShop(address, stripe);
  console.log(`  Stripe       ${stripe.address}   (the fake account of the tests: nobody is charged)
  Stripe shop  ${stripeShop}
  Stripe key   ${stripeKey}
${subscribed.map(({ name, does, id }) => `\n  ${name}: ${does}\n    curl -X POST -H 'X-API-Key: ${stripeKey}' ${address}/api/subscriptions/${id}/ship-now`).join("")}
`);
}

// Deployed, the platform calls the cron trigger every minute; locally nobody else does.
setInterval(() => get("/cdn-cgi/local/scheduled?cron=*+*+*+*+*"), 60_000);

async function requireFreePort(): Promise<void> {
  const probe = createServer().listen(port, "127.0.0.1");
  await once(probe, "listening").catch(({ code }) => {
    console.error(`Port ${port} cannot be used (${code}). PORT=18787 npm start takes another.`);
    process.exit(1);
  });
  probe.close();
  await once(probe, "close");
}

function get(path: string): Promise<boolean> {
  return fetch(address + path).then(
    ({ ok }) => ok,
    () => false,
  );
}

function show(from: Readable | null, to: NodeJS.WriteStream): void {
  if (!from) return;
  const shown = lineOf({ isTerminal: to.isTTY === true });
  createInterface({ input: from }).on("line", (line) => {
    const text = shown(line);
    if (text !== undefined) to.write(`${text}\n`);
  });
}

function stop(): void {
  stopping = true;
  server.kill("SIGINT");
}
