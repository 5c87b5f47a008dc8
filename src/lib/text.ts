/** Length in characters (Unicode code points), as JSON Schema's minLength and maxLength count. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** Whether a text can be stored and returned byte for byte: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** A text folded for case-insensitive comparison, in every script (SQLite's lower() knows ASCII only). */
export const fold = (text: string): string => text.toLowerCase();
