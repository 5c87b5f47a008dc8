// `npm run deploy -- --env production`: migrates the environment's D1, then deploys the Worker to it.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { root } from "./paths.ts";
import { startWrangler, wrangler } from "./wrangler.ts";
import "./assets.mjs";

const { values } = parseArgs({ options: { env: { type: "string" } } });
const { env } = values;
const refuse = (reason: string): never => {
  console.error(reason);
  process.exit(2);
};

const run = async (args: string[]): Promise<void> => {
  const [code] = await once(startWrangler(args), "exit");
  if (code !== 0) process.exit(typeof code === "number" ? code : 1);
};

// The top level of wrangler.toml is the local server: its limits and its demo key are not for the network.
if (env !== "staging" && env !== "production") refuse("Which one? --env staging or --env production");

const toml = readFileSync(`${root}wrangler.toml`, "utf8");
const [, databaseId] =
  new RegExp(`\\[\\[env\\.${env}\\.d1_databases\\]\\][^[]*database_id = "([^"]*)"`).exec(toml) ?? [];
if (!databaseId || /^[0-]+$/.test(databaseId))
  refuse(`wrangler.toml holds no database_id for ${env} yet (README, "Deploying")`);

// Secrets are sealed with it: without it no webhook endpoint could be made, and none be sent an event.
const secrets = wrangler(["secret", "list", "--format", "json", "--env", `${env}`]);
if (!secrets.ok || !secrets.stdout.includes('"STORE_CREDENTIALS_KEY"'))
  refuse(`STORE_CREDENTIALS_KEY is not set for ${env} (README, "Deploying")`);

await run(["d1", "migrations", "apply", "DB", "--remote", "--env", `${env}`]);
await run(["deploy", "--minify", "--env", `${env}`]);
