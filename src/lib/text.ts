/** The length in characters (Unicode code points), which JSON Schema's minLength and maxLength count. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** A text of at most `max` characters. A longer text is cut between two characters and ends in an ellipsis. */
export const shortened = (text: string, max: number): string => {
  let [count, at, end] = [0, 0, 0];
  for (const character of text) {
    if (count === max) return `${text.slice(0, end)}…`;
    end = at;
    at += character.length;
    count++;
  }
  return text;
};

/** Whether a text can be stored and returned byte for byte: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/**
 * A text folded for case-insensitive comparison in every script, because SQLite's lower() folds ASCII only. Each character is
 * folded by itself, so that a part of a text folds to a part of the text's fold (a final sigma folds like any sigma).
 */
export const fold = (text: string): string => (isAscii(text) ? text.toLowerCase() : foldEach(text));

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const foldEach = (text: string): string =>
  Array.from(text, (character) => character.toLowerCase().toUpperCase().toLowerCase()).join("");

/** Separates the fields of a search text. No field and no term contains it, so a term cannot match across two fields. */
const separator = "\u001f";
const unseparated = (text: string): string => text.replaceAll(separator, " ");

/** A search term in the form that it has in a search text. */
export const searchTerm = (text: string): string => fold(unseparated(text));

/** The folded text in which a search looks for its term: all fields that are not empty. */
export const searchTextOf = (fields: (string | null)[]): string =>
  fold(
    fields
      .filter((field) => field !== null && field !== "")
      .map((field) => unseparated(field as string))
      .join(separator),
  );
