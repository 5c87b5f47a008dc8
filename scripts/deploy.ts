// `npm run deploy -- --env production`: migrates the environment's D1, then deploys the Worker to it.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { commandLine, refuse } from "./command-line.ts";
import { findHealthFault } from "./deploy/health.ts";
import { publicUrlOf, refusalOf } from "./deploy/refusal.ts";
import { root } from "./paths.ts";
import { startWrangler, wrangler } from "./wrangler.ts";

const { values } = commandLine({
  usage: `Usage: npm run deploy -- --env staging|production

Migrates the environment's database, then deploys the Worker to it and asks it for its health. Refuses while wrangler.toml has no
database or no PUBLIC_URL for it, or its secret STORE_CREDENTIALS_KEY is not set.

  --env  where to`,
  options: { env: { type: "string" } },
});
const { env } = values;
const toml = readFileSync(`${root}wrangler.toml`, "utf8");
const refusal = refusalOf({
  env,
  toml,
  listSecrets: (of) => wrangler(["secret", "list", "--format", "json", "--env", of]),
});
if (refusal !== undefined) refuse(refusal);

await import("./prepare.mjs");
await run(["d1", "migrations", "apply", "DB", "--remote", "--env", `${env}`]);
await run(["deploy", "--minify", "--env", `${env}`]);

const fault = await findHealthFault({ url: publicUrlOf(toml, `${env}`) });
if (fault !== undefined) {
  console.error(
    `Deployed, but ${fault}. A 500 is a setting that is wrong: npx wrangler tail --env ${env} names it with the next request.`,
  );
  process.exit(1);
}

async function run(args: string[]): Promise<void> {
  const [code] = await once(startWrangler(args), "exit");
  if (code !== 0) process.exit(typeof code === "number" ? code : 1);
}
