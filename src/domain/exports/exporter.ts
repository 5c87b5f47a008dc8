import type { Range } from "../../base/db/list/list-range.ts";
import type { Statement } from "../../base/db/port.ts";
import { rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { onItsOwn } from "../../kit/on-its-own.ts";
import type { ExportFormat, PartFilters } from "./resources.ts";

/** The values of one line, by field. */
type Line = Record<string, unknown>;

/**
 * The rows of a part that were read at once: their lines, undefined in place of a row that cannot be shown, how many rows they are of, and the
 * key of the last.
 */
type ExportPage = {
  lines: AsyncIterable<Line | undefined>;
  size: number;
  last: string | number | undefined;
};

/** The way in which the records of a resource are read, and written in each format. */
export type Exporter = {
  readPage: (ctx: Ctx, format: ExportFormat, filters: PartFilters, range: Range) => Promise<ExportPage>;
};

type Definition<Row, Shown> = {
  select: (ctx: Ctx, filters: PartFilters, range: Range) => Statement<Row>;
  keyOf: (row: Row) => string | number;
  /** Reads each row as a caller with the merchant's key sees it. */
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

  async function* linesOf(
    ctx: Ctx,
    format: ExportFormat,
    found: Row[],
  ): AsyncGenerator<Line | undefined, undefined> {
    const show = (shown: Shown) => (format === "csv" ? csvLines(ctx, shown) : [present(ctx, shown) as Line]);
    for (const row of found) {
      const lines = await onItsOwn(ctx, { task: "export", record: keyOf(row) }, () =>
        view(ctx, [row]).flatMap(show),
      );
      yield* lines ?? [undefined];
    }
  }

  return {
    async readPage(ctx, format, filters, range) {
      const found = await rows(ctx.db, select(ctx, filters, range));
      const last = found.at(-1);
      return {
        lines: linesOf(ctx, format, found),
        size: found.length,
        last: last && keyOf(last),
      };
    },
  };
}
