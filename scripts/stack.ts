// `npm run stack`: where in the sources a stack of the log is. The deployed script is minified.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { commandLine, refuse } from "./command-line.ts";
import { root } from "./paths.ts";

const { values } = commandLine({
  usage: `Usage: npm run stack [-- --env ENVIRONMENT] < LINE

Reads a line of the log, or any text with positions in the deployed script (worker.js:3:1201), and prints it with those in the sources. This
checkout must be at the commit that is deployed.

    --env  the environment whose script it is: staging, or production (the default)`,
  options: { env: { type: "string", default: "production" } },
});
if (!["staging", "production"].includes(values.env)) refuse("--env must be staging or production");

const logged = await text(process.stdin);
const map = new SourceMap(JSON.parse(mapOf(values.env)));
console.log(
  logged
    .replaceAll("\\n", "\n")
    .replaceAll(/worker\.js:(\d+):(\d+)/g, inSources)
    .trimEnd(),
);

function inSources(position: string, line: string, column: string): string {
  const found = map.findEntry(Number(line) - 1, Number(column) - 1);
  if (!("originalSource" in found)) return position;
  const file = found.originalSource.replace(/^.*?(?=(src|node_modules|bundle)\/)/, "");
  return `${file}:${found.originalLine + 1}:${found.originalColumn + 1}`;
}

/** The source map of the script that a deployment from here would upload. */
function mapOf(env: string): string {
  const folder = mkdtempSync(`${tmpdir()}/perennial-stack-`);
  try {
    const wrangler = ["--env-file=wrangler.env", "node_modules/wrangler/bin/wrangler.js"];
    const args = [...wrangler, "deploy", "--dry-run", "--env", env, "--outdir", folder];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (status !== 0) refuse(stderr);
    return readFileSync(`${folder}/worker.js.map`, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
