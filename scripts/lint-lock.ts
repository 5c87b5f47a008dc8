/**
 * Refuses a lock file that would let npm install a package without comparing it to a hash.
 *
 *   npm run lint:lock
 */
import { readFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { faultsInLock, type Locked } from "./lint-lock/faults.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run lint:lock

Refuses a package-lock.json in which a package has no integrity. Eleven packages of other platforms, which the registry did not
have when the lock file was made, are known not to have one; where one of them would be installed, it is refused too.`,
  options: {},
});

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as {
  packages: Record<string, Locked>;
};
const faults = faultsInLock(packages, {
  os: process.platform,
  cpu: process.arch,
  libc: header.glibcVersionRuntime ? "glibc" : "musl",
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log("Every package that is installed here is compared to a hash");
