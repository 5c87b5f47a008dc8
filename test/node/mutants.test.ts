import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutants } from "../../simulator/mutants/all.ts";

/** A seeded bug whose text is no longer in the source changes nothing; running all of them would show it only after minutes. */
const edits = mutants.flatMap(({ name, edits }) => edits.map((edit) => [name, edit] as const));

test.each(edits)("the text that %s changes stands in the source once", (_name, { file, find }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
});

test("each has a name of its own", () => {
  const names = mutants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/** The rows of the table in docs/billing.md that says where the simulator states what was agreed. */
const promises = readFileSync("docs/billing.md", "utf8")
  .split("\n## The simulator\n")[1]!
  .split("\n")
  .filter((line) => /^\| .*\.ts/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, promise, rules = "", files = ""]) => ({
    promise,
    rules: rules.replace(/, and .*$/, "").split(", "),
    texts: [...files.matchAll(/`(.+?)`/g)].map(([, file]) => readFileSync(`simulator/${file}`, "utf8")),
  }));

test.each(promises)("the simulator states that: $promise", ({ rules, texts }) => {
  expect(texts.length).toBeGreaterThan(0);
  const text = readdirSync("simulator", { recursive: true })
    .filter((file) => String(file).endsWith(".ts"))
    .map((file) => readFileSync(`simulator/${file}`, "utf8"))
    .join("\n");
  for (const rule of rules) expect(text).toContain(`"${rule}"`);
});

test("each known seed is that of a seeded bug", () => {
  const known = Object.keys(JSON.parse(readFileSync("simulator/mutants/known-seeds.json", "utf8")));
  expect(known.filter((name) => !mutants.some((mutant) => mutant.name === name))).toEqual([]);
});
