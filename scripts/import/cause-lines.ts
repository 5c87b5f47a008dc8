import { addCauses, type Cause, type RowPlace } from "../../src/domain/imports/causes.ts";

/** A row of a job as the API answers it. */
export type Row = {
  status: string;
  errors: { path: string; message: string }[];
  summary: Partial<RowPlace>;
};

/** The causes of what is said of rows, each with its first ones. */
export function causesOf(known: Cause[], rows: Row[]): Cause[] {
  return addCauses(
    known,
    rows.map(({ errors, summary: { part = 1, line = 0, email = null } }) => ({
      ...{ place: { part, line, email }, causes: errors },
    })),
  );
}

/** A sentence for each cause: how many rows have it, and where the first of them stand. `rowsBefore` each part the file has so many. */
export function causeLines(causes: Cause[], rowsBefore: number[] | undefined): string[] {
  return causes.map(({ path, message, rows, first }) => {
    const places = first.map(({ part, line, email }) => {
      const before = rowsBefore?.[part - 1];
      const place =
        before === undefined && part > 1 ? `part ${part}, line ${line}` : `line ${line + (before ?? 0)}`;
      return email === null ? place : `${place} ${email}`;
    });
    const more = rows > first.length ? ["…"] : [];
    const sentence = path === "" ? message : `${path} ${message}`;
    return `${rows} ${rows === 1 ? "row" : "rows"}: ${sentence} (${[...places, ...more].join("; ")})`;
  });
}
