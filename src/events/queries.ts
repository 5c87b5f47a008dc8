import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { build, first, inJson, type Params, prepare, raw, rows } from "../db/statement.ts";
import { notFound } from "../errors.ts";
import { integrationPrefix, ownTypesOf } from "../event-types.ts";
import { type ActivityLog, activityLogs } from "../journal/tables.ts";

/** An entry of the history with its place in the stream, which every entry has once it is committed. */
export type EventRow = ActivityLog & { sequence: number };

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

const event = {
  ...getTableColumns(activityLogs),
  sequence: sql<number>`${activityLogs.sequence}`.as("sequence"),
};

const byId = prepare((p: Params<{ account_id: string; id: string }>) =>
  build
    .select(event)
    .from(activityLogs)
    .where(and(eq(activityLogs.account_id, p("account_id")), eq(activityLogs.id, p("id")))),
);

export const findEvent = (ctx: Ctx, id: string): Promise<EventRow | undefined> =>
  first(ctx.db, byId({ account_id: ctx.account.id, id }));

export const getEvent = async (ctx: Ctx, id: string): Promise<EventRow> => {
  const found = await findEvent(ctx, id);
  if (!found) throw notFound("Event");
  return found;
};

const byIds = prepare((p: Params<{ account_id: string; ids: string }>) =>
  build
    .select(event)
    .from(activityLogs)
    .where(and(eq(activityLogs.account_id, p("account_id")), inJson(activityLogs.id, p("ids")))),
);

export const findEvents = (ctx: Ctx, ids: string[]): Promise<EventRow[]> =>
  rows(ctx.db, byIds({ account_id: ctx.account.id, ids: JSON.stringify(ids) }));

/** D1 binds numbers as floating point; an index of integers compares them correctly. */
const all = ({ account }: Ctx, { after, size }: { after: number; size: number }) =>
  raw<EventRow>(
    "SELECT * FROM activity_logs WHERE account_id = ? AND sequence > ? ORDER BY sequence LIMIT ?",
    ...[account.id, after, size],
  );

/**
 * Finds the next events of each type by the index of types and merges them: it reads at most one page of rows for each type,
 * however many events of other types lie between. Integrations name their own types, which share one index. Raw, because the
 * builder cannot express the merge.
 */
const ofTypes = (
  { account }: Ctx,
  { after, filters, size }: { after: number; filters: string[]; size: number },
) => {
  const types = [...new Set(filters.flatMap(ownTypesOf))];
  const integrations = filters.includes(`${integrationPrefix}*`) ? 1 : 0;
  return raw<EventRow>(
    `WITH found AS (
      SELECT next.rowid AS entry FROM json_each(?1) AS type CROSS JOIN activity_logs AS next
        ON next.rowid IN (SELECT rowid FROM activity_logs
          WHERE account_id = ?2 AND activity_logs.type = type.value AND sequence > ?3 ORDER BY sequence LIMIT ?4)
      UNION
      SELECT entry FROM (SELECT rowid AS entry FROM activity_logs
        WHERE ?5 AND account_id = ?2 AND substr(type, 1, 12) = 'integration.' AND sequence > ?3 ORDER BY sequence LIMIT ?4))
    SELECT event.* FROM found CROSS JOIN activity_logs AS event ON event.rowid = entry ORDER BY +event.sequence LIMIT ?4`,
    ...[JSON.stringify(types), account.id, after, size, integrations],
  );
};
