import { type ErrorDetail, invalid } from "../errors.ts";
import { pause } from "../lib/pause.ts";

/** More than the longest legal row has, in bytes and in UTF-16 units. */
const largestRow = 1_000_000;
const pieceBytes = 64 * 1024;

/**
 * Rows of a CSV file (RFC 4180) as objects by the names in its header; an empty cell is an absent field. It is read piece by
 * piece and no further than its first fault: a header that is not of these fields, a row too many, a row too wide or too long.
 * Throws VALIDATION_FAILED.
 */
export const parseCsv = async (
  bytes: Uint8Array,
  fields: readonly string[],
  mostRows: number,
): Promise<Record<string, string | undefined>[]> => {
  const { CsvError, parse } = await import("csv-parse/stream");
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    /** The cell after the last that a row can have takes the rest of the row in. */
    ignore_last_delimiters: fields.length + 1,
    max_record_size: largestRow,
  });
  const records: ReadableStream<string[]> = inPieces(bytes).pipeThrough(parser);
  const rows: Record<string, string | undefined>[] = [];
  let names: string[] | undefined;
  try {
    for await (const cells of records) {
      if (!names) names = namesIn(cells, fields);
      else if (rows.length === mostRows) throw tooMany(mostRows);
      else rows.push(rowOf(names, cells));
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const before = Number(error.records ?? 0);
    throw invalid([{ path: before === 0 ? "" : `profiles.${before - 1}`, message: error.message }]);
  }
  if (!names) throw invalid([{ path: "", message: "has no header" }]);
  return rows;
};

/** The bytes in pieces, each once the one before has been worked on. Fails with VALIDATION_FAILED where they are not UTF-8. */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await pause();
      const piece = bytes.subarray(at, at + pieceBytes);
      at += piece.byteLength;
      if (!isUtf8(decoder, piece)) throw invalid([{ path: "", message: "is not UTF-8" }]);
      if (piece.byteLength > 0) controller.enqueue(piece);
      else controller.close();
    },
  });
}

/** Whether a text may go on like this; an empty piece ends it. */
function isUtf8(decoder: TextDecoder, piece: Uint8Array): boolean {
  try {
    decoder.decode(piece, { stream: piece.byteLength > 0 });
    return true;
  } catch {
    return false;
  }
}

/** The names in a header, each of them a field, and none twice. */
function namesIn(cells: string[], fields: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const faults = names.flatMap((name, nth): ErrorDetail[] => {
    if (!fields.includes(name)) return [{ path: name, message: "is not a field of a profile" }];
    return names.indexOf(name) === nth ? [] : [{ path: name, message: "is a column more than once" }];
  });
  if (faults.length > 0) throw invalid(faults);
  return names;
}

function rowOf(names: string[], cells: string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name, nth) => [name, cells[nth] || undefined]));
}

function tooMany(mostRows: number) {
  return invalid([{ path: "profiles", message: `must have at most ${mostRows} rows` }]);
}
