import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { root } from "../scripts/paths.ts";
import { wrangler } from "../scripts/wrangler.ts";

/** A script's modules by the names of their files; worker.js is loaded first. */
export type Script = Record<string, string>;

/** The script as it would be deployed, of this checkout or another; `entry` is another script than the Worker's own. */
export function buildScript(checkout = root, entry?: string): Script {
  const folder = mkdtempSync(`${tmpdir()}/bench-`);
  try {
    const what = entry
      ? [root + entry, "--config", `${root}bench/wrangler.toml`, "--minify"]
      : ["--env", "production"];
    const { ok, stderr } = wrangler(["deploy", ...what, "--dry-run", "--outdir", folder], checkout);
    if (!ok) throw new Error(stderr);
    const nameOf = (file: string) => (entry ? "worker.js" : file);
    const files = globSync("*.js", { cwd: folder });
    return Object.fromEntries(files.map((file) => [nameOf(file), readFileSync(`${folder}/${file}`, "utf8")]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The modules as the local runtime takes them. */
export function modulesOf(script: Script) {
  return Object.entries(script).map(([name, contents]) => ({
    ...{ type: "ESModule" as const, path: `/${name}`, contents },
  }));
}
