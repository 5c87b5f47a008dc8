import fc, { type Arbitrary } from "fast-check";

/**
 * Any character, by its place among all that are no surrogates: the unit "binary" of fast-check, which gives equal texts but makes a table of
 * all of them once it is used, which takes a second of each process.
 */
export const anyCharacter: Arbitrary<string> = fc.integer({ min: 0, max: 0x10f7ff }).map(
  (nth) => String.fromCodePoint(nth < surrogates.first ? nth : nth + surrogates.count),
  (text) => {
    const point = typeof text === "string" && text.isWellFormed() ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error("It is no character");
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

const surrogates = { first: 0xd800, count: 0x800 };
