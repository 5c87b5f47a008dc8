import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
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

/** Makes the file for one machine of the previous version in a folder, with the packages that it had; of this working tree where there is none before it. */
export async function buildBefore(folder: string, commit = commitBefore()): Promise<string> {
  if (commit === undefined) return (await buildHost(folder)).file;
  const sources = `${folder}/sources`;
  mkdirSync(sources);
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["-x", "-C", sources], { input: archive });
  installPackages(sources);
  execFileSync(process.execPath, ["scripts/build-host.ts"], { cwd: sources });
  return `${sources}/dist/perennial.mjs`;
}

function installPackages(sources: string): void {
  const lockIn = (folder: string): string => readFileSync(`${folder}/package-lock.json`, "utf8");
  if (lockIn(sources) === lockIn(root)) symlinkSync(`${root}node_modules`, `${sources}/node_modules`);
  else execFileSync("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: sources });
}
