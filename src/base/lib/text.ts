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

/** A name without case, accents, punctuation and article. */
export function nameKey(name: string): string {
  return fold(name.normalize("NFD").replace(/\p{M}/gu, ""))
    .replaceAll("&", " and ")
    .replaceAll(".", "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^the /, "");
}

/** A search term in the form that it has in a search text. One of apostrophes alone stays, and is in none. */
export function searchTerm(text: string): string {
  return searchForm(text) || text;
}

/** The folded text in which a search looks for its term: all fields that are not empty. */
export function searchTextOf(fields: (string | null)[]): string {
  return fields
    .filter((field) => field !== null && field !== "")
    .map((field) => searchForm(field as string))
    .join(separator);
}

/** A text as a search compares it: in any case, its letters composed, without apostrophes, which people write in many ways or leave out. */
function searchForm(text: string): string {
  return fold(removeSeparators(text).normalize("NFC").replace(apostrophes, ""));
}

const apostrophes = /['\u2018\u2019\u02bc\u00b4`\u2032\uff07]/g;

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

/** Whether a text has at most so many bytes in UTF-8. */
export function hasAtMostBytes(bytes: number, value: string): boolean {
  return value.length * mostBytesOfUnit <= bytes || new TextEncoder().encode(value).byteLength <= bytes;
}

/** A UTF-16 unit takes at most three bytes. */
export const mostBytesOfUnit = 3;
