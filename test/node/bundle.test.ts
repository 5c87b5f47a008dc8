import { expect, test } from "vitest";
import * as classic from "zod";
import * as core from "zod/v4/core";

const exportsOf = async (file: string): Promise<string[]> =>
  Object.keys(await import(new URL(`../../bundle/${file}`, import.meta.url).href)).sort();

const without = (names: string[], ...left: string[]): string[] =>
  names.filter((name) => !left.includes(name)).sort();

const compiled = ["compile", "INVALID", "withParser", "ZodCompileAsyncError", "ZodCompileUnsupportedError"];

test("the bundle's zod has everything that the package has, except its translations and what nothing here uses", async () => {
  const unused = ["locales", ...compiled, "fromJSONSchema", "deepPartial"];
  expect(await exportsOf("zod.js")).toEqual(without(Object.keys(classic), ...unused));
});

test("and so has its core", async () => {
  const unused = ["locales", ...compiled, "compileFn"];
  expect(await exportsOf("zod-core.js")).toEqual(without(Object.keys(core), ...unused));
});
