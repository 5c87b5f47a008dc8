/** The length in characters (Unicode code points), which JSON Schema's minLength and maxLength count. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A text of at most `max` characters. A longer text is cut between two characters and ends in an ellipsis. */
export function shorten(text: string, max: number): string {
  let [count, at, end] = [0, 0, 0];
  for (const character of text) {
    if (count === max) return `${text.slice(0, end)}…`;
    end = at;
    at += character.length;
    count++;
  }
  return text;
}

/** Whether a text can be stored and returned byte for byte: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * A text folded for case-insensitive comparison in every script, because SQLite's lower() folds ASCII only. Each character is
 * folded by itself, so that a part of a text folds to a part of the text's fold (a final sigma folds like any sigma).
 */
export function fold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : foldEach(text);
}

/** A search term in the form that it has in a search text. */
export function searchTerm(text: string): string {
  return fold(removeSeparators(text));
}

/** The folded text in which a search looks for its term: all fields that are not empty. */
export function searchTextOf(fields: (string | null)[]): string {
  return fold(
    fields
      .filter((field) => field !== null && field !== "")
      .map((field) => removeSeparators(field as string))
      .join(separator),
  );
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function foldEach(text: string): string {
  return Array.from(text, (character) => character.toLowerCase().toUpperCase().toLowerCase()).join("");
}

/** Separates the fields of a search text. No field and no term contains it, so a term cannot match across two fields. */
const separator = "\u001f";
function removeSeparators(text: string): string {
  return text.replaceAll(separator, " ");
}
