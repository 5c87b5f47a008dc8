import { readFileSync } from "node:fs";
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
