import type { Range } from "../../base/db/list-range.ts";
import type { Statement } from "../../base/db/port.ts";
import { rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import type { ExportFormat, PartFilters } from "./resources.ts";

/** The values of one line, by field. */
type Line = Record<string, unknown>;

/** The rows of a part that were read at once: their lines, how many rows they are of, and the key of the last. */
export type ExportPage = { lines: Iterable<Line>; size: number; last: string | number | undefined };

/** How the records of a resource are read, and written in each format. */
export type Exporter = {
  readPage: (ctx: Ctx, format: ExportFormat, filters: PartFilters, range: Range) => Promise<ExportPage>;
};

type Definition<Row, Shown> = {
  select: (ctx: Ctx, filters: PartFilters, range: Range) => Statement<Row>;
  keyOf: (row: Row) => string | number;
  /** Reads rows as a caller with the merchant's key sees them. */
  view: (ctx: Ctx, rows: Row[]) => Shown[];
  /** The record as its GET answers it. */
  present: (ctx: Ctx, shown: Shown) => object;
  /** The lines of a record in CSV, where they are not its own fields. */
  csvLines?: (ctx: Ctx, shown: Shown) => Line[];
};

/** Makes the exporter of a resource. A page is read in one trip; its records are presented one by one, as they are written. */
export function defineExporter<Row, Shown>(definition: Definition<Row, Shown>): Exporter {
  const { select, keyOf, view, present } = definition;
  const csvLines = definition.csvLines ?? ((ctx: Ctx, shown: Shown) => [present(ctx, shown) as Line]);

  function* linesOf(ctx: Ctx, format: ExportFormat, all: Shown[]): Iterable<Line> {
    for (const shown of all)
      if (format === "csv") yield* csvLines(ctx, shown);
      else yield present(ctx, shown) as Line;
  }

  return {
    async readPage(ctx, format, filters, range) {
      const found = await rows(ctx.db, select(ctx, filters, range));
      const last = found.at(-1);
      return {
        lines: linesOf(ctx, format, view(ctx, found)),
        size: found.length,
        last: last && keyOf(last),
      };
    },
  };
}
