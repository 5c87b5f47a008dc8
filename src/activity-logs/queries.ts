import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { type Filter, facet, listReader, narrow, type Param, type Totals } from "../db/listing.ts";
import { build, first, type Params, prepare, rows } from "../db/statement.ts";
import { notFound } from "../errors.ts";
import {
  type ActivityLog,
  activityCounts,
  activityLogs,
  activityNames,
  type LoggableType,
} from "../journal/tables.ts";
import { orders } from "../orders/tables.ts";
import { profiles } from "../profiles/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";

/** An entry with what it shows of its subscription, order and customer. */
export type ActivityRow = ActivityLog & {
  subscription_number: number | null;
  order_number: string | null;
  customer_first_name: string | null;
  customer_last_name: string | null;
  customer_email: string | null;
};

const sift = (where: Filter["where"]): Filter => ({ kind: "facet", where });

/** The actions named, and with `custom` every integration's. */
const actions = (p: Param) => sql`(${activityLogs.action} IN (SELECT value FROM json_each(${p("actions")}))
  OR EXISTS (SELECT 1 FROM json_each(${p("actions")}) WHERE value = 'integration_')
    AND substr(${activityLogs.action}, 1, 12) = 'integration_')`;

const sumOf = (
  p: Param,
  from: string,
  to: string,
) => sql`(SELECT COALESCE(SUM(${activityCounts.count}), 0) FROM ${activityCounts}
  WHERE ${activityCounts.account_id} = ${p("account_id")}
    AND ${activityCounts.bucket} >= ${p(from)} AND ${activityCounts.bucket} < ${p(to)})`;

/** Without filters a range's total is the sum of its counters (buckets.ts). */
const bucketTotals: Totals = (names) =>
  names.length === 0
    ? (p) =>
        sql`SELECT ${sumOf(p, "head_from", "head_to")} + ${sumOf(p, "days_from", "days_to")}
          + ${sumOf(p, "tail_from", "tail_to")} AS total`
    : undefined;

/** Entries about one record. */
const of = (type: LoggableType): Filter =>
  narrow(
    (p) =>
      sql`${activityLogs.loggable_type} = ${sql.raw(`'${type}'`)} AND ${activityLogs.loggable_id} = ${p(`of_${type}`)}`,
  );

const feed = (scope: (p: Param) => SQL, totals?: Totals) =>
  listReader({
    columns: {
      ...getTableColumns(activityLogs),
      subscription_number: subscriptions.number,
      order_number: orders.store_order_number,
      customer_first_name: profiles.first_name,
      customer_last_name: profiles.last_name,
      customer_email: profiles.email,
    },
    table: activityLogs,
    joins: sql`LEFT JOIN ${subscriptions} ON ${subscriptions.account_id} = ${activityLogs.account_id}
        AND ${subscriptions.id} = ${activityLogs.subscription_id}
      LEFT JOIN ${orders} ON ${orders.account_id} = ${activityLogs.account_id} AND ${orders.id} = ${activityLogs.order_id}
      LEFT JOIN ${profiles} ON ${profiles.account_id} = ${activityLogs.account_id} AND ${profiles.id} = ${activityLogs.profile_id}`,
    scope,
    id: activityLogs.id,
    sorts: { created_at: activityLogs.created_at },
    filters: {
      of_subscription: of("subscription"),
      of_order: of("order"),
      actor_type: sift((p) => sql`${activityLogs.actor_type} = ${p("actor_type")}`),
      by_system: sift((p) => sql`COALESCE(${activityLogs.actor_type}, 'system') = ${p("by_system")}`),
      actor_name: facet(activityLogs.actor_name, "actor_name"),
      actions: sift(actions),
    },
    ...(totals ? { totals } : {}),
  });

/** Entries from `start` to before `end`; the scope's buckets are those of bucketsOf. */
export const listActivity = feed(
  (p) => sql`${activityLogs.account_id} = ${p("account_id")}
    AND ${activityLogs.created_at} >= ${p("start")} AND ${activityLogs.created_at} < ${p("end")}
    AND +${activityLogs.loggable_type} IN ('subscription', 'order')`,
  bucketTotals,
);

/** Entries about a profile's subscriptions and orders. */
export const listProfileActivity = feed(
  (p) =>
    sql`${activityLogs.account_id} = ${p("account_id")} AND ${activityLogs.profile_id} = ${p("profile_id")}`,
);

const names = prepare((p: Params<{ account_id: string; kind: string }>) =>
  build
    .select({ name: activityNames.name })
    .from(activityNames)
    .where(and(eq(activityNames.account_id, p("account_id")), eq(activityNames.kind, p("kind"))))
    .orderBy(asc(activityNames.name)),
);

/** Distinct names, sorted: of integration actions, or of staff. */
export const listNames = async (ctx: Ctx, kind: "action" | "actor"): Promise<string[]> => {
  const found = await rows(ctx.db, names({ account_id: ctx.account.id, kind }));
  return found.map(({ name }) => name);
};

export const getEntry = async (ctx: Ctx, id: string): Promise<ActivityLog> => {
  const entry = await first<ActivityLog>(ctx.db, {
    sql: "SELECT * FROM activity_logs WHERE account_id = ? AND id = ?",
    params: [ctx.account.id, id],
  });
  if (!entry) throw notFound("Entry");
  return entry;
};

/** What an entry is about: a record of the account, and whose it is. */
export type Loggable = { subscription_id: string | null; order_id: string | null; profile_id: string | null };

const loggables = {
  subscription: `SELECT id AS subscription_id, NULL AS order_id, profile_id FROM subscriptions
    WHERE account_id = ? AND id = ?`,
  order: `SELECT orders.id AS order_id, orders.profile_id AS profile_id,
      (SELECT link.subscription_id FROM order_subscriptions AS link
        WHERE link.account_id = orders.account_id AND link.order_id = orders.id LIMIT 1) AS subscription_id
    FROM orders WHERE orders.account_id = ? AND orders.id = ?`,
} as const satisfies Record<LoggableType, string>;

export const findLoggable = (ctx: Ctx, type: LoggableType, id: string): Promise<Loggable | undefined> =>
  first<Loggable>(ctx.db, { sql: loggables[type], params: [ctx.account.id, id] });
