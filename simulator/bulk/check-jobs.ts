import { raw, rows } from "../../src/base/db/statement.ts";
import type { FieldChange } from "../../src/base/lib/diff.ts";
import { type CalendarDate, dateIn } from "../../src/base/lib/time/dates.ts";
import type { World } from "../kernel/world.ts";

type Row = {
  job_id: string;
  status: string;
  job_status: string;
  record_id: string | null;
  undo: string | null;
};
type Entry = { action: string; changes: string | null; job_id: string; created_at: string };
type Counted = {
  id: string;
  status: string;
  total: number;
  done: number;
  failed: number;
  skipped: number;
  undone: number;
  total_before: number;
  total_after: number;
};

/** Checks what bulk jobs have done in a schedule that has come to its end. */
export async function checkJobs(world: World): Promise<void> {
  const { database, account, subscriptionId } = world;
  const its = await rows(database, rowsOf(account.seq, subscriptionId));
  const entries = await rows(database, entriesOf(account.seq, subscriptionId));
  for (const row of its)
    checkRow(
      world,
      row,
      entries.filter(({ job_id }) => job_id === row.job_id),
    );
  for (const { job_id } of entries)
    if (!its.some((row) => row.job_id === job_id))
      world.report("a row's change happens once", "a job that has no row changed it");
  for (const job of await rows(database, jobsOf(account.seq))) await checkCounts(world, job);
}

/** A row that is done has one entry, one that is taken back two, and no other row has any. */
function checkRow({ report, account }: World, row: Row, entries: Entry[]): void {
  const changed = row.undo !== null && "entry_id" in JSON.parse(row.undo);
  const expected = !changed ? 0 : row.status === "UNDONE" ? 2 : row.status === "OK" ? 1 : 0;
  if (entries.length !== expected)
    report(
      "a row's change happens once",
      `${entries.length} entries of a row that is ${row.status}, in place of ${expected}`,
    );
  const [forward, back] = entries;
  if (forward && back)
    checkUndone(report, {
      wrote: changesOf(forward),
      restored: changesOf(back),
      today: dateIn(back.created_at, account.timezone),
    });
}

type Changes = Record<string, FieldChange>;
type Undone = { wrote: Changes; restored: Changes; today: CalendarDate };

/**
 * Each field that an undoing has changed had what the job wrote, and has again what it had before; but whoever comes back to life is billed
 * tomorrow at the earliest, so that the dates of one that was to be billed today are others.
 */
function checkUndone(report: World["report"], { wrote, restored, today }: Undone): void {
  const isPutOff = wrote.status !== undefined && wrote.next_billing_date?.from === today;
  for (const [field, { from, to }] of Object.entries(restored)) {
    const written = wrote[field];
    if (!written || followsFromPrices.has(field) || (isPutOff && field.endsWith("_date"))) continue;
    if (!isSame(written.to, from))
      report(
        "undoing a job keeps what customers did",
        `${field} was ${JSON.stringify(from)}, which the job had not written`,
      );
    if (!isSame(written.from, to))
      report("what is undone is as before", `${field} was ${JSON.stringify(written.from)}, and is ${to}`);
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A price is put back line by line, whatever else of the lines has changed since. */
const followsFromPrices = new Set(["lines", "subtotal", "discount_amount", "total"]);

async function checkCounts({ database, report, account }: World, job: Counted): Promise<void> {
  const counted = await rows(
    database,
    raw<{ status: string; many: number }>(
      "SELECT status, COUNT(*) AS many FROM job_rows WHERE account_seq = ? AND job_id = ? GROUP BY status",
      ...[account.seq, job.id],
    ),
  );
  const of = (status: string) => counted.find((each) => each.status === status)?.many ?? 0;
  const expected = [of("OK"), of("FAILED"), of("SKIPPED"), of("UNDONE")];
  const { done, failed, skipped, undone } = job;
  if (JSON.stringify([done, failed, skipped, undone]) !== JSON.stringify(expected))
    report("a job counts its rows", `${[done, failed, skipped, undone]} in place of ${expected}`);
  await checkTotals({ database, report, account } as World, job);
  const isOver = ["DONE", "CANCELLED", "UNDONE", "PAUSED", "FAILED"].includes(job.status);
  if (!isOver) report("a job comes to its end", `it is ${job.status}`);
  if (job.status === "DONE" && of("PENDING") > 0) report("a job comes to its end", "a row is left");
}

/** The totals of a job are those of the rows that it has done, whatever became of it and of them. */
async function checkTotals({ database, report, account }: World, job: Counted): Promise<void> {
  const [sums] = await rows(
    database,
    raw<{ total_before: number; total_after: number }>(
      `SELECT TOTAL(summary ->> 'total_before') AS total_before, TOTAL(summary ->> 'total_after') AS total_after
        FROM job_rows WHERE account_seq = ? AND job_id = ? AND status IN ('OK', 'UNDONE')`,
      ...[account.seq, job.id],
    ),
  );
  for (const name of ["total_before", "total_after"] as const)
    if (Math.abs(sums![name] - job[name]) > 0.000_1)
      report("a job sums up its rows", `${name} is ${job[name]} in place of ${sums![name]}`);
}

function changesOf({ changes }: Entry): Record<string, FieldChange> {
  return changes === null ? {} : JSON.parse(changes);
}

function rowsOf(seq: number, id: string) {
  return raw<Row>(
    `SELECT its.job_id, its.status, jobs.status AS job_status, its.record_id, its.undo FROM job_rows AS its
      JOIN jobs ON jobs.account_seq = its.account_seq AND jobs.id = its.job_id
      WHERE its.account_seq = ? AND its.record_id = ?`,
    ...[seq, id],
  );
}

/** Skips, pauses and prices have one entry each; further entries of one change, such as the end of an attempt, are of other actions. */
function entriesOf(seq: number, id: string) {
  return raw<Entry>(
    `SELECT action, changes, created_at, metadata ->> '$.job_id' AS job_id FROM activity_logs
      WHERE account_seq = ? AND subscription_id = ? AND metadata ->> '$.job_id' IS NOT NULL
        AND action IN ('delivery_instructions_updated', 'subscription_skipped', 'subscription_paused',
          'lines_changed', 'price_change_announced', 'delivery_rescheduled', 'subscription_cancelled', 'subscription_change_undone') ORDER BY sequence`,
    ...[seq, id],
  );
}

function jobsOf(seq: number) {
  return raw<Counted>(
    `SELECT id, status, total, done, failed, skipped, undone, summary ->> 'total_before' AS total_before,
      summary ->> 'total_after' AS total_after FROM jobs WHERE account_seq = ? AND kind = 'BULK'`,
    seq,
  );
}
