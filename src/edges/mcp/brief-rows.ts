import { shorten } from "../../base/lib/text.ts";
import type { Brief } from "./brief.ts";

type Row = Record<string, unknown>;

/**
 * Rows as their brief has them, within a page's bytes whatever they hold: long texts are cut, and if that is not enough, the last
 * fields are left out. Fields without anything to say (null, false, empty) are left out too.
 */
export function briefRows(rows: Row[], { fields }: Brief): Row[] {
  const budget = (pageBytes / rowsOfPage) * Math.max(rows.length, rowsOfPage);
  for (const { count, length } of steps(fields.length)) {
    const shown = rows.map((row) => briefRow(row, fields.slice(0, count), length));
    if (bytesOf(shown) <= budget) return shown;
  }
  return rows.map((row) => briefRow(row, fields.slice(0, 1), shortest));
}

export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}

/** Bytes of a page of 25 rows, as JSON; longer pages have as much for each row. The whole result then has at most 10,000. */
const pageBytes = 9_200;
const rowsOfPage = 25;

/** Texts are cut to the first of these lengths with which the page fits. */
const textLengths = [100, 50, 30];
const shortest = 10;
/** The number of members of a list inside a row that are shown. */
const maxMembers = 3;

/** From the most to the least that is shown of a row with so many fields. */
function steps(all: number): { count: number; length: number }[] {
  const counts = Array.from({ length: all - 1 }, (_, dropped) => all - dropped);
  return [
    ...textLengths.map((length) => ({ count: all, length })),
    ...counts.map((count) => ({ count, length: textLengths.at(-1) ?? shortest })),
    ...counts.map((count) => ({ count, length: shortest })),
  ];
}

function briefRow(row: Row, fields: string[], length: number): Row {
  const shown: Row = {};
  for (const [name, inner] of groupFields(fields)) {
    const value = briefValue(name, row[name], inner, length);
    if (!isIdle(value)) shown[name] = value;
  }
  return shown;
}

/** The fields of a row in order, each with the fields wanted inside it. */
function groupFields(fields: string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const field of fields) {
    const [name = "", ...rest] = field.split(".");
    groups.set(name, [...(groups.get(name) ?? []), ...(rest.length > 0 ? [rest.join(".")] : [])]);
  }
  return groups;
}

/** A record of which no fields are named is shown by the names of its fields. */
function briefValue(name: string, value: unknown, inner: string[], length: number): unknown {
  if (typeof value === "string") return isId(name) ? value : shorten(value, length);
  if (Array.isArray(value))
    return value.slice(0, maxMembers).map((member) => briefValue(name, member, inner, length));
  if (typeof value !== "object" || value === null) return value;
  if (inner.length > 0) return briefRow(value as Row, inner, length);
  return briefValue(name, Object.keys(value), [], length);
}

/** An id that is cut leads nowhere. Ids of ours have 36 characters, those of stores seldom more. */
function isId(name: string): boolean {
  return name === "id" || name.endsWith("_id");
}

function isIdle(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
