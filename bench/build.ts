import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { root } from "../scripts/paths.ts";

/** The bytes that each source file adds to a script. */
export type Modules = Record<string, number>;
export type Built = { script: string; modules: Modules };

/** The script as it would be deployed, of this checkout or another; `entry` is another script than the Worker's own. */
export function buildScript(checkout = root, entry?: string): string {
  return build(checkout, entry).script;
}

export function build(checkout = root, entry?: string): Built {
  const folder = mkdtempSync(`${tmpdir()}/bench-`);
  try {
    return buildInto(folder, checkout, entry);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function buildInto(folder: string, checkout: string, entry: string | undefined): Built {
  const wrangler = [`--env-file=${root}wrangler.env`, `${root}node_modules/wrangler/bin/wrangler.js`];
  const to = ["--outdir", folder, "--metafile", `${folder}/meta.json`];
  const what = entry ? [root + entry, "--config", `${root}bench/wrangler.toml`] : ["--env", "production"];
  const args = ["deploy", ...what, "--dry-run", "--minify", ...to];
  const { status, stderr } = spawnSync(process.execPath, [...wrangler, ...args], {
    cwd: checkout,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const name = readdirSync(folder).find((file) => file.endsWith(".js")) as string;
  const script = readFileSync(`${folder}/${name}`, "utf8");
  const modules = modulesOf(JSON.parse(readFileSync(`${folder}/meta.json`, "utf8")));
  return { script, modules };
}

type Metafile = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> };

function modulesOf({ outputs }: Metafile): Modules {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return Object.fromEntries(inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput]));
}
