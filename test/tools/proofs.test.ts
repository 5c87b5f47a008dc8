/** Each promise to users names rules of the simulator and tests that exist. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { promises } from "../../scripts/docs/promises.ts";

const stated = Object.values(promises).flat();
const simulator = globSync("simulator/**/*.ts").map((file) => readFileSync(file, "utf8"));

test("each promise is stated by a rule or a test", () => {
  expect(stated.length).toBeGreaterThan(20);
  for (const { promise, rules, tests } of stated)
    expect(rules.length + tests.length, promise).toBeGreaterThan(0);
});

test("each rule that a promise names is one of the simulator", () => {
  const rules = stated.flatMap((one) => one.rules);
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.filter((rule) => !simulator.some((text) => text.includes(`"${rule}"`)))).toEqual([]);
});

test("each test that a promise names exists", () => {
  const paths = stated.flatMap((one) => one.tests);
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
