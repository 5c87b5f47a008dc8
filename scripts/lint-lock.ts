/**
 * Refuses a lock file that would let npm install a package without comparing it to a hash.
 *
 *   npm run lint:lock
 *
 * Optional packages of other platforms may lack theirs, where the registry did not have them when the lock file was made: this
 * platform never installs them, and the check fails on the platform that does.
 */
import { readFileSync } from "node:fs";
import { root } from "./paths.ts";

type Locked = {
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};

const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as {
  packages: Record<string, Locked>;
};
const unverified = Object.entries(packages).filter(
  ([path, locked]) =>
    path.includes("node_modules/") && !locked.link && !locked.integrity && isInstalled(locked),
);
for (const [path] of unverified) console.error(`${path}: no integrity in package-lock.json`);
if (unverified.length > 0) process.exit(1);
console.log("Every package that is installed here is compared to a hash");

function isInstalled({ optional, os, cpu, libc }: Locked): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const family = header.glibcVersionRuntime ? "glibc" : "musl";
  const isForHere =
    (os?.includes(process.platform) ?? true) &&
    (cpu?.includes(process.arch) ?? true) &&
    (libc?.includes(family) ?? true);
  return !optional || isForHere;
}
