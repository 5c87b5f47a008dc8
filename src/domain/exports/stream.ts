import { createHash } from "node:crypto";
import { byteOrderMark, csvLine } from "../../base/lib/csv-cells.ts";
import type { Ctx } from "../../kit/context.ts";
import { exporters } from "./exporters.ts";
import { fieldsOf } from "./fields.ts";
import type { ExportPart } from "./resources.ts";

/**
 * The bytes of a part. A page is read when the reader asks for more, so that no more than one is in memory, whatever the part's length. The
 * last line has the count of the lines before it and their SHA-256: without it the part was cut off. It also says how many records could not be
 * shown, which are left out.
 */
export function streamPart(ctx: Ctx, part: ExportPart): ReadableStream<Uint8Array> {
  const { resource, format, filters, up_to: upTo } = part;
  const form = formOf(part);
  const hash = createHash("sha256");
  let next: { after: string | number; size: number } | undefined = { after: part.after, size: firstPage };
  let rows = 0;
  let leftOut = 0;
  let text = form.header;

  const readPage = async ({ after, size }: { after: string | number; size: number }) => {
    const page = await exporters[resource].readPage(ctx, format, filters, { after, upTo, size });
    for await (const line of page.lines) {
      if (line) text += form.line(line);
      if (line) rows++;
      else leftOut++;
    }
    const bytes = new TextEncoder().encode(text);
    text = "";
    hash.update(bytes);
    const isLast = page.size < size || page.last === undefined;
    next = isLast ? undefined : { after: page.last!, size: sizeOfNext(page.size, bytes.byteLength) };
    return bytes;
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (next) controller.enqueue(await readPage(next));
          if (next) return;
          controller.enqueue(new TextEncoder().encode(form.end({ rows, leftOut }, hash.digest("hex"))));
          controller.close();
          ctx.log("export_part_sent", { resource, format, n: part.n, rows, ...ctx.db.usage });
        } catch (error) {
          ctx.log("export_part_failed", { resource, format, n: part.n, cause: String(error) });
          controller.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** The way in which the lines of a format are written. */
type Form = {
  header: string;
  line: (values: Record<string, unknown>) => string;
  end: (counts: { rows: number; leftOut: number }, sha256: string) => string;
};

function formOf({ resource, format, fields: chosen }: ExportPart): Form {
  const fields = chosen ?? fieldsOf[resource][format];
  if (format === "csv")
    return {
      header: byteOrderMark + csvLine(fields),
      line: (values) => csvLine(fields.map((field) => cellOf(values[field]))),
      end: ({ rows, leftOut }, sha256) => `# end,${rows},${sha256}${leftOut > 0 ? `,${leftOut}` : ""}\r\n`,
    };
  return {
    header: "",
    line: (values) => `${JSON.stringify(chosen ? pick(values, chosen) : values)}\n`,
    end: ({ rows, leftOut }, sha256) =>
      `${JSON.stringify({ end: true, rows, sha256, ...(leftOut > 0 && { left_out: leftOut }) })}\n`,
  };
}

/** A value that is no single one is JSON in its cell. */
function cellOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function pick(values: Record<string, unknown>, fields: string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in values).map((field) => [field, values[field]]));
}

/** The next page has as many rows as make up so many bytes, going by this one. */
function sizeOfNext(rows: number, bytes: number): number {
  return Math.max(smallestPage, Math.min(largestPage, Math.round((rows * bytesOfPage) / Math.max(1, bytes))));
}

const firstPage = 100;
/** A part takes 834 pages at most: an invocation may ask its database a thousand times. */
const smallestPage = 60;
const largestPage = 1_000;
const bytesOfPage = 1_000_000;
