/** A change names exactly the fields that differ, each with its value before and after. */
import { expect, test } from "vitest";
import { definedFields } from "./defined-fields.ts";
import { diff } from "./diff.ts";

test("a change names the fields that differ, each with both values; a field that was not there was null", () => {
  const before = { same: 1, changed: "a", emptied: "b", unnamed: 2 };
  expect(diff(before, { same: 1, changed: "c", emptied: null, added: 0 })).toEqual({
    changed: { from: "a", to: "c" },
    emptied: { from: "b", to: null },
    added: { from: null, to: 0 },
  });
  expect(diff(before, before)).toEqual({});
});

test("a value that is false, empty or nought differs from none", () => {
  expect(diff({ flag: 0, text: "" }, { flag: 1, text: null })).toEqual({
    flag: { from: 0, to: 1 },
    text: { from: "", to: null },
  });
});

test("a field that is undefined is left out, one that is null, false, empty or nought is not", () => {
  const fields = { none: undefined, empty: null, no: false, text: "", zero: 0 };
  const defined = definedFields(fields);
  expect(Object.keys(defined)).toEqual(["empty", "no", "text", "zero"]);
  expect(defined).toEqual({ empty: null, no: false, text: "", zero: 0 });
});
