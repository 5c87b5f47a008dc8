import { createHash } from "node:crypto";

/** A file in parts that one request may have each; every part of a CSV file begins with its header. */
export type Parts = {
  type: "text/csv" | "application/x-ndjson";
  parts: Uint8Array<ArrayBuffer>[];
  /** How many rows of the file stand before each part. */
  rowsBefore: number[];
};

/**
 * Splits a file between rows. Line breaks inside quoted cells divide nothing; UTF-16 is read as text first, and the byte order mark of UTF-8 stays. The last line of an export is of
 * the whole file: of one that is split it is checked here and left out.
 */
export function splitFile(bytes: Uint8Array<ArrayBufferLike>, size = partBytes): Parts {
  const whole = textOf(bytes);
  const text = bytes.byteLength > size ? withoutTrailer(whole) : whole;
  const isJson = text.trimStart().startsWith("{");
  const rows = isJson ? text.split(/(?<=\n)/) : csvRows(text);
  const header = isJson ? "" : (rows.shift() ?? "");
  const parts: string[] = [];
  const rowsBefore = [0];
  let part = header;
  for (const [nth, row] of rows.entries()) {
    if (part.length > header.length && Buffer.byteLength(part) + Buffer.byteLength(row) > size) {
      parts.push(part);
      rowsBefore.push(nth);
      part = header;
    }
    part += row;
  }
  if (part.length > header.length || parts.length === 0) parts.push(part);
  return {
    type: isJson ? "application/x-ndjson" : "text/csv",
    rowsBefore,
    parts: parts.map((one) => Uint8Array.from(new TextEncoder().encode(one))),
  };
}

/** Below the 8 MiB that a part may have. */
const partBytes = 7_500_000;

/** The text before the last line of an export; all of a text that has none. Throws where the line says that something is missing. */
function withoutTrailer(text: string): string {
  const [, content = "", end = ""] = /^([\s\S]*\n)(# end,[^\n]*|\{"end":true[^\n]*)\r?\n?$/.exec(text) ?? [];
  if (end === "") return text;
  const sha256 = createHash("sha256").update(content).digest("hex");
  if (end.includes(sha256)) return content;
  throw new Error("The file is not what was exported: its last line names another digest");
}

function textOf(bytes: Uint8Array<ArrayBufferLike>): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}

/** The rows of a CSV text with their line breaks. */
function csvRows(text: string): string[] {
  const rows: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') isQuoted = !isQuoted;
    if (char !== "\n" || isQuoted) continue;
    rows.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) rows.push(text.slice(start));
  return rows;
}
