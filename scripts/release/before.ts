import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { buildHost } from "../host/build.ts";
import { root } from "../paths.ts";
import { releasesIn } from "./released.ts";

/** The previous version this working tree: the last release; undefined while there is none but what the tree itself is. */
export function commitBefore(): string | undefined {
  const release = releasesIn(root).at(-1);
  if (!release) return undefined;
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const commit = git("log", "-1", "--format=%H", "--", `released/${release.version}/migrations.json`);
  return commit === "" || commit === git("rev-parse", "HEAD") ? undefined : commit;
}

/**
 * The file for one machine of the previous version, made once with the packages that it had; of this working tree, in a folder, where there
 * is none before it.
 */
export async function buildBefore(folder: string, commit = commitBefore()): Promise<string> {
  if (commit === undefined) return (await buildHost(folder)).file;
  const kept = `${root}node_modules/.cache/perennial/${commit}`;
  if (!existsSync(kept)) keepBuilt(build(commit, `${folder}/sources`), kept);
  return `${kept}/perennial.mjs`;
}

function build(commit: string, sources: string): string {
  mkdirSync(sources);
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["-x", "-C", sources], { input: archive });
  const packages = ["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  execFileSync("npm", packages, { cwd: sources });
  execFileSync(process.execPath, ["scripts/build-host.ts"], { cwd: sources });
  return `${sources}/dist`;
}

/** Where it is kept it stands whole, whoever builds it at the same time. */
function keepBuilt(built: string, kept: string): void {
  mkdirSync(dirname(kept), { recursive: true });
  const beside = mkdtempSync(`${kept}-`);
  cpSync(built, beside, { recursive: true });
  if (existsSync(kept)) rmSync(beside, { recursive: true });
  else renameSync(beside, kept);
}
