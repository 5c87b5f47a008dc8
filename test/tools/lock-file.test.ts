/** A package without a hash or with a download address is refused, but for those that are known. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faultsInLock, knownWithout, type Locked } from "../../scripts/lint-lock/faults.ts";

type Lock = { file: string; packages: Record<string, Locked> };

function read(file: string): Lock {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as Lock;
  return { file, packages };
}

const lock = read("package-lock.json");
const { packages } = lock;
const linux = { os: "linux", cpu: "x64", libc: "glibc" };

function noHash(path: string): string {
  return `${path}: no integrity in package-lock.json`;
}

test("every package of the lock file has a hash, but for the eleven that are known, of other platforms", () => {
  expect(faultsInLock(lock, linux, knownWithout)).toEqual([]);
});

test.each(globSync("tools/*/package-lock.json").sort())("every package of %s has a hash", (file) => {
  const its = read(file);
  expect(Object.keys(its.packages).length).toBeGreaterThan(1);
  expect(faultsInLock(its, linux)).toEqual([]);
});

test("a package with a download address is refused", () => {
  const [path = ""] = Object.keys(packages).filter((name) => name.endsWith("node_modules/hono"));
  const addressed = { ...packages, [path]: { ...packages[path], resolved: "https://example.test/hono.tgz" } };
  expect(faultsInLock({ ...lock, packages: addressed }, linux, knownWithout)).toEqual([
    `${path}: package-lock.json names its download address`,
  ]);
});

test("another package without one is refused, on whichever platform it would be installed", () => {
  const other = { version: "1.0.0", os: ["darwin"], cpu: ["arm64"] };
  const path = "node_modules/other-darwin-arm64";
  const more = { ...lock, packages: { ...packages, [path]: other } };
  expect(faultsInLock(more, linux, knownWithout)).toEqual([noHash(path)]);
});

test("a known one is refused where it would be installed, and in another version", () => {
  const mac = { os: "darwin", cpu: "arm64", libc: "musl" };
  expect(faultsInLock(lock, mac, knownWithout)).toEqual([
    noHash("node_modules/@biomejs/cli-darwin-arm64"),
    noHash("node_modules/@cloudflare/workerd-darwin-arm64"),
  ]);
  const path = "node_modules/@biomejs/cli-darwin-x64";
  const newer = { ...lock, packages: { ...packages, [path]: { ...packages[path], version: "9.9.9" } } };
  expect(faultsInLock(newer, linux, knownWithout)).toEqual([
    noHash(path),
    "@biomejs/cli-darwin-x64@2.6.8: is listed as without integrity, and is not",
  ]);
});

test("what the server needs are the packages without a flag for development", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const isDev = (name: string) => (packages[`node_modules/${name}`] as Locked & { dev?: true }).dev === true;
  expect(Object.keys(dependencies ?? {}).filter(isDev)).toEqual([]);
  expect(["vitest", "typescript", "@biomejs/biome"].filter((name) => !isDev(name))).toEqual([]);
  expect(Object.keys(devDependencies ?? {})).not.toContain("wrangler");
});
