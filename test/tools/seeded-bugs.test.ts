/** Each seeded bug names what it changes, and each rule of the simulator has one that breaks it. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededBugs } from "../../simulator/bugs.ts";

const names = seededBugs.map(({ name }) => name);

test("there are so few seeded bugs that each can be run, and each has a name of its own", () => {
  expect(names.length).toBeLessThanOrEqual(210);
  expect(new Set(names).size).toBe(names.length);
});

test("each known seed is that of a seeded bug", () => {
  const known = Object.keys(JSON.parse(readFileSync("simulator/known-seeds.json", "utf8")));
  expect(known.filter((name) => !names.includes(name))).toEqual([]);
});

test("a seeded bug replaces exports of src, or drops what it names of the schema", () => {
  const schema = globSync("migrations/*.sql")
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  for (const { name, replaces = [], drops = [] } of seededBugs) {
    expect.soft(replaces.length + drops.length, name).toBeGreaterThan(0);
    for (const dropped of drops)
      expect.soft(schema, name).toMatch(new RegExp(`CREATE (UNIQUE INDEX|TRIGGER) ${dropped}\\b`));
  }
});

test("each rule of the simulator has a seeded bug that breaks it, and each seeded bug a rule", () => {
  const rules = new Set(globSync("simulator/**/*.ts").flatMap(rulesIn));
  const broken = new Set(seededBugs.map(({ rule }) => rule));
  expect(rules.size).toBeGreaterThan(100);
  expect([...rules.difference(broken)]).toEqual([]);
  expect([...broken.difference(rules)]).toEqual([]);
});

/** The rules that a file reports, each by a text, or by a constant of one or two. */
function rulesIn(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const reported = [...text.matchAll(/(?<!\w)report\(\s*((?:"[^"]*"|[^",;)])*?),/g)];
  return reported.flatMap(([, rule]) => {
    const constants = [...rule!.replaceAll(/"[^"]*"/g, "").matchAll(/\w+/g)].map(
      ([name]) => new RegExp(`const ${name} =([^;]*);`).exec(text)?.[1] ?? "",
    );
    const found = [rule, ...constants].flatMap((part) => [...part!.matchAll(/"([^"]+ [^"]+)"/g)]);
    expect(found, `${file}: ${rule}`).not.toEqual([]);
    return found.map(([, name]) => name!);
  });
}
