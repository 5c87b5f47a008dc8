/** Values are written into SQL as literals that cannot be taken for anything else. */
import { expect, test } from "vitest";
import { inlineValues } from "../../scripts/storage/remote.ts";

test.each([
  ["SELECT ?, '?', ?", [1, "it's"], "SELECT 1, '?', 'it''s'"],
  ["SELECT ?1, ?2, ?1", [5, null], "SELECT 5, NULL, 5"],
])("the values of %s are written into it", (sql, params, text) => {
  expect(inlineValues({ sql, params })).toBe(text);
});

test.each([
  ["SELECT ?, ?", [1], "Too few values"],
  ["SELECT ?2", [1], "Too few values"],
  ["SELECT ?", [1, 2], "Too many values"],
])("%s with %j is a fault", (sql, params, fault) => {
  expect(() => inlineValues({ sql, params })).toThrow(fault);
});
