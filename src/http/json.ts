import { DomainError, type ErrorDetail, invalid } from "../errors.ts";
import { isStorable } from "../lib/text.ts";

const maxDepth = 64;
const maxDetails = 100;
const mayBeUnstorable = /\\u(0000|d[89a-f])/i;

/** Parses a JSON text. Throws INVALID_JSON, or VALIDATION_FAILED for text that cannot be stored and for deep nesting. */
export function parseJson(text: string): unknown {
  refuseUnsafeJson(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("INVALID_JSON", "Request body is not valid JSON");
  }
}

/**
 * Refuses the text of a JSON document that nests too deep or holds text that cannot be stored as it is, which no schema
 * looks for. A text that is not JSON passes: whoever parses it will say so.
 */
export function refuseUnsafeJson(text: string): void {
  if (nestsTooDeep(text)) throw invalid([{ path: "", message: `is nested deeper than ${maxDepth} levels` }]);
  if (mayBeUnstorable.test(text)) refuseUnstorable(parsedOrUndefined(text));
}

/** Throws VALIDATION_FAILED where text, anywhere in a value, has a NUL or a lone surrogate: databases change or cut it. */
export function refuseUnstorable(root: unknown): void {
  const faults: ErrorDetail[] = [];
  const pending: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && !isStorable(value))
      faults.push({ path: path.join("."), message: "must not contain NUL or lone surrogates" });
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key))
        faults.push({ path: path.join("."), message: "has a key with NUL or lone surrogates" });
      pending.push({ value: member, path: [...path, key] });
    }
  }
  if (faults.length > 0) throw invalid(faults.slice(0, maxDetails));
}

/** The text of a body. Throws INVALID_JSON where its bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new DomainError("INVALID_JSON", "Request body is not valid UTF-8");
  }
}

/** Whether a JSON text nests deeper than a sane request does, told without building it. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return false;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
