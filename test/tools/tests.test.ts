/** Each test stands in the room and the capability that it is about, and says first what it proves. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";

const rooms = ["base", "stores", "kit", "domain", "edges", "runtime"];

/** Folders of tests that concern more than one capability, or none; `tools` is what tests scripts, documents and the house. */
const across = ["contract", "scale", "browser", "storage", "host", "tools", "support"];

/** Folders in a room that are no capability of it: the proof of the fake stores, and what concerns accounts with an object alone. */
const beside = ["stores/fakes", "runtime/objects"];

const paths = globSync("test/**/*.{ts,mjs,graphql,pem}").toSorted();
const tests = paths.filter((path) => path.endsWith(".test.ts"));

describe("a folder of tests", () => {
  test("is one of the rooms of src, or of what spans them", () => {
    expect(tests.length).toBeGreaterThan(300);
    const strange = paths.filter((path) => ![...rooms, ...across].includes(path.split("/")[1]!));
    expect(strange).toEqual([]);
  });

  test("in a room is named for a capability of the room", () => {
    const folders = new Set(paths.map((path) => path.split("/").slice(1, 3).join("/")));
    const inRooms = [...folders].filter((folder) => rooms.includes(folder.split("/")[0]!));
    expect(inRooms.length).toBeGreaterThan(30);
    expect(inRooms.filter((folder) => !beside.includes(folder) && !existsSync(`src/${folder}`))).toEqual([]);
  });

  test("holds at most 40 files of tests", () => {
    const folders = Map.groupBy(tests, (path) => dirname(path));
    expect([...folders].filter(([, files]) => files.length > 40).map(([folder]) => folder)).toEqual([]);
  });
});

describe("the first line of a file of tests", () => {
  const all = [...tests, ...globSync("src/**/*.test.ts")];
  const firsts = all.map((path) => ({ path, line: readFileSync(path, "utf8").split("\n", 1)[0]! }));

  test("is one sentence that says what the file proves", () => {
    const sentence = /^\/\*\* [A-Z\d].{20,}\. \*\/$/;
    const faulty = firsts.filter(({ line }) => !sentence.test(line) || line.length > 140);
    expect(faulty).toEqual([]);
  });

  test("is no other file's, which would prove nothing else", () => {
    const shared = [...Map.groupBy(firsts, ({ line }) => line).values()].filter(({ length }) => length > 1);
    expect(shared).toEqual([]);
  });
});
