/**
 * Refuses lock files that would let npm install a package without comparing it to a hash, or from an address of their own.
 *
 *   npm run lint:lock
 */
import { globSync, readFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { faultsInLock, knownWithout, type Locked } from "./lint-lock/faults.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run lint:lock

Refuses a package-lock.json, the project's or one of tools/, in which a package has no integrity or has a download address. Eleven packages
of other platforms, which the registry did not have when the project's lock file was made, are known not to have an integrity; where one
of them would be installed, it is refused too.`,
  options: {},
});

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
const here = {
  os: process.platform,
  cpu: process.arch,
  libc: header.glibcVersionRuntime ? "glibc" : "musl",
};
const files = ["package-lock.json", ...globSync("tools/*/package-lock.json", { cwd: root }).sort()];
const faults = files.flatMap((file) => {
  const { packages } = JSON.parse(readFileSync(`${root}${file}`, "utf8")) as {
    packages: Record<string, Locked>;
  };
  return faultsInLock({ file, packages }, here, file === "package-lock.json" ? knownWithout : []);
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`Every package of ${files.length} lock files that is installed here is compared to a hash`);
