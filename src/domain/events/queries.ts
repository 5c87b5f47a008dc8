import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Range } from "../../base/db/list/list-range.ts";
import { named, type Prepared, prepareQuery } from "../../base/db/list/list-statements.ts";
import type { Statement } from "../../base/db/port.ts";
import { unionAll } from "../../base/db/sql/union-all.ts";
import { build, first, inJson, type Params, prepare, raw, rows } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { integrationPrefix, ownTypesOf } from "../../base/event-types.ts";
import { isId } from "../../base/lib/ids.ts";
import type { Ctx } from "../../kit/context.ts";
import { selectEntry } from "../../kit/journal/by-id.ts";
import { type ActivityLog, activityLogs } from "../../kit/journal/tables.ts";

/** An entry of the history, which is an event. */
export type EventRow = ActivityLog;

type StreamQuery = { after: number; filters: string[] | undefined; limit: number };

/** One page of the stream, and whether more events follow. */
export async function listEvents(
  ctx: Ctx,
  { after, filters, limit }: StreamQuery,
): Promise<{ rows: EventRow[]; hasMore: boolean }> {
  const size = limit + 1;
  const page = filters ? ofTypes(ctx, { after, filters, size }) : selectAll(ctx, { after, size });
  const found = await rows(ctx.db, page);
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

export async function findEvent(ctx: Ctx, id: string): Promise<EventRow | undefined> {
  return isId(id) ? first(ctx.db, selectEntry({ account_seq: ctx.account.seq, id })) : undefined;
}

export async function getEvent(ctx: Ctx, id: string): Promise<EventRow> {
  const found = await findEvent(ctx, id);
  if (!found) throw notFound("Event");
  return found;
}

/** The place of the account's last event in its stream. The builder has no select without a table. */
export function selectLastSequence({ account }: Ctx): Statement<{ last: number }> {
  return raw<{ last: number }>(
    "SELECT COALESCE((SELECT sequence FROM activity_logs WHERE account_seq = ?1 ORDER BY sequence DESC LIMIT 1), 0) AS last",
    account.seq,
  );
}

/** The events between two places of the stream, of these types if they are given, piece by piece. */
export function selectEventsInRange(
  { account }: Ctx,
  types: string[] | undefined,
  { after, upTo, size }: Range,
): Statement<EventRow> {
  const isAsked = `(?5 IS NULL OR type IN (SELECT value FROM json_each(?5)) OR (?6 = 1 AND substr(type, 1, 12) = '${integrationPrefix}'))`;
  return raw<EventRow>(
    `SELECT * FROM activity_logs WHERE account_seq = ?1 AND sequence > ?2 AND sequence <= ?3 AND ${isAsked} ORDER BY sequence LIMIT ?4`,
    ...[account.seq, after, upTo, size],
    ...[
      types ? JSON.stringify(types.flatMap(ownTypesOf)) : null,
      Number(types?.includes(`${integrationPrefix}*`)),
    ],
  );
}

/** The events in these places of the stream. */
export function findEvents(ctx: Ctx, sequences: number[]): Promise<EventRow[]> {
  return rows(ctx.db, selectInPlaces({ account_seq: ctx.account.seq, sequences: JSON.stringify(sequences) }));
}

const selectInPlaces = prepare((p: Params<{ account_seq: AccountSeq; sequences: string }>) =>
  build
    .select()
    .from(activityLogs)
    .where(
      and(eq(activityLogs.account_seq, p("account_seq")), inJson(activityLogs.sequence, p("sequences"))),
    ),
);

/** D1 binds numbers as floating point; an index of integers compares them correctly. */
function selectAll({ account }: Ctx, { after, size }: { after: number; size: number }) {
  return raw<EventRow>(
    "SELECT * FROM activity_logs WHERE account_seq = ? AND sequence > ? ORDER BY sequence LIMIT ?",
    ...[account.seq, after, size],
  );
}

/** The SQL for so many types, with the integrations' own or without. */
const statements = new Map<string, Prepared<EventRow>>();

/**
 * Finds the next events of each type by the index of types and merges them: it reads one row more than the page for each type, however
 * many events of other types lie between. Integrations name their own types, which share one index.
 */
function ofTypes(
  { account }: Ctx,
  { after, filters, size }: { after: number; filters: string[]; size: number },
) {
  const withIntegrations = filters.includes(`${integrationPrefix}*`);
  const types = [...new Set(filters.flatMap(ownTypesOf))].filter(
    (type) => !withIntegrations || !type.startsWith(integrationPrefix),
  );
  const key = `${types.length} ${withIntegrations}`;
  const known = statements.get(key) ?? prepareQuery<EventRow>(queryMerged(types.length, withIntegrations));
  statements.set(key, known);
  return known({ account_seq: account.seq, types: JSON.stringify(types), after, size });
}

/** Indexes are named, because the planner takes the table itself, whose key begins alike. */
function queryMerged(count: number, withIntegrations: boolean): SQL {
  const next = (index: string, condition: SQL) => sql`SELECT sequence AS found
    FROM activity_logs INDEXED BY ${sql.raw(index)}
    WHERE account_seq = ${named("account_seq")} AND ${condition} AND sequence > ${named("after")}`;
  const each = Array.from({ length: count }, (_, nth) =>
    next("activity_logs_by_type", sql`type = json_extract(${named("types")}, ${sql.raw(`'$[${nth}]'`)})`),
  );
  const ofIntegrations = next("activity_logs_of_integrations", sql`substr(type, 1, 12) = 'integration.'`);
  return sql`SELECT event.* FROM (
      ${unionAll(withIntegrations ? [...each, ofIntegrations] : each)} ORDER BY found LIMIT ${named("size")})
    CROSS JOIN activity_logs AS event ON event.account_seq = ${named("account_seq")} AND event.sequence = found
    ORDER BY +event.sequence`;
}
