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

/** A file that declares operations is not always loaded with an area. */
const declaring = sources.filter(({ text }) =>
  /^export const \w+(?: = |: AnyOperation)[\s\S]*\boperation\(\{/m.test(text),
);

test("an area's operations, and all that is loaded with them, make no schema", () => {
  const deferred = (importsOf.get("src/runtime/operations.ts") ?? []).filter(({ deferred }) => deferred);
  const areas = deferred.filter(({ to }) => to !== "src/runtime/document.ts");
  expect(areas.length).toBeGreaterThan(40);
  expect(declaring.length).toBeGreaterThan(20);
  for (const from of [...areas.map(({ to }) => to), ...declaring.map(({ path }) => path)]) {
    const loaded = [...loadedWith(from)].filter(
      ([path]) => makesSchemas.test(path) && !knowHow.includes(path),
    );
    expect(
      loaded.map(([path, askedBy]) => `${path} for ${askedBy}`),
      from,
    ).toEqual([]);
  }
});
