import { type ErrorDetail, invalid, maxDetails } from "../../../base/errors.ts";
import { withoutApostrophe } from "../../../base/lib/csv-cells.ts";
import { isStorable } from "../../../base/lib/text.ts";
import { readCells } from "../../../kit/csv/read-cells.ts";
import { withSuggestion } from "../../../kit/http/nearest-name.ts";
import type { ImportedLine, ImportField } from "../fields.ts";
import { addedFields, withAdded } from "../formats/added-fields.ts";
import { formats, type ImportFormat } from "../formats/formats.ts";
import type { MapContext } from "../formats/members.ts";
import { delimiterIn, toUtf8 } from "./decode.ts";
import { readJsonLines } from "./json-lines.ts";
import { lastLineStart, requireTrailer } from "./trailer.ts";

/**
 * The settings by which an import reads its files: `mapping` names the column of a field, `defaults` the values of fields that a row leaves empty;
 * `takesRemoteMethods` is whether the account's store takes over payment methods that a provider keeps.
 */
export type FileReading = {
  format: ImportFormat;
  mapping: { [field in ImportField]?: string };
  defaults: { [field in ImportField]?: string };
} & Partial<Omit<MapContext, "added">>;

/** A row of a part: its lines, and its line in the part, as spreadsheets count: the header of CSV is line 1. */
export type PartRow = { n: number; lines: ImportedLine[] };

/**
 * The rows of a part, CSV or JSON lines. Throws VALIDATION_FAILED for one that cannot be read, or has columns that nobody knows; whatever is
 * wrong with a value is the row's, and is said by the check.
 */
export async function* readPart(
  bytes: Uint8Array<ArrayBuffer>,
  mediaType: string,
  reading: FileReading,
): AsyncGenerator<PartRow, undefined> {
  const text = toUtf8(bytes);
  const rows = mediaType === "text/csv" ? readCsvRows(text, reading) : readJsonRows(text, reading);
  for await (const { n, lines } of rows)
    yield { n, lines: lines.map((line) => withDefaults(storable(line), reading)) };
}

function withDefaults({ fields, faults }: ImportedLine, { defaults }: FileReading): ImportedLine {
  return { fields: { ...defaults, ...fields }, faults };
}

async function* readCsvRows(
  bytes: Uint8Array<ArrayBuffer>,
  reading: FileReading,
): AsyncGenerator<PartRow, undefined> {
  const { columns, added, mapRow } = formats[reading.format];
  if (!columns || !mapRow) throw unreadable(reading, "CSV", "application/x-ndjson");
  const known = [...new Set([...columns, ...added, ...Object.values(reading.mapping)])];
  const end = reading.format === "perennial" ? lastLineStart(bytes, csvTrailer) : bytes.byteLength;
  const cells = { width: known.length, delimiter: delimiterIn(bytes), rowsName: "rows" };
  let names: string[] | undefined;
  let n = 0;
  for await (const row of readCells(bytes.subarray(0, end), cells))
    if (names) {
      const own = addedFields(rowOf(names, row), { mapping: reading.mapping, added });
      yield {
        n: ++n + 1,
        lines: withAdded(await mapRow(own.rest, { ...reading, added: own.fields }), own.fields),
      };
    } else names = namesIn(row, known, reading);
  if (!names) throw invalid([{ path: "", message: "has no header" }]);
  if (end === bytes.byteLength) return;
  const [, rows, sha256] = new TextDecoder().decode(bytes.subarray(end)).trim().split(",");
  await requireTrailer(bytes.slice(0, end), { rows: n, said: { rows, sha256 } });
}

const csvTrailer = "# end,";

/** The names in a header. Each must be known and appear once, and every column that a field is mapped to must be there. */
function namesIn(cells: string[], known: string[], { mapping }: FileReading): string[] {
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
  for (const [field, column] of Object.entries(mapping))
    if (!names.includes(column))
      faults.push({
        path: `mapping.${field}`,
        message: `must name a column of the file, which has none called ${JSON.stringify(column)}`,
      });
  if (faults.length > 0) throw invalid(faults.slice(0, maxDetails));
  return names;
}

/** The cells that are not empty, by column. */
function rowOf(names: string[], cells: string[]): Record<string, string> {
  const entries = names.flatMap((name, nth) => {
    const cell = withoutApostrophe(cells[nth] ?? "");
    return cell.trim() === "" ? [] : [[name, cell] as const];
  });
  return Object.fromEntries(entries);
}

async function* readJsonRows(
  bytes: Uint8Array<ArrayBuffer>,
  reading: FileReading,
): AsyncGenerator<PartRow, undefined> {
  const { mapObject, unknownMembers, columns = [], added } = formats[reading.format];
  if (!mapObject) throw unreadable(reading, "JSON lines", "text/csv");
  const isTrailed = reading.format === "perennial";
  let rows = 0;
  let hasEnded = false;
  for await (const { line, object } of readJsonLines(bytes)) {
    if (hasEnded)
      throw invalid([{ path: "", message: "goes on behind its last line, which says where it ends" }]);
    if (isTrailed && object.end === true) {
      await requireTrailer(bytes.slice(0, lastLineStart(bytes, "{")), { rows, said: object });
      hasEnded = true;
      continue;
    }
    const own = addedFields(object, { mapping: reading.mapping, added });
    const unknown = unknownMembers?.(own.rest) ?? [];
    if (unknown.length > 0) throw unknownMembersError(unknown, columns);
    rows++;
    yield { n: line, lines: withAdded(mapObject(own.rest, { ...reading, added: own.fields }), own.fields) };
  }
}

function unknownMembersError(unknown: string[], known: readonly string[]) {
  return invalid(
    unknown.slice(0, maxDetails).map((name) => ({
      path: name,
      message: withSuggestion("is not a column of this format", known, name),
    })),
  );
}

function unreadable({ format }: FileReading, what: string, other: string) {
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
