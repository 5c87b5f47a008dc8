/** Each seeded bug of the simulator changes a text that stands in the source once. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededBugs } from "../../simulator/bugs.ts";
import { mutants } from "../../simulator/mutants/all.ts";

/** A seeded bug whose text is no longer in the source changes nothing; running all of them would show it only after minutes. */
const edits = mutants.flatMap(({ name, edits }) => edits.map((edit) => [name, edit] as const));

test("the text that a seeded bug changes stands in the source once", () => {
  for (const [name, { file, find }] of edits) {
    const times = existsSync(file) ? readFileSync(file, "utf8").split(find).length - 1 : "no file";
    expect.soft(times, `${name}: ${file}: ${find}`).toBe(1);
  }
});

test("a seeded bug calls no name that its file does not know: it would fail at once instead of doing harm", () => {
  for (const { name, edits } of mutants)
    for (const file of new Set(edits.map((edit) => edit.file).filter((file) => file.endsWith(".ts")))) {
      const replaced = edits.filter((edit) => edit.file === file).map(({ replace }) => replace);
      const text = [readFileSync(file, "utf8"), ...replaced.filter((text) => /^import /m.test(text))].join(
        "\n",
      );
      const called = replaced.flatMap((text) => [...text.matchAll(/(?<![.\w$])([a-z$][\w$]*)\(/g)]);
      const unknown = called.map(([, callee]) => callee!).filter((callee) => !isWord(callee).test(text));
      expect.soft(unknown, `${name}: ${file}`).toEqual([]);
    }
});

function isWord(word: string): RegExp {
  return new RegExp(`(?<![\\w$])${word.replaceAll("$", "\\$")}(?![\\w$])`);
}

const names = [...seededBugs, ...mutants].map(({ name }) => name);

test("each has a name of its own", () => {
  expect(new Set(names).size).toBe(names.length);
});

test("each known seed is that of a seeded bug", () => {
  const known = Object.keys(JSON.parse(readFileSync("simulator/known-seeds.json", "utf8")));
  expect(known.filter((name) => !names.includes(name))).toEqual([]);
});
