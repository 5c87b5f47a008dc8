import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faultsInLock, type Locked } from "../../scripts/lint-lock/faults.ts";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Locked>;
};
const linux = { os: "linux", cpu: "x64", libc: "glibc" };

function noHash(path: string): string {
  return `${path}: no integrity in package-lock.json`;
}

test("every package of the lock file has a hash, but for the eleven that are known, of other platforms", () => {
  expect(faultsInLock(packages, linux)).toEqual([]);
});

test("another package without one is refused, on whichever platform it would be installed", () => {
  const other = { version: "1.0.0", os: ["darwin"], cpu: ["arm64"] };
  const path = "node_modules/other-darwin-arm64";
  expect(faultsInLock({ ...packages, [path]: other }, linux)).toEqual([noHash(path)]);
});

test("a known one is refused where it would be installed, and in another version", () => {
  const mac = { os: "darwin", cpu: "arm64", libc: "musl" };
  expect(faultsInLock(packages, mac)).toEqual([
    noHash("node_modules/@biomejs/cli-darwin-arm64"),
    noHash("node_modules/@cloudflare/workerd-darwin-arm64"),
  ]);
  const path = "node_modules/@biomejs/cli-darwin-x64";
  const newer = { ...packages, [path]: { ...packages[path], version: "9.9.9" } };
  expect(faultsInLock(newer, linux)).toEqual([
    noHash(path),
    "@biomejs/cli-darwin-x64@2.6.8: is listed as without integrity, and is not",
  ]);
});
