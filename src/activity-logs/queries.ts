import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import {
  type Filter,
  facet,
  listReader,
  narrow,
  type Param,
  type RowOfList,
  type Totals,
} from "../db/listing.ts";
import { build, first, inJson, type Params, prepare, rows, subSelect } from "../db/statement.ts";
import { notFound } from "../errors.ts";
import {
  type ActivityLog,
  activityCounts,
  activityLogs,
  activityNames,
  type LoggableType,
} from "../journal/tables.ts";
import { orderSubscriptions, orders } from "../orders/tables.ts";
import { profiles } from "../profiles/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";

/** Entries from `start` to before `end`. The scope also has the buckets of that range (`bucketsOf`). */
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

/** An entry with what it shows of its subscription, order and customer. */
export type ActivityRow = RowOfList<typeof listActivity>;

const names = prepare((p: Params<{ account_id: string; kind: string }>) =>
  build
    .select({ name: activityNames.name })
    .from(activityNames)
    .where(and(eq(activityNames.account_id, p("account_id")), eq(activityNames.kind, p("kind"))))
    .orderBy(asc(activityNames.name)),
);

/** Distinct names in alphabetical order: of integration actions, or of staff. */
export const listNames = async (ctx: Ctx, kind: "action" | "actor"): Promise<string[]> => {
  const found = await rows(ctx.db, names({ account_id: ctx.account.id, kind }));
  return found.map(({ name }) => name);
};

type ById = { account_id: string; id: string };

const entryById = prepare((p: Params<ById>) =>
  build
    .select()
    .from(activityLogs)
    .where(and(eq(activityLogs.account_id, p("account_id")), eq(activityLogs.id, p("id")))),
);

export const getEntry = async (ctx: Ctx, id: string): Promise<ActivityLog> => {
  const entry = await first(ctx.db, entryById({ account_id: ctx.account.id, id }));
  if (!entry) throw notFound("Entry");
  return entry;
};

/** The record that an entry is about, and the ids under which its entry is found. */
type Loggable = { subscription_id: string | null; order_id: string | null; profile_id: string | null };

const subscriptionById = prepare((p: Params<ById>) =>
  build
    .select({
      subscription_id: sql<string>`${subscriptions.id}`.as("subscription_id"),
      order_id: sql<null>`NULL`.as("order_id"),
      profile_id: subscriptions.profile_id,
    })
    .from(subscriptions)
    .where(and(eq(subscriptions.account_id, p("account_id")), eq(subscriptions.id, p("id")))),
);

const orderById = prepare((p: Params<ById>) =>
  build
    .select({
      order_id: sql<string>`${orders.id}`.as("order_id"),
      profile_id: orders.profile_id,
      subscription_id: subSelect(
        sql<string | null>`(SELECT ${orderSubscriptions.subscription_id} FROM ${orderSubscriptions}
          WHERE ${orderSubscriptions.account_id} = ${orders.account_id}
            AND ${orderSubscriptions.order_id} = ${orders.id} LIMIT 1)`,
        "subscription_id",
      ),
    })
    .from(orders)
    .where(and(eq(orders.account_id, p("account_id")), eq(orders.id, p("id")))),
);

export const findLoggable = (ctx: Ctx, type: LoggableType, id: string): Promise<Loggable | undefined> => {
  const key = { account_id: ctx.account.id, id };
  return type === "subscription" ? first(ctx.db, subscriptionById(key)) : first(ctx.db, orderById(key));
};

function feed(scope: (p: Param) => SQL, totals?: Totals) {
  return listReader({
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
      of_subscription: aboutA("subscription"),
      of_order: aboutA("order"),
      actor_type: facet(activityLogs.actor_type, "actor_type"),
      by_system: where((p) => sql`COALESCE(${activityLogs.actor_type}, 'system') = ${p("by_system")}`),
      actor_name: facet(activityLogs.actor_name, "actor_name"),
      actions: where(hasAction),
    },
    ...(totals ? { totals } : {}),
  });
}

/** Entries about one record. */
function aboutA(type: LoggableType): Filter {
  return narrow(
    (p) =>
      sql`${activityLogs.loggable_type} = ${sql.raw(`'${type}'`)} AND ${activityLogs.loggable_id} = ${p(`of_${type}`)}`,
  );
}

function where(condition: Filter["where"]): Filter {
  return { kind: "facet", where: condition };
}

/** One of the named actions; `integration_` stands for the actions of all integrations. */
function hasAction(p: Param): SQL {
  return sql`(${inJson(activityLogs.action, p("actions"))}
    OR EXISTS (SELECT 1 FROM json_each(${p("actions")}) WHERE value = 'integration_')
      AND substr(${activityLogs.action}, 1, 12) = 'integration_')`;
}

/** Without filters the total of a range is the sum of its counters (buckets.ts). */
function bucketTotals(filterNames: string[]): ReturnType<Totals> {
  if (filterNames.length > 0) return undefined;
  return (p) =>
    sql`SELECT ${sumOf(p, "head_from", "head_to")} + ${sumOf(p, "days_from", "days_to")}
      + ${sumOf(p, "tail_from", "tail_to")} AS total`;
}

function sumOf(p: Param, from: string, to: string): SQL {
  return sql`(SELECT COALESCE(SUM(${activityCounts.count}), 0) FROM ${activityCounts}
    WHERE ${activityCounts.account_id} = ${p("account_id")}
      AND ${activityCounts.bucket} >= ${p(from)} AND ${activityCounts.bucket} < ${p(to)})`;
}
