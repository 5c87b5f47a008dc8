import { and, eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { build, first, inJson, type Params, prepare, raw, rows } from "../db/statement.ts";
import { notFound } from "../errors.ts";
import { integrationPrefix, ownTypesOf } from "../event-types.ts";
import { type ActivityLog, activityLogs } from "../journal/tables.ts";
import { instantOf, isId } from "../lib/ids.ts";

/** An entry of the history, which is an event. */
export type EventRow = ActivityLog;

type StreamQuery = { after: number; filters: string[] | undefined; limit: number };

/** One page of the stream, and whether more events follow. */
export const listEvents = async (
  ctx: Ctx,
  { after, filters, limit }: StreamQuery,
): Promise<{ rows: EventRow[]; hasMore: boolean }> => {
  const size = limit + 1;
  const page = filters ? ofTypes(ctx, { after, filters, size }) : all(ctx, { after, size });
  const found = await rows(ctx.db, page);
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
};

export const findEvent = async (ctx: Ctx, id: string): Promise<EventRow | undefined> =>
  isId(id) ? first(ctx.db, byId({ account_id: ctx.account.id, id })) : undefined;

export const getEvent = async (ctx: Ctx, id: string): Promise<EventRow> => {
  const found = await findEvent(ctx, id);
  if (!found) throw notFound("Event");
  return found;
};

/** The events in these places of the stream. */
export const findEvents = (ctx: Ctx, sequences: number[]): Promise<EventRow[]> =>
  rows(ctx.db, inPlaces({ account_id: ctx.account.id, sequences: JSON.stringify(sequences) }));

/**
 * An id holds its entry's time, so that the indexes by time find it, that of the feed or that of the others. Ids that hold another time
 * have an index of their own. Raw, because the indexes are named: the planner takes the table itself, whose key begins alike.
 */
const byId = ({ account_id, id }: { account_id: string; id: string }) =>
  raw<EventRow>(
    `SELECT * FROM activity_logs INDEXED BY activity_logs_by_other_id
        WHERE account_id = ?1 AND other_id IS NOT NULL AND other_id = ?2
      UNION ALL SELECT * FROM activity_logs INDEXED BY activity_logs_by_time
        WHERE account_id = ?1 AND created_at = ?3 AND id = ?2 AND other_id IS NULL AND loggable_type IN ('subscription', 'order')
      UNION ALL SELECT * FROM activity_logs INDEXED BY activity_logs_unfed_by_time
        WHERE account_id = ?1 AND created_at = ?3 AND id = ?2 AND other_id IS NULL AND loggable_type NOT IN ('subscription', 'order')`,
    ...[account_id, id, instantOf(id)],
  );

const inPlaces = prepare((p: Params<{ account_id: string; sequences: string }>) =>
  build
    .select()
    .from(activityLogs)
    .where(and(eq(activityLogs.account_id, p("account_id")), inJson(activityLogs.sequence, p("sequences")))),
);

/** D1 binds numbers as floating point; an index of integers compares them correctly. */
const all = ({ account }: Ctx, { after, size }: { after: number; size: number }) =>
  raw<EventRow>(
    "SELECT * FROM activity_logs WHERE account_id = ? AND sequence > ? ORDER BY sequence LIMIT ?",
    ...[account.id, after, size],
  );

/**
 * Finds the next events of each type by the index of types and merges them: it reads at most one page of rows for each type,
 * however many events of other types lie between. Integrations name their own types, which share one index; it is named, because the
 * planner takes the table itself, whose key begins alike. Raw, because the builder cannot express the merge.
 */
const ofTypes = (
  { account }: Ctx,
  { after, filters, size }: { after: number; filters: string[]; size: number },
) => {
  const types = [...new Set(filters.flatMap(ownTypesOf))];
  const integrations = filters.includes(`${integrationPrefix}*`) ? 1 : 0;
  return raw<EventRow>(
    `WITH found AS (
      SELECT next.sequence AS place FROM json_each(?1) AS type CROSS JOIN activity_logs AS next
        ON next.account_id = ?2 AND next.sequence IN (SELECT sequence FROM activity_logs
          WHERE account_id = ?2 AND activity_logs.type = type.value AND sequence > ?3 ORDER BY sequence LIMIT ?4)
      UNION
      SELECT place FROM (SELECT sequence AS place FROM activity_logs INDEXED BY activity_logs_of_integrations
        WHERE ?5 AND account_id = ?2 AND substr(type, 1, 12) = 'integration.' AND sequence > ?3 ORDER BY sequence LIMIT ?4))
    SELECT event.* FROM found CROSS JOIN activity_logs AS event ON event.account_id = ?2 AND event.sequence = place
      ORDER BY +event.sequence LIMIT ?4`,
    ...[JSON.stringify(types), account.id, after, size, integrations],
  );
};
