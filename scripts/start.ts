// `npm start`: a local deployment with the demo store, from nothing. PORT names another port than 8787.
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { demoApiKey, demoShop } from "../src/demo.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { seed } from "./seed/index.ts";
import { openLocal } from "./storage/local.ts";
import { startWrangler } from "./wrangler.ts";
import "./assets.mjs";

const port = process.env.PORT || "8787";
const address = `http://127.0.0.1:${port}`;

const assertPortIsFree = async (): Promise<void> => {
  const probe = createServer().listen(Number(port), "127.0.0.1");
  await once(probe, "listening").catch(({ code }) => {
    console.error(`Port ${port} cannot be used (${code}). PORT=18787 npm start takes another.`);
    process.exit(1);
  });
  probe.close();
  await once(probe, "close");
};

const get = (path: string): Promise<boolean> =>
  fetch(address + path).then(
    ({ ok }) => ok,
    () => false,
  );

await assertPortIsFree();
await ensureDevVars();
await seed(openLocal(), new Date());

const server = startWrangler(["dev", "--port", port, "--show-interactive-dev-session=false"]);
let stopping = false;
const stop = (): void => {
  stopping = true;
  server.kill("SIGINT");
};
server.on("exit", (code) => process.exit(stopping ? 0 : (code ?? 1)));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);

// Who ends npm ends the shell between npm and this, and the signal goes no further.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(), 500);

while (!(await get("/health"))) await wait(200);

console.log(`
  Perennial    ${address}
  Try it       ${address}/api
  Portal       ${address}/portal/${demoShop}   (npm run portal-link signs a demo customer in)
  Demo store   ${demoShop}
  Demo key     ${demoApiKey}

  curl '${address}/api/public/portal/skip-reasons?shop=${demoShop}'
  curl -H 'X-API-Key: ${demoApiKey}' ${address}/api/subscriptions/skip-reasons
`);

// Deployed, the platform calls the cron trigger every minute; locally nobody else does.
setInterval(() => get("/cdn-cgi/local/scheduled?cron=*+*+*+*+*"), 60_000);
