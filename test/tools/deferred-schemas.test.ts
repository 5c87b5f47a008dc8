/** An area declares its operations without making their schemas. */
import { expect, test } from "vitest";
import { sources } from "./sources.ts";

/** Modules whose exports are schemas of bodies, queries and answers. */
const makesSchemas = /\/(?:[a-z]+-)*(?:schemas|requests|query)\.ts$/;

test("an area declares its operations without making their schemas", () => {
  const areas = sources.filter(({ text }) =>
    /^export const \w+(?: = |: AnyOperation)[\s\S]*\boperation\(\{/m.test(text),
  );
  expect(areas.length).toBeGreaterThan(20);
  for (const { path, text } of areas) {
    const eager = [...text.matchAll(/^import \{([^}]*)\} from "([^"]+)";$/gm)]
      .filter(([, , from]) => makesSchemas.test(from!))
      .flatMap(([, names]) => names!.split(",").map((name) => name.trim()))
      .filter((name) => name !== "" && !name.startsWith("type "));
    expect(eager, path).toEqual([]);
  }
});
