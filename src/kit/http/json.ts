import { DomainError, type ErrorDetail, invalid, maxDetails, maxTextLength } from "../../base/errors.ts";
import { isStorable, shorten } from "../../base/lib/text.ts";

/** Parses a JSON text. Throws INVALID_JSON, or VALIDATION_FAILED for text that cannot be stored, deep nesting and too many values. */
export function parseJson(text: string): unknown {
  refuseUnsafeJson(text);
  return parseSafeJson(text);
}

/** Parses a JSON text that `refuseUnsafeJson` has let pass. Throws INVALID_JSON. */
export function parseSafeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("INVALID_JSON", "Request body is not valid JSON");
  }
}

/**
 * Refuses the text of a JSON document that nests too deep, holds too many values, or holds text that cannot be stored
 * unchanged. No schema checks these. A text that is not JSON passes, because the parser refuses it.
 */
export function refuseUnsafeJson(text: string): void {
  const fault = shapeFault(text);
  if (fault) throw invalid([{ path: "", message: fault }]);
  if (mayBeUnstorable.test(text)) refuseUnstorable(parseOrUndefined(text));
}

/** Throws VALIDATION_FAILED if any text in a value has a NUL or a lone surrogate, which databases cut or replace. */
export function refuseUnstorable(root: unknown): void {
  const faults: ErrorDetail[] = [];
  const pending: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let next = pending.pop(); next && faults.length < maxDetails; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && !isStorable(value))
      faults.push({ path: path.join("."), message: "must not contain NUL or lone surrogates" });
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key))
        faults.push({ path: path.join("."), message: "has a key with NUL or lone surrogates" });
      pending.push({ value: member, path: [...path, shorten(key, maxTextLength)] });
    }
  }
  if (faults.length > 0) throw invalid(faults);
}

/** The text of a body. Throws INVALID_JSON if its bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new DomainError("INVALID_JSON", "Request body is not valid UTF-8");
  }
}

const maxDepth = 64;
/** The largest upload has fewer: ten thousand rows of nineteen fields. */
const maxValues = 250_000;
const mayBeUnstorable = /\\u(0000|d[89a-f])/i;

/** Whether a text may nest too deep, whatever is in its strings. */
const opensMany = new RegExp(`^[^[{]*(?:[[{][^[{]*){${maxDepth + 1}}`);

/** The fault in the shape of a JSON text, if there is one, found without building the value. A short text with few brackets has none. */
function shapeFault(text: string): string | undefined {
  if (text.length <= maxValues && !opensMany.test(text)) return undefined;
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      values++;
      if (++depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    } else if (char === 0x7d || char === 0x5d) depth--;
    else if (char === 0x2c && ++values > maxValues) return `holds more than ${maxValues} values`;
  }
  return values > maxValues ? `holds more than ${maxValues} values` : undefined;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
