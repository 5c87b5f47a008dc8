// `npm run restore-drill -- FILE…`: imports exported accounts into a deployment of their own, and compares (docs/run/backup.md).
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { commandLine, refuse } from "./command-line.ts";

const { positionals } = commandLine({
  usage: `Usage: npm run restore-drill -- FILE… | DIR…

Shows that exported accounts can be brought back: starts the file for one machine on empty data, imports each file that account -- export has
written, exports the account again, and compares every row. Nothing is sent to any store. STORE_CREDENTIALS_KEY must be that of the deployment
which has exported. Ends with 1 if a file cannot be imported, or a row differs.`,
  options: {},
  positionals: true,
});
if (positionals.length === 0) refuse("A file, or a folder of files, is needed");
if (!process.env.STORE_CREDENTIALS_KEY) refuse("STORE_CREDENTIALS_KEY must be set in the environment");

// The rest is loaded once the arguments are known to be right.
const { pagesIn, inspect } = await import("./account/account-file.ts");
const { freePort } = await import("./free-port.ts");
const { buildHost } = await import("./host/build.ts");
const { newSigningKey } = await import("./keys.ts");

const files = positionals.flatMap((path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => `${path}/${name}`)
    : [path],
);
const data = mkdtempSync(`${tmpdir()}/perennial-drill-`);
const { file: program } = await buildHost(`${data}/program`);
const port = await freePort();
const env = {
  ...{ ...process.env, NODE_NO_WARNINGS: "1", JWT_PRIVATE_JWK: newSigningKey() },
  ...{ OPERATOR_URL: undefined, OPERATOR_KEY: randomBytes(32).toString("base64") },
} as NodeJS.ProcessEnv;
const host = spawn(process.execPath, [program, "serve", "--data", data, "--port", String(port)], {
  env,
  stdio: "ignore",
});
while (!(await answers())) {
  if (host.exitCode !== null) refuse("The file for one machine has not started");
  await wait(50);
}
for (const file of files) {
  const found = await drill(file).catch((error) => ({ error: String(error.stderr || error.message).trim() }));
  if ("error" in found || found.differing > 0) process.exitCode = 1;
  console.log(JSON.stringify({ file, ...found }));
}
const ended = once(host, "exit");
host.kill("SIGTERM");
await ended;
rmSync(data, { recursive: true });

/** Imports a file and exports its account: how many rows there are, how many of them are others, and how long the import took. */
async function drill(file: string) {
  const { account_id, rows } = await inspect(file);
  const began = performance.now();
  await account("import", "--file", file, "--engine", "d1");
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const again = `${data}/${account_id}.jsonl`;
  await account("export", "--account", account_id, "--to", again);
  const [before, after] = [await linesOf(file), await linesOf(again)];
  return { account_id, rows, differing: before.symmetricDifference(after).size, seconds };
}

/** Every row but the account's own, which says on which engine it is. */
async function linesOf(file: string): Promise<Set<string>> {
  const lines = new Set<string>();
  for await (const { page } of pagesIn(file))
    for (const row of page.rows) lines.add(JSON.stringify([page.table, page.columns, row]));
  return lines;
}

function account(...args: string[]) {
  return promisify(execFile)(process.execPath, [program, "account", ...args, "--data", data], { env });
}

function answers(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`).then(
    ({ ok }) => ok,
    () => false,
  );
}
