/** Texts are measured, cut, folded and searched by characters, whatever script they are in. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { characters, fold, isStorable, nameKey, searchTerm, searchTextOf, shorten } from "./text.ts";

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

describe("a text that is too long is cut between two characters, and ends in an ellipsis", () => {
  test.each([
    ["", 3, ""],
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["🐶🐶🐶", 3, "🐶🐶🐶"],
    ["🐶🐶🐶🐶", 3, "🐶🐶…"],
    ["a🐶b🐶", 3, "a🐶…"],
    ["ab", 1, "…"],
    ["\uffff\uffffab", 3, "\uffff\uffff…"],
    ["\ud83d\ud83dab", 3, "\ud83d\ud83d…"],
  ])("%j to %s: %j", (text, most, short) => {
    expect(shorten(text, most)).toBe(short);
  });

  test("whatever it is", () => {
    const anything = fc.tuple(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.integer({ min: 1, max: 30 }),
    );
    fc.assert(
      fc.property(anything, ([text, most]) => {
        const short = shorten(text, most);
        expect(characters(short)).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(text.isWellFormed());
        if (characters(text) <= most) expect(short).toBe(text);
        else expect([characters(short), text.startsWith(short.slice(0, -1))]).toEqual([most, true]);
      }),
      { seed: Number(process.env.FUZZ_SEED ?? "20261121") },
    );
  });
});

describe("fold: two texts that differ in case alone are one, wherever a part of them stands", () => {
  test.each([
    ["ADA", "ada"],
    ["ÉÑ", "éñ"],
    ["ЖУК", "жук"],
    ["ΟΔΟΣ ΟΔΟΣΑΝ", "οδος οδοσαν"],
    ["ΣΑΣ", "σας"],
    ["𐐀", "𐐨"],
    ["GROẞ", "groß"],
    ["\u212a", "k"],
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

describe("the text in which a search looks for its term", () => {
  test("has all fields that are not empty, folded, with the unit separator between them", () => {
    expect(searchTextOf(["Ada", null, "", "LOVELACE", "ΟΔΟΣ"])).toBe("ada\u001flovelace\u001fοδοσ");
    expect(searchTextOf([null, ""])).toBe("");
  });

  test("has no separator of a field's own, nor has a term", () => {
    expect(searchTextOf(["a\u001fb", "c"])).toBe("a b\u001fc");
    expect(searchTerm("A\u001fB")).toBe("a b");
  });

  test("has a term where one of its fields has it, and never across two", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "B", "é", "Σ", " ", "\u001f"), maxLength: 5 });
    const fields = fc.array(fc.option(word), { maxLength: 4 });
    fc.assert(
      fc.property(fields, word, (all, term) => {
        const isFound = searchTextOf(all).includes(searchTerm(term));
        const isInOne = all.some((field) => field && searchTextOf([field]).includes(searchTerm(term)));
        expect(isFound).toBe(isInOne || term === "");
      }),
      { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 500 },
    );
  });
});

test.each([
  ["The Gambia", "gambia"],
  ["Côte d’Ivoire", "cote d ivoire"],
  ["Bosnia & Herzegovina", "bosnia and herzegovina"],
  [" St. Kitts ", "st kitts"],
])("%j is known by the key %j", (name, key) => {
  expect(nameKey(name)).toBe(key);
});
