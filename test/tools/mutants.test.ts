/** Each seeded bug names what it changes, and each rule of the simulator has one that breaks it. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededBugs } from "../../simulator/bugs.ts";

const names = seededBugs.map(({ name }) => name);

test("each seeded bug has a name of its own", () => {
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
