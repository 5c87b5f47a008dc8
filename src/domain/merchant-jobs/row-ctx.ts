import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import type { Condition } from "../../base/db/wrapped/fenced.ts";
import { withFirstWrite } from "../../base/db/wrapped/first-write.ts";
import type { ErrorDetail } from "../../base/errors.ts";
import type { Ctx, JobRowNote } from "../../kit/context.ts";
import type { JobRow, MerchantJob } from "./tables.ts";

/** The outcome of a row, as it is stored. `undo` is what is needed to take it back. */
export type RowOutcome = {
  status: JobRow["status"];
  record_id?: string | null;
  errors?: ErrorDetail[];
  summary?: object;
  undo?: object | null | undefined;
};

/** A row that is worked on: its context, and the outcome that its first write will store. */
export type OpenRow = {
  ctx: Ctx;
  /** The context of what is written beside the row, whatever becomes of that. */
  beside: Ctx;
  /** Sets parts of the outcome that is stored together with what the row changes, or how they are found by then. */
  note: (outcome: Partial<RowOutcome> | (() => Partial<RowOutcome>)) => void;
  /** Whether the row's change is committed, and its outcome with it. */
  isMarked: () => boolean;
  /** Whether the store was asked about the row, and has answered. */
  hasStoreAnswered: () => boolean;
  /** Stores an outcome of a row that has changed nothing. */
  mark: (outcome: RowOutcome) => Promise<void>;
};

/** Somebody else has done the row, or the job no longer works on its rows. Nothing was written. */
export class RowTakenError extends Error {}

/**
 * Opens a row for its work. Whatever is written first through its context is one batch with the row's outcome, which is refused where the
 * row is not as it was read, or the job has left the status: so a row is done once, and none after its job was paused or cancelled. The
 * work is done as who asked for the job, and each of its entries names the job.
 */
export function openRow(ctx: Ctx, job: MerchantJob, row: JobRow, done: JobRow["status"]): OpenRow {
  const notes: Parameters<OpenRow["note"]>[0][] = [];
  let isMarked = false;
  const note: OpenRow["note"] = (more) => notes.push(more);
  const outcome = (): RowOutcome =>
    Object.assign({ status: done }, ...notes.map((more) => (typeof more === "function" ? more() : more)));
  const db = withFirstWrite(ctx.db, {
    statement: () => updateRowOutcome(row, outcome()),
    condition: isAsRead(job, row),
    newRefusal: () => new RowTakenError(),
    onWritten: () => {
      isMarked = true;
    },
  });
  const actor = { type: job.created_by_type, name: job.created_by };
  const jobRow: JobRowNote = { job_id: job.id };
  return {
    ctx: { ...ctx, db, actor, jobRow },
    beside: { ...ctx, jobRow },
    note,
    isMarked: () => isMarked,
    hasStoreAnswered: () => jobRow.hasStoreAnswered === true,
    mark: async (last) => {
      note(last);
      await commit({ db }, []);
    },
  };
}

function isAsRead(job: MerchantJob, row: JobRow): Condition {
  return {
    sql: `(EXISTS (SELECT 1 FROM job_rows WHERE account_seq = ?1 AND job_id = ?2 AND n = ?3 AND status = ?4)
      AND EXISTS (SELECT 1 FROM jobs WHERE account_seq = ?1 AND id = ?2 AND status = ?5))`,
    params: [row.account_seq, row.job_id, row.n, row.status, job.status],
  };
}

/** Parts of the outcome that are absent stay as they are. */
function updateRowOutcome(row: JobRow, { status, record_id, errors, summary, undo }: RowOutcome): Statement {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  return raw(
    `UPDATE job_rows SET status = ?1, record_id = COALESCE(?2, record_id), errors = COALESCE(?3, errors),
      summary = COALESCE(?4, summary), undo = COALESCE(?5, undo)
      WHERE account_seq = ?6 AND job_id = ?7 AND n = ?8`,
    ...[status, record_id ?? null, text(errors), text(summary), text(undo)],
    ...[row.account_seq, row.job_id, row.n],
  );
}
