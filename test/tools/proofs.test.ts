/** Each rule and each test that docs/proofs.md names exists. */
// Proves that docs/proofs.md names rules of the simulator and tests that there are, and stays short.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/proofs.md", "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("- "));
const simulator = globSync("simulator/**/*.ts").map((file) => readFileSync(file, "utf8"));

test("docs/proofs.md has at most 6 KB", () => {
  expect(page.length).toBeLessThanOrEqual(6 * 1024);
});

test("each rule that docs/proofs.md names is one of the simulator", () => {
  const rules = rows
    .flatMap((row) => row.match(/(?<=\*\*S\*\* )[^;|]+/g) ?? [])
    .flatMap((all) => all.trim().split(", "));
  expect(rules.length).toBeGreaterThan(20);
  const unknown = rules.filter((rule) => !simulator.some((text) => text.includes(`"${rule}"`)));
  expect(unknown).toEqual([]);
});

test("each test that docs/proofs.md names exists", () => {
  const paths = [...page.matchAll(/`((?:test|src)\/[\w/-]+)`/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(20);
  const missing = paths.filter((path) => globSync([path, `${path}{.test,.setup}.ts`]).length === 0);
  expect(missing).toEqual([]);
});

test("each file that simulator/README.md names exists", () => {
  const files = [
    ...readFileSync("simulator/README.md", "utf8").matchAll(/`([a-z-]+(?:\.ts|\/[a-z./-]*))`/g),
  ].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(20);
  expect(
    files.filter(
      (file) => globSync([`simulator/${file}`, file].map((path) => path.replace(/\/$/, ""))).length === 0,
    ),
  ).toEqual([]);
});
