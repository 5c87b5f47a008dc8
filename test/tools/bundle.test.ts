/** The bundle's zod has all that the package has, except what nothing here uses. */
import { expect, test } from "vitest";
import * as classic from "zod";
import * as core from "zod/v4/core";

async function exportsOf(file: string): Promise<string[]> {
  return Object.keys(await import(new URL(`../../bundle/${file}`, import.meta.url).href)).sort();
}

function without(names: string[], ...left: string[]): string[] {
  return names.filter((name) => !left.includes(name)).sort();
}

const compiled = ["compile", "INVALID", "withParser", "ZodCompileAsyncError", "ZodCompileUnsupportedError"];

test("the bundle's zod has everything that the package has, except its translations and what nothing here uses", async () => {
  const unused = ["locales", ...compiled, "fromJSONSchema", "deepPartial"];
  expect(await exportsOf("zod.js")).toEqual(without(Object.keys(classic), ...unused));
});

test("and so has its core", async () => {
  const unused = ["locales", ...compiled, "compileFn"];
  expect(await exportsOf("zod-core.js")).toEqual(without(Object.keys(core), ...unused));
});
