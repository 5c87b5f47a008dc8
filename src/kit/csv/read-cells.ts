import { invalid } from "../../base/errors.ts";
import { yieldTurn } from "../../base/lib/yield-turn.ts";

type Reading = {
  /** The most cells of a row: whatever a longer row has beyond them becomes one cell more. */
  width: number;
  delimiter?: string;
  /** The name of the rows in messages: a fault of the second row of `rows` is at `rows.1`. */
  rowsName: string;
};

/**
 * The rows of a CSV file (RFC 4180), its header among them, as lists of cells. The file is read piece by piece, up to its first fault: bytes
 * that are not UTF-8, or a row that is too long. Throws VALIDATION_FAILED.
 */
export async function* readCells(
  bytes: Uint8Array,
  { width, delimiter = ",", rowsName }: Reading,
): AsyncGenerator<string[], undefined> {
  const { CsvError, parse } = await import("csv-parse/stream");
  const parser = parse({
    bom: true,
    delimiter,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    ignore_last_delimiters: width + 1,
    max_record_size: longestRow,
  });
  const records: ReadableStream<string[]> = inPieces(bytes).pipeThrough(parser);
  try {
    for await (const cells of records) yield cells;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const nth = Number(error.records ?? 0);
    const message = messages[error.code] ?? "is not CSV";
    throw invalid([{ path: nth === 0 ? "" : `${rowsName}.${nth - 1}`, message }]);
  }
}

/** The longest valid row is shorter, in bytes and in UTF-16 units. */
export const longestRow = 1_000_000;
const pieceBytes = 64 * 1024;

/** The message about a row that cannot be read, by the parser's codes. */
const messages: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  INVALID_OPENING_QUOTE:
    "has a quote inside a cell that does not begin with one; write such quotes twice, in a quoted cell",
  CSV_INVALID_CLOSING_QUOTE: "has text behind a closing quote; write a quote inside a quoted cell twice",
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "must have as many cells as the header",
  CSV_MAX_RECORD_SIZE: `must have at most ${longestRow} bytes`,
};

/** The bytes in pieces, each after the one before it was parsed. Fails with VALIDATION_FAILED if they are not UTF-8. */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await yieldTurn();
      const piece = bytes.subarray(at, at + pieceBytes);
      at += piece.byteLength;
      if (!isUtf8(decoder, piece)) throw invalid([{ path: "", message: "is not UTF-8" }]);
      if (piece.byteLength > 0) controller.enqueue(piece);
      else controller.close();
    },
  });
}

/** Whether the text so far can be UTF-8. An empty piece ends the text. */
function isUtf8(decoder: TextDecoder, piece: Uint8Array): boolean {
  try {
    decoder.decode(piece, { stream: piece.byteLength > 0 });
    return true;
  } catch {
    return false;
  }
}
