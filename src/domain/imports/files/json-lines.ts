import { invalid } from "../../../base/errors.ts";
import { yieldTurn } from "../../../base/lib/yield-turn.ts";
import { longestRow } from "../../../kit/csv/read-cells.ts";

/** A line of a file that is not empty, with its number, counted from 1. */
type JsonLine = { line: number; object: Record<string, unknown> };

/** The objects of JSON lines, read piece by piece. Throws VALIDATION_FAILED for a line that is none. */
export async function* readJsonLines(bytes: Uint8Array): AsyncGenerator<JsonLine, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let start = 0;
  let sincePause = 0;
  let objects = 0;
  for (let n = 0; start < bytes.byteLength; n++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.byteLength : newline;
    if (end - start > longestRow)
      throw invalid([{ path: `rows.${n}`, message: `must have at most ${longestRow} bytes` }]);
    sincePause += end - start;
    if (sincePause > pieceBytes) {
      sincePause = 0;
      await yieldTurn();
    }
    const text = decode(decoder, bytes.subarray(start, end)).trim();
    start = end + 1;
    if (text !== "") yield { line: n + 1, object: parseObject(text, `rows.${objects++}`) };
  }
}

const pieceBytes = 64 * 1024;

function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid([{ path: "", message: "is not UTF-8" }]);
  }
}

function parseObject(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
      return value as Record<string, unknown>;
  } catch {
    throw invalid([{ path, message: "is not JSON" }]);
  }
  throw invalid([{ path, message: "must be an object that has members" }]);
}
