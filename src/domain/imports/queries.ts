import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, type Params, prepare, raw, readNamed, rows } from "../../base/db/statement.ts";
import { readProvinces } from "../../base/lib/places/provinces.ts";
import type { Ctx } from "../../kit/context.ts";
import { selectAllSlots, slotsById } from "../delivery/queries.ts";
import { sellingPlans } from "../selling-plans/tables.ts";
import type { ImportInput } from "./create.ts";
import type { ImportedLine } from "./fields.ts";
import type { Surroundings } from "./planned/surroundings.ts";
import type { ImportRef } from "./tables.ts";

/** More lines than a subscription may have are not read. */
const mostLines = 251;

/** The lines of refs in the order of the file, by ref. */
export async function readLines(
  ctx: Ctx,
  jobId: string,
  refs: string[],
): Promise<Map<string, ImportedLine[]>> {
  const found = await rows(ctx.db, selectLines(ctx, jobId, refs));
  const parsed = found.map(({ ref, line }) => ({ ref, line: JSON.parse(line) as ImportedLine }));
  const byRef = Map.groupBy(parsed, ({ ref }) => ref);
  return new Map([...byRef].map(([ref, its]) => [ref, its.map(({ line }) => line)]));
}

/** The refs lead, each by the index of refs. The builder has no json_each. */
function selectLines(
  { account }: Ctx,
  jobId: string,
  refs: string[],
): Statement<{ ref: string; line: string }> {
  return raw(
    `SELECT asked.value AS ref, its.line AS line FROM json_each(?3) AS asked CROSS JOIN import_lines AS its
      WHERE its.rowid IN (SELECT rowid FROM import_lines WHERE account_seq = ?1 AND job_id = ?2 AND ref = asked.value
        ORDER BY part, n LIMIT ?4)
      ORDER BY asked.key, its.part, its.n`,
    ...[account.seq, jobId, JSON.stringify(refs), mostLines],
  );
}

/** The place that a check has come to: at a line of a part. */
export type LinePlace = { part: number; line: number };

/** A line that is the first of its subscription, or not, how long the lines of its subscription are, and who is its customer. */
export type NextLine = {
  part: number;
  n: number;
  ref: string;
  customer: string | null;
  is_first: 0 | 1;
  size: number;
};

/** The next lines of the file. */
export function readNextLines({ db, account }: Ctx, jobId: string, after: LinePlace): Promise<NextLine[]> {
  return rows(
    db,
    raw<NextLine>(
      `WITH page AS MATERIALIZED (SELECT part, n, ref, customer FROM import_lines
          WHERE account_seq = ?1 AND job_id = ?2 AND (part, n) > (?3, ?4) ORDER BY part, n LIMIT ?5)
        SELECT part, n, ref, customer,
          (SELECT COALESCE(SUM(length(line)), 0) FROM (SELECT line FROM import_lines
            WHERE account_seq = ?1 AND job_id = ?2 AND ref = page.ref ORDER BY part, n LIMIT ?6)) AS size,
          NOT EXISTS (SELECT 1 FROM import_lines AS earlier WHERE earlier.account_seq = ?1 AND earlier.job_id = ?2
            AND earlier.ref = page.ref AND (earlier.part, earlier.n) < (page.part, page.n)) AS is_first
        FROM page ORDER BY part, n`,
      ...[account.seq, jobId, after.part, after.line, linesOfPage, mostLines],
    ),
  );
}

/** The lines that one page of a check looks through at most. */
export const linesOfPage = 100;

/** Records of the account that have these refs already. */
export type Taken = {
  /** The ids of what was moved in from this source, by ref. */
  imported: Map<string, string>;
  /** The imports that have left some of these held, as they failed or were cancelled, by ref. */
  leftBy: Map<string, string>;
  /** Living subscriptions with such a migration_source_ref, by it. */
  holders: Map<string, string>;
  /** The account's own subscriptions of these ids. */
  own: Set<string>;
};

export async function readTaken(
  ctx: Ctx,
  { source, refs, kind }: { source: string; refs: string[]; kind: ImportRef["kind"] },
): Promise<Taken> {
  const { seq } = ctx.account;
  const asked = JSON.stringify(refs);
  const { imported, holders, own } = await readNamed(ctx.db, {
    imported: raw<{ ref: string; record_id: string; left_by: string | null }>(
      `SELECT its.ref, its.record_id, CASE WHEN its.is_held = 1 AND ${hasLeft} THEN its.job_id END AS left_by
        FROM json_each(?4) AS asked CROSS JOIN import_refs AS its
          ON its.account_seq = ?1 AND its.source = ?2 AND its.kind = ?3 AND its.ref = asked.value
        LEFT JOIN jobs AS maker ON maker.account_seq = its.account_seq AND maker.id = its.job_id`,
      ...[seq, source, kind, asked],
    ),
    holders: raw<{ ref: string; id: string }>(
      `SELECT asked.value AS ref, its.id FROM json_each(?2) AS asked CROSS JOIN subscriptions AS its
        ON its.account_seq = ?1 AND its.migration_source_ref = asked.value
          AND its.status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED')`,
      ...[seq, asked],
    ),
    own: raw<{ id: string }>(
      `SELECT its.id FROM json_each(?2) AS asked CROSS JOIN subscriptions AS its
        ON its.account_seq = ?1 AND its.id = asked.value`,
      ...[seq, asked],
    ),
  });
  return {
    imported: new Map(imported.map(({ ref, record_id }) => [ref, record_id])),
    leftBy: new Map(imported.flatMap(({ ref, left_by }) => (left_by === null ? [] : [[ref, left_by]]))),
    holders: new Map(holders.map(({ ref, id }) => [ref, id])),
    own: new Set(own.map(({ id }) => id)),
  };
}

/** Whether the import that has made a record ended otherwise than it should. One that is done keeps what it has made. */
const hasLeft = "COALESCE(maker.status, 'FAILED') IN ('FAILED', 'CANCELLED', 'UNDONE')";

/** The account's plans and slots, with what the import was asked for. */
export async function readSurroundings(ctx: Ctx, input: ImportInput): Promise<Surroundings> {
  const { account, now } = ctx;
  const { plans, slots } = await readNamed(ctx.db, {
    plans: selectActivePlans({ account_seq: account.seq }),
    slots: selectAllSlots({ account_seq: account.seq }),
  });
  return {
    ...{ account, now, plans, newId: () => ctx.newId() },
    slots: slotsById(slots),
    charge_from: input.charge_from ?? "",
    past_due: input.past_due,
    create_plans: input.create_plans ?? false,
    source: input.source,
    provinces: await readProvinces(),
  };
}

const mostPlans = 2_000;

const selectActivePlans = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select()
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_seq, p("account_seq")), eq(sellingPlans.is_active, 1)))
    .orderBy(sellingPlans.created_at, sellingPlans.id)
    .limit(mostPlans),
);
