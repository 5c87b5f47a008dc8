import { type ErrorDetail, invalid, maxDetails } from "../../base/errors.ts";
import { withoutApostrophe } from "../../base/lib/csv-cells.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { isStorable } from "../../base/lib/text.ts";
import { yieldTurn } from "../../base/lib/yield-turn.ts";
import { longestRow, readCells } from "../../kit/csv/read-cells.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";
import { delimiterIn, toUtf8 } from "./decode.ts";
import type { ImportedLine, ImportField } from "./fields.ts";
import type { CsvRow } from "./formats/columns.ts";
import { formats, type ImportFormat } from "./formats/formats.ts";

/**
 * How an import reads its files: `mapping` names the column of a field, `defaults` the values of fields that a row leaves empty;
 * `takesRemoteMethods` is whether the account's store takes over payment methods that a provider keeps.
 */
export type Reading = {
  format: ImportFormat;
  mapping: { [field in ImportField]?: string };
  defaults: { [field in ImportField]?: string };
  takesRemoteMethods?: boolean | undefined;
};

/** A row of a part: its lines, and its number in the part, counted from 1. */
export type PartRow = { n: number; lines: ImportedLine[] };

/**
 * The rows of a part, CSV or JSON lines. Throws VALIDATION_FAILED for one that cannot be read, or has columns that nobody knows; whatever is
 * wrong with a value is the row's, and is said by the check.
 */
export async function* readPart(
  bytes: Uint8Array<ArrayBuffer>,
  mediaType: string,
  reading: Reading,
): AsyncGenerator<PartRow, undefined> {
  const text = toUtf8(bytes);
  const rows = mediaType === "text/csv" ? readCsvRows(text, reading) : readJsonRows(text, reading);
  for await (const { n, lines } of rows) yield { n, lines: lines.map((line) => withDefaults(line, reading)) };
}

function withDefaults({ fields, faults }: ImportedLine, { defaults }: Reading): ImportedLine {
  return { fields: { ...defaults, ...fields }, faults };
}

async function* readCsvRows(
  bytes: Uint8Array<ArrayBuffer>,
  reading: Reading,
): AsyncGenerator<PartRow, undefined> {
  const { columns, mapRow } = formats[reading.format];
  if (!columns || !mapRow) throw unreadable(reading, "CSV", "application/x-ndjson");
  const known = [...new Set([...columns, ...Object.values(reading.mapping)])];
  const fieldOf = new Map(Object.entries(reading.mapping).map(([field, column]) => [column, field]));
  const end = reading.format === "perennial" ? lastLineStart(bytes, csvTrailer) : bytes.byteLength;
  const cells = { width: known.length, delimiter: delimiterIn(bytes), rowsName: "rows" };
  let names: string[] | undefined;
  let n = 0;
  for await (const row of readCells(bytes.subarray(0, end), cells))
    if (names) yield { n: ++n, lines: (await mapRow(rowOf(names, row, fieldOf))).map(storable) };
    else names = namesIn(row, known);
  if (!names) throw invalid([{ path: "", message: "has no header" }]);
  if (end === bytes.byteLength) return;
  const [, rows, sha256] = new TextDecoder().decode(bytes.subarray(end)).trim().split(",");
  await requireTrailer(bytes.slice(0, end), { rows: n, said: { rows, sha256 } });
}

const csvTrailer = "# end,";

/** The names in a header. Each must be known and appear once. */
function namesIn(cells: string[], known: string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const faults: ErrorDetail[] = [];
  for (const [nth, name] of names.entries()) {
    if (faults.length === maxDetails) break;
    if (!known.includes(name)) {
      const others = known.filter((column) => !names.includes(column));
      faults.push({ path: name, message: withSuggestion("is not a column of this format", others, name) });
    } else if (names.indexOf(name) !== nth)
      faults.push({ path: name, message: "is a column more than once" });
  }
  if (faults.length > 0) throw invalid(faults);
  return names;
}

/** The cells that are not empty, by column, or by the field that a column is mapped to. */
function rowOf(names: string[], cells: string[], fieldOf: Map<string, string>): CsvRow {
  const entries = names.flatMap((name, nth) => {
    const cell = withoutApostrophe(cells[nth] ?? "");
    return cell.trim() === "" ? [] : [[fieldOf.get(name) ?? name, cell] as const];
  });
  return Object.fromEntries(entries);
}

async function* readJsonRows(
  bytes: Uint8Array<ArrayBuffer>,
  reading: Reading,
): AsyncGenerator<PartRow, undefined> {
  const { mapObject, unknownMembers } = formats[reading.format];
  if (!mapObject) throw unreadable(reading, "JSON lines", "text/csv");
  const isTrailed = reading.format === "perennial";
  let n = 0;
  let hasEnded = false;
  for await (const line of linesOf(bytes)) {
    if (hasEnded)
      throw invalid([{ path: "", message: "goes on behind its last line, which says where it ends" }]);
    const object = parseLine(line, `rows.${n}`);
    if (isTrailed && object.end === true) {
      await requireTrailer(bytes.slice(0, lastLineStart(bytes, "{")), { rows: n, said: object });
      hasEnded = true;
      continue;
    }
    const unknown = unknownMembers?.(object) ?? [];
    if (unknown.length > 0) throw unknownMembersError(unknown, formats[reading.format].columns ?? []);
    n++;
    yield { n, lines: mapObject(mapped(object, reading), reading.takesRemoteMethods).map(storable) };
  }
}

function mapped(object: Record<string, unknown>, { mapping }: Reading): Record<string, unknown> {
  const pairs = Object.entries(mapping).filter(([, column]) => Object.hasOwn(object, column));
  return { ...object, ...Object.fromEntries(pairs.map(([field, column]) => [field, object[column]])) };
}

/** The lines of a file that are not empty, read piece by piece. */
async function* linesOf(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let start = 0;
  let sincePause = 0;
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
    const line = decode(decoder, bytes.subarray(start, end)).trim();
    start = end + 1;
    if (line !== "") yield line;
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

function parseLine(line: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    throw invalid([{ path, message: "is not JSON" }]);
  }
  throw invalid([{ path, message: "must be an object" }]);
}

function unknownMembersError(unknown: string[], known: readonly string[]) {
  return invalid(
    unknown.slice(0, maxDetails).map((name) => ({
      path: name,
      message: withSuggestion("is not a column of this format", known, name),
    })),
  );
}

function unreadable({ format }: Reading, what: string, other: string) {
  return invalid([{ path: "", message: `is ${what}, and the format ${format} is read as ${other}` }]);
}

/** Text that a database would cut or replace is left out, and the row says so. */
function storable({ fields, faults }: ImportedLine): ImportedLine {
  const broken = Object.entries(fields).filter(
    ([, value]) => !isStorable(value) || value.length > longestCell,
  );
  if (broken.length === 0) return { fields, faults };
  const names = broken.map(([name]) => name);
  return {
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
    faults: [
      ...faults,
      ...broken.map(([path, value]) => ({
        path,
        message: isStorable(value)
          ? `must have at most ${longestCell} characters`
          : "must not contain NUL or lone surrogates",
      })),
    ],
  };
}

/** No field may be longer. */
const longestCell = 25_000;

type Trailer = { rows: number; said: { rows?: unknown; sha256?: unknown } };

/** An export ends with the number of its rows and the digest of what stands before, so that a cut is seen. */
async function requireTrailer(before: Uint8Array<ArrayBuffer>, { rows, said }: Trailer): Promise<void> {
  if (Number(said.rows) === rows && said.sha256 === (await sha256Hex(before))) return;
  throw invalid([
    {
      path: "",
      message: "is not what was exported: its last line names another number of rows, or another digest",
    },
  ]);
}

/** Where the last line that begins so starts; the end of the file where there is none. */
function lastLineStart(bytes: Uint8Array, start: string): number {
  const mark = new TextEncoder().encode(start);
  for (let at = bytes.byteLength - mark.byteLength; at >= 0; at--)
    if ((at === 0 || bytes[at - 1] === 0x0a) && mark.every((byte, nth) => bytes[at + nth] === byte))
      return at;
  return bytes.byteLength;
}
