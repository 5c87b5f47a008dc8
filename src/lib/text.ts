/** Length in characters (Unicode code points), as JSON Schema's minLength and maxLength count. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** A text of at most so many characters: a longer one is cut between two of them, and ends in an ellipsis. */
export const shortened = (text: string, most: number): string => {
  let kept = 0;
  for (let at = 0, count = 0; at < text.length; count++) {
    if (count === most) return `${text.slice(0, kept)}…`;
    if (count === most - 1) kept = at;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return text;
};

/** Whether a text can be stored and returned byte for byte: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/**
 * A text folded for case-insensitive comparison, in every script (SQLite's lower() knows ASCII only): character by
 * character, so that a part of a text folds to a part of its fold (a final sigma is no other letter).
 */
export const fold = (text: string): string => (isAscii(text) ? text.toLowerCase() : foldEach(text));

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const foldEach = (text: string): string =>
  Array.from(text, (character) => character.toLowerCase().toUpperCase().toLowerCase()).join("");

/** Between the fields of a search text: no field holds it, and no term, so a term cannot span two. */
const separator = "\u001f";
const unseparated = (text: string): string => text.replaceAll(separator, " ");

/** What a search looks for, as it stands in a search text. */
export const searchTerm = (text: string): string => fold(unseparated(text));

/** The folded text that a search looks through: the fields that say something. */
export const searchTextOf = (fields: (string | null)[]): string =>
  fold(
    fields
      .filter((field) => field !== null && field !== "")
      .map((field) => unseparated(field as string))
      .join(separator),
  );
