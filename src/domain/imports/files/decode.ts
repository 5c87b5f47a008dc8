import { invalid } from "../../../base/errors.ts";

/** The bytes of a file as UTF-8: one in UTF-16 that says so by its byte order mark is converted. Throws VALIDATION_FAILED. */
export function toUtf8(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return convert(bytes);
  if (first === 0xfe && second === 0xff) return convert(swapped(bytes));
  if (bytes.subarray(0, 200).includes(0))
    throw invalid([
      { path: "", message: "is not UTF-8: save the file as UTF-8, or as UTF-16 with a byte order mark" },
    ]);
  return bytes;
}

function convert(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  try {
    const text = new TextDecoder("utf-16le", { fatal: true, ignoreBOM: false }).decode(bytes);
    return Uint8Array.from(new TextEncoder().encode(text));
  } catch {
    throw invalid([{ path: "", message: "is not UTF-16, though its byte order mark says so" }]);
  }
}

function swapped(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const other = new Uint8Array(bytes.byteLength);
  for (let at = 0; at + 1 < bytes.byteLength; at += 2) {
    other[at] = bytes[at + 1]!;
    other[at + 1] = bytes[at]!;
  }
  return bytes.byteLength % 2 === 0 ? other : other.subarray(0, bytes.byteLength - 1);
}

/** The character between the cells of a header: the one of comma, semicolon and tab that is there most often outside quotes. */
export function delimiterIn(bytes: Uint8Array): string {
  const head = new TextDecoder().decode(bytes.subarray(0, headBytes));
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const char of head) {
    if (char === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (char === "\n" || char === "\r") break;
    const count = counts.get(char);
    if (count !== undefined) counts.set(char, count + 1);
  }
  return delimiters.toSorted((a, b) => counts.get(b)! - counts.get(a)!)[0]!;
}

const delimiters = [",", ";", "\t"];
const headBytes = 20_000;
