// `npm run deploy -- --env production`: migrates the environment's database, then deploys the Worker to it.
import { readFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

const { values } = commandLine({
  usage: `Usage: npm run deploy -- --env staging|production [--dry-run]

Prints the bookmark of the environment's D1, the pending migrations, and how many rows the tables have that they touch. Migrates the database
(libSQL where the environment has LIBSQL_URL; set LIBSQL_AUTH_TOKEN in this shell), deploys the Worker, and asks it for its health.
Refuses while wrangler.toml has no database or no PUBLIC_URL for the environment, or its secret STORE_CREDENTIALS_KEY is not set.

  --env      staging or production
  --dry-run  prints what would be done, and changes nothing`,
  options: { env: { type: "string" }, "dry-run": { type: "boolean", default: false } },
});

// The rest is loaded once the arguments are known to be right.
const { deploy } = await import("./deploy/deploy.ts");
const { openClient } = await import("./storage/libsql.ts");
const { showWrangler, wrangler } = await import("./wrangler.ts");

await import("./prepare.mjs");
const { code, fault } = await deploy(
  { env: values.env, toml: readFileSync(`${root}wrangler.toml`, "utf8"), isDry: values["dry-run"] },
  {
    ...{ wrangler, show: showWrangler, fetch: globalThis.fetch, say: console.log },
    openLibsql: (url) => openClient(url, process.env.LIBSQL_AUTH_TOKEN),
  },
).catch((error: Error) => ({ code: 1, fault: error.message }));
if (fault !== undefined) console.error(code === 2 ? `${fault}\n--help says how it is called` : fault);
process.exit(code);
