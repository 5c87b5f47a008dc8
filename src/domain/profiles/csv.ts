import { type ErrorDetail, invalid } from "../../base/errors.ts";
import { yieldTurn } from "../../base/lib/yield-turn.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";

/**
 * The rows of a CSV file (RFC 4180) as objects with the names of its header. An empty cell is an absent field. The file is read
 * piece by piece, up to its first fault: a header with unknown fields, too many rows, or a row that is too wide or too long.
 * Throws VALIDATION_FAILED.
 */
export async function parseCsv(
  bytes: Uint8Array,
  fields: readonly string[],
  maxRows: number,
): Promise<Record<string, string | undefined>[]> {
  const { CsvError, parse } = await import("csv-parse/stream");
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    /** One cell more than a row can have takes the rest of a longer row. */
    ignore_last_delimiters: fields.length + 1,
    max_record_size: maxRowLength,
  });
  const records: ReadableStream<string[]> = inPieces(bytes).pipeThrough(parser);
  const rows: Record<string, string | undefined>[] = [];
  let names: string[] | undefined;
  try {
    for await (const cells of records) {
      if (!names) names = namesIn(cells, fields);
      else if (rows.length === maxRows) throw tooMany(maxRows);
      else rows.push(rowOf(names, cells));
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const records = Number(error.records ?? 0);
    const message = csvMessages[error.code] ?? "is not CSV";
    throw invalid([{ path: records === 0 ? "" : `profiles.${records - 1}`, message }]);
  }
  if (!names) throw invalid([{ path: "", message: "has no header" }]);
  return rows;
}

/** The longest valid row is shorter, in bytes and in UTF-16 units. */
const maxRowLength = 1_000_000;
const pieceBytes = 64 * 1024;

/** The message about a row that cannot be read, by the parser's codes. */
const csvMessages: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  INVALID_OPENING_QUOTE:
    "has a quote inside a cell that does not begin with one; write such quotes twice, in a quoted cell",
  CSV_INVALID_CLOSING_QUOTE: "has text behind a closing quote; write a quote inside a quoted cell twice",
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "must have as many cells as the header",
  CSV_MAX_RECORD_SIZE: `must have at most ${maxRowLength} bytes`,
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

/** The names in a header. Each must be a field and appear once. */
function namesIn(cells: string[], fields: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const faults = names.flatMap((name, nth): ErrorDetail[] => {
    if (!fields.includes(name))
      return [
        {
          path: name,
          message: withSuggestion(
            "is not a field of a profile",
            fields.filter((field) => !names.includes(field)),
            name,
          ),
        },
      ];
    return names.indexOf(name) === nth ? [] : [{ path: name, message: "is a column more than once" }];
  });
  if (faults.length > 0) throw invalid(faults);
  return names;
}

function rowOf(names: string[], cells: string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name, nth) => [name, cells[nth] || undefined]));
}

function tooMany(maxRows: number) {
  return invalid([{ path: "profiles", message: `must have at most ${maxRows} rows` }]);
}
