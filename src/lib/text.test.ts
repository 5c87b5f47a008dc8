import { describe, expect, test } from "vitest";
import { characters, fold, isStorable } from "./text.ts";

test.each([
  ["", 0],
  ["a", 1],
  ["🐶", 1],
  ["e\u0301", 2],
  ["👩‍👩‍👧", 5],
])("%j has so many characters: code points", (text, count) => {
  expect(characters(text)).toBe(count);
});

test.each([
  ["", true],
  ["🐶\u0001\ufffe", true],
  ["a\0b", false],
  ["\ud83d", false],
  ["\udc36\ud83d", false],
])("whether %j can be stored as it is: %s", (text, storable) => {
  expect(isStorable(text)).toBe(storable);
});

describe("fold: two texts that differ in case alone are one, wherever a part of them stands", () => {
  test.each([
    ["ADA", "ada"],
    ["ÉÑ", "éñ"],
    ["ЖУК", "жук"],
    ["ΟΔΟΣ ΟΔΟΣΑΝ", "οδος οδοσαν"],
    ["ΣΑΣ", "σας"],
    ["𐐀", "𐐨"],
  ])("%s and %s", (upper, lower) => {
    expect(fold(upper)).toBe(fold(lower));
  });

  test("the fold of a part is part of the fold", () => {
    const whole = "ΟΔΟΣΑΝ İstanbul ΣΑΣ";
    for (let from = 0; from < whole.length; from++)
      for (let to = from + 1; to <= whole.length; to++)
        expect(fold(whole), whole.slice(from, to)).toContain(fold(whole.slice(from, to)));
  });
});
