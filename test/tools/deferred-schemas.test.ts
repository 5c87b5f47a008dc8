/** Whoever loads an area's operations makes no schema by it: each is made for the first request that it checks. */
import { expect, test } from "vitest";
import { sources } from "./sources.ts";

/** Modules whose exports are schemas of bodies, queries and answers. */
const makesSchemas = /\/(?:[a-z]+-)*(?:schemas|requests|query)\.ts$/;

/** How schemas are made and loaded, which makes none. */
const knowHow = ["src/kit/http/document/load-schemas.ts"];

const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));

/** The files that are loaded with one, each with the file that asks for it. */
function loadedWith(path: string, askedBy = new Map([[path, ""]])): Map<string, string> {
  for (const { to, typeOnly, deferred } of importsOf.get(path) ?? []) {
    if (typeOnly || deferred || askedBy.has(to)) continue;
    askedBy.set(to, path);
    loadedWith(to, askedBy);
  }
  return askedBy;
}

test("an area's operations, and all that is loaded with them, make no schema", () => {
  const deferred = (importsOf.get("src/runtime/operations.ts") ?? []).filter(({ deferred }) => deferred);
  const areas = deferred.filter(({ to }) => to !== "src/runtime/document.ts");
  expect(areas.length).toBeGreaterThan(40);
  for (const { to } of areas) {
    const loaded = [...loadedWith(to)].filter(([path]) => makesSchemas.test(path) && !knowHow.includes(path));
    expect(
      loaded.map(([path, askedBy]) => `${path} for ${askedBy}`),
      to,
    ).toEqual([]);
  }
});
