import { and, eq, ne, sql } from "drizzle-orm";
import { rowsAsJson } from "../../base/db/bulk.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, columnsEqual, first, type Params, prepare, raw, statement } from "../../base/db/statement.ts";
import { DomainError, invalid, notFound } from "../../base/errors.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import { shorten } from "../../base/lib/text.ts";
import type { Ctx } from "../../kit/context.ts";
import { changeEach } from "../../kit/journal/write.ts";
import { plainId } from "../../stores/ids.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import { subjectOfJob } from "../merchant-jobs/subject.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { profileUploads } from "../profiles/tables.ts";
import { emptySummary, type ImportInput } from "./create.ts";
import type { ImportedLine } from "./fields.ts";
import { requireDigest } from "./files/digest.ts";
import { type PartRow, readPart } from "./files/read-part.ts";
import { importParts, linesOfRow } from "./tables.ts";

/** A part of an import as it was sent. */
type SentPart = {
  id: string;
  part: number;
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
  digest: string | undefined;
  dryRun: boolean;
  /** Throws where the caller lacks a scope that the import needs. */
  authorize: (job: MerchantJob) => void;
};

/**
 * Takes a part of an import in place of the one of its number. It is read and staged piece by piece, so that little of it is in memory at
 * once, and then becomes lines in one batch. Throws VALIDATION_FAILED where it cannot be read, INVALID_STATE once the import has begun.
 */
export async function putPart(ctx: Ctx, sent: SentPart): Promise<MerchantJob> {
  const found = await findPlace(ctx, sent);
  sent.authorize(found.job);
  requireOpenJob(found.job);
  if (sent.bytes.byteLength === 0) throw invalid([{ path: "", message: "a body is required" }]);
  await requireDigest(sent.bytes, sent.digest);
  const input: ImportInput = JSON.parse(found.job.input);
  const reading = { ...input, takesRemoteMethods: ctx.store.remoteMethods !== undefined };
  const read = () => readPart(sent.bytes, sent.mediaType, reading);
  await requireRoom(sent.bytes, read, mostRows - found.rowsBeside);
  const upload: Upload = { account_seq: ctx.account.seq, id: ctx.newId() };
  const staged = { pieces: 0, rows: 0 };
  try {
    for await (const group of inGroups(read())) {
      staged.rows += group.length;
      if (sent.dryRun) continue;
      for (const rows of rowsAsJson(
        stagedColumns,
        group.flatMap((row) => linesOf(sent.part, row)),
      ))
        await commit({ db: ctx.db }, [insertPiece(ctx, { ...upload, piece: staged.pieces++, rows })]);
    }
    if (staged.rows === 0) throw invalid([{ path: "", message: "has no rows" }]);
    let known: Place | undefined = found;
    return await retryOnConflict(async () => {
      const current = known ?? (await findPlace(ctx, sent));
      known = undefined;
      return applyPart(ctx, current, sent, { upload, ...staged });
    }, maxTries);
  } catch (error) {
    await commit({ db: ctx.db }, [deleteUpload(upload)]).catch(() =>
      ctx.log("upload_not_removed", { upload_id: upload.id }),
    );
    throw error;
  }
}

/** An import. Throws NOT_FOUND for any other job. */
export async function getImport(ctx: Ctx, id: string): Promise<MerchantJob> {
  const job = await getJob(ctx, id);
  if (job.kind !== "IMPORT") throw notFound("Import");
  return job;
}

/** The import that a part goes to, with its import, and the rows of the other parts. */
type Place = { job: MerchantJob; rowsBeside: number };

/** The job is read first, so that its revision tells of a part that was put after this. */
async function findPlace(ctx: Ctx, { id, part }: SentPart): Promise<Place> {
  const job = await getImport(ctx, id);
  const { rows } = (await first(
    ctx.db,
    selectRowsOfOthers({ account_seq: ctx.account.seq, job_id: id, part }),
  ))!;
  return { job, rowsBeside: rows };
}

/** Throws VALIDATION_FAILED for more rows than there is room for, before any is staged. They are counted where the lines may be too many. */
async function requireRoom(
  bytes: Uint8Array,
  read: () => AsyncIterable<PartRow>,
  room: number,
): Promise<void> {
  if (linesIn(bytes) <= room) return;
  let rows = 0;
  for await (const _ of read()) if (++rows > room) throw tooManyRows();
}

/** At least as many as the rows: a line ends with LF or CR, or both. */
function linesIn(bytes: Uint8Array): number {
  let lines = 1;
  for (let at = 0; at < bytes.byteLength; at++) if (bytes[at] === 0x0a || bytes[at] === 0x0d) lines++;
  return lines;
}

/** The most rows of an import. */
const mostRows = 200_000;
/** Parts that are put side by side change the same job. */
const maxTries = 20;

type Upload = { account_seq: AccountSeq; id: string };

function requireOpenJob({ status }: MerchantJob): void {
  if (status !== "STAGING" && status !== "READY")
    throw new DomainError("INVALID_STATE", `Cannot put a part of an import that is ${status}`);
}

/** Rows of a part that are staged together. */
async function* inGroups(rows: AsyncIterable<PartRow>): AsyncGenerator<PartRow[], undefined> {
  let group: PartRow[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < groupRows) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const groupRows = 500;

const stagedColumns = ["n", "ref", "customer", "line"] as const;

/** The lines of a row. One without a ref is a subscription of its own, which the check refuses. */
function linesOf(part: number, { n, lines }: PartRow) {
  return lines.map((line, nth) => {
    const { order_ref, subscription_ref } = line.fields;
    const ref = order_ref ?? subscription_ref ?? `part ${part}, line ${n}`;
    return {
      n: n * linesOfRow + nth,
      ref: shorten(ref, longestRef),
      customer: customerOf(line),
      line: JSON.stringify(line),
    };
  });
}

const longestRef = 255;

function customerOf({ fields: { email, store_customer_id: id } }: ImportedLine): string | null {
  if (email !== undefined) return emailKey(email.trim()).slice(0, longestRef);
  return id === undefined ? null : `:${plainId("Customer", id.trim()).slice(0, longestRef)}`;
}

function insertPiece({ realNow }: Ctx, piece: Upload & { piece: number; rows: string }): Statement {
  return insertRow(profileUploads, { ...piece, created_at: realNow });
}

type Staged = { upload: Upload; pieces: number; rows: number };

async function applyPart(
  ctx: Ctx,
  { job, rowsBeside }: Place,
  { id, part, dryRun }: SentPart,
  staged: Staged,
): Promise<MerchantJob> {
  requireOpenJob(job);
  const total = rowsBeside + staged.rows;
  if (total > mostRows) throw tooManyRows();
  const after = {
    status: "STAGING" as const,
    ...{ total: 0, done: 0, failed: 0, skipped: 0 },
    summary: JSON.stringify(emptySummary(ctx, total)),
  };
  if (!dryRun) {
    const writes = partStatements(ctx, { job_id: id, part }, staged);
    await changeEach(ctx, [], writes, [{ subject: subjectOfJob(job), after }]);
  }
  return { ...job, ...after };
}

/** The other parts lead by their key. */
const selectRowsOfOthers = prepare((p: Params<{ account_seq: AccountSeq; job_id: string; part: number }>) =>
  build
    .select({ rows: sql<number>`COALESCE(SUM(${importParts.row_count}), 0)`.as("rows") })
    .from(importParts)
    .where(and(columnsEqual(importParts, p, "account_seq", "job_id"), ne(importParts.part, p("part")))),
);

type PartKey = { job_id: string; part: number };

function partStatements(ctx: Ctx, { job_id, part }: PartKey, { upload, rows }: Staged): Statement[] {
  const place = [ctx.account.seq, job_id, part];
  return [
    raw("DELETE FROM import_lines WHERE account_seq = ? AND job_id = ? AND part = ?", ...place),
    raw(
      `INSERT INTO import_lines (account_seq, job_id, part, n, ref, customer, line)
        SELECT ?1, ?2, ?3, row.value ->> 0, row.value ->> 1, row.value ->> 2, row.value ->> 3
        FROM profile_uploads AS upload, json_each(upload.rows) AS row
        WHERE upload.account_seq = ?1 AND upload.id = ?4`,
      ...place,
      upload.id,
    ),
    raw(
      `INSERT INTO import_parts (account_seq, job_id, part, row_count) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET row_count = excluded.row_count`,
      ...place,
      rows,
    ),
    deleteUpload(upload),
  ];
}

function deleteUpload({ account_seq, id }: Upload): Statement {
  const isIt = and(eq(profileUploads.account_seq, account_seq), eq(profileUploads.id, id));
  return statement(build.delete(profileUploads).where(isIt));
}

function tooManyRows(): DomainError {
  return invalid([{ path: "", message: `makes more than ${mostRows} rows of the import` }]);
}
