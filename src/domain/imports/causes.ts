import type { ErrorDetail } from "../../base/errors.ts";

/** The place of a row in its file: the part, the line as spreadsheets count, and the customer's e-mail address where the row has one. */
export type RowPlace = { part: number; line: number; email: string | null };

/** The e-mail address among what names the customer of lines. */
export function emailOf(customer: string | null): string | null {
  return customer === null || customer.startsWith(":") ? null : customer;
}

/** A cause that rows share, in one sentence: how many have it, and the first of them. */
export type Cause = { path: string; message: string; rows: number; first: RowPlace[] };

type CausedRow = { place: RowPlace; causes: ErrorDetail[] };

/** The causes so far with those of further rows. Dates and ids in their sentences make no causes of their own. */
export function addCauses(known: Cause[], rows: CausedRow[]): Cause[] {
  const byKey = new Map(known.map((cause) => [keyOf(cause), cause]));
  for (const { place, causes } of rows) {
    const its = new Map(causes.map((cause) => [keyOf(cause), cause]));
    for (const [own, { path, message }] of its) {
      const key = byKey.has(own) || byKey.size < mostCauses ? own : keyOf(others);
      const cause = byKey.get(key) ?? {
        ...(key === own ? { path: pathOf(path), message } : others),
        rows: 0,
        first: [],
      };
      byKey.set(key, {
        path: cause.path,
        message: cause.message === message || key !== own ? cause.message : shapeOf(message),
        rows: cause.rows + 1,
        first: cause.first.length < mostNamed ? [...cause.first, place] : cause.first,
      });
    }
  }
  return [...byKey.values()];
}

const mostCauses = 40;
const mostNamed = 3;
const others = { path: "", message: "is at fault otherwise, as its own row says" };

function keyOf({ path, message }: ErrorDetail): string {
  return `${pathOf(path)} ${shapeOf(message)}`;
}

/** A field of whichever line, or element of a list. */
function pathOf(path: string): string {
  return path.replace(/^lines\.\d+\./, "").replace(/\.\d+(?=\.|$)/g, "");
}

function shapeOf(message: string): string {
  return message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d/g, "…");
}
