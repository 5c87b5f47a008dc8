import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { root } from "../scripts/paths.ts";

/** The script as it would be deployed, of this checkout or another. */
export function buildScript(checkout = root): string {
  const folder = mkdtempSync(`${tmpdir()}/bench-`);
  const wrangler = [`--env-file=${root}wrangler.env`, `${root}node_modules/wrangler/bin/wrangler.js`];
  const args = ["deploy", "--dry-run", "--minify", "--env", "production", "--outdir", folder];
  const { status, stderr } = spawnSync(process.execPath, [...wrangler, ...args], {
    cwd: checkout,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const script = readFileSync(`${folder}/worker.js`, "utf8");
  rmSync(folder, { recursive: true });
  return script;
}
