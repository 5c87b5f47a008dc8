import { invalid } from "../../../base/errors.ts";

/**
 * A key as the header has it (draft-ietf-httpapi-idempotency-key-header): bare, or quoted as a string of RFC 9651 §3.3.3. The
 * document shows this pattern, and everything else is refused.
 */
export const idempotencyKeyPattern = '^("([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-~]([ -~]{0,253}[!-~])?)$';

export function isIdempotencyKey(header: string): boolean {
  return form.test(header);
}

/** The key in a header: a quoted key and the same key bare are one. Throws VALIDATION_FAILED for a text that is no key. */
export function parseIdempotencyKey(header: string): string {
  if (!isIdempotencyKey(header)) throw invalid([{ path: "Idempotency-Key", message: idempotencyKeyMessage }]);
  return header.startsWith('"') ? header.slice(1, -1).replace(/\\(["\\])/g, "$1") : header;
}

const form = new RegExp(idempotencyKeyPattern);

/** The message about a text that is no Idempotency-Key. */
export const idempotencyKeyMessage = "must have 1 to 255 visible ASCII characters, bare or in quotes";
