/** The mutation test runs the files that it lists, and judges their survivors by its list. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { faultsIn } from "../../scripts/mutation/check.ts";
import { changeOf, inOneLine, scoreOf } from "../../scripts/mutation/outcome.ts";
import { ruleFiles } from "../../scripts/mutation/rules.ts";
import { survivors } from "../../scripts/mutation/survivors.ts";

describe("the files whose mutants run", () => {
  test("exist, and so do their tests", () => {
    const paths = ruleFiles.flatMap(({ file, tests }) => [file, ...tests]);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test("are all of src/base/lib, but for constants and a pause", () => {
    const lib = globSync("src/base/lib/**/*.ts").filter((path) => !path.endsWith(".test.ts"));
    const missing = lib.filter((path) => !ruleFiles.some(({ file }) => file === path));
    const others = ["log-lines", "places/province-names", "time/durations", "yield-turn"].map(
      (name) => `src/base/lib/${name}.ts`,
    );
    expect(missing.sort()).toEqual(others);
  });
});

test("each listed survivor stands in its file", () => {
  const listed = Object.entries(survivors).flatMap(([file, some]) =>
    some.flatMap(({ mutants }) => mutants.map(([line, becomes]) => ({ file, line, becomes }))),
  );

  for (const { file, line, becomes } of listed) {
    expect.soft(ruleFiles.map((rule) => rule.file)).toContain(file);
    expect.soft(inOneLine(readFileSync(file, "utf8")), file).toContain(line);
    expect.soft(becomes, file).not.toBe(line);
  }
});

describe("an outcome", () => {
  const change = { line: "a < b", becomes: "a <= b" };
  const listed = [{ why: "They are never equal.", mutants: [["a < b", "a <= b"]] as [string, string][] }];
  const outcome = { killed: 98, timedOut: 1, survivors: [change] };

  test("stands where its survivors are those that are listed", () => {
    expect(faultsIn(outcome, listed)).toEqual([]);
    expect(faultsIn({ ...outcome, survivors: [] })).toEqual([]);
  });

  test("has a fault for each survivor that is not listed", () => {
    expect(faultsIn(outcome)).toEqual(["survives and is not listed:\n    - a < b\n    + a <= b"]);
  });

  test("has a fault for each listed one that was killed, or is gone", () => {
    expect(faultsIn({ ...outcome, survivors: [] }, listed)).toEqual([
      "is listed and does not survive:\n    - a < b\n    + a <= b",
    ]);
  });

  test("has a fault where the score is below 95 %, listed or not", () => {
    const low = { killed: 18, timedOut: 0, survivors: [change] };
    expect(scoreOf({ ...low, killed: 19 })).toBe(95);
    expect(faultsIn({ ...low, killed: 19 }, listed)).toEqual([]);
    expect(faultsIn(low, listed)).toEqual(["scores 94.74 %, which is less than 95 %"]);
  });

  test("of a file without mutants is 100 %", () => {
    expect(scoreOf({ killed: 0, timedOut: 0, survivors: [] })).toBe(100);
  });
});

test("a mutant is shown as the lines that it changes", () => {
  const source = "one();\n  if (a) {\n    b();\n  }\nlast();";
  const at = (line: number, column: number) => ({ line, column });
  expect(changeOf(source, { location: { start: at(2, 7), end: at(2, 8) }, replacement: "true" })).toEqual({
    line: "if (a) {",
    becomes: "if (true) {",
  });
  expect(changeOf(source, { location: { start: at(2, 10), end: at(4, 4) }, replacement: "{}" })).toEqual({
    line: "if (a) { b(); }",
    becomes: "if (a) {}",
  });
});
