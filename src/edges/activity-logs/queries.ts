import { asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import {
  type Filter,
  facetWhere,
  narrow,
  type Param,
  rangeOf,
  type Totals,
  unindexedFilter,
} from "../../base/db/filters.ts";
import { listReader, type RowOfList } from "../../base/db/list/listing.ts";
import {
  build,
  columnsEqual,
  first,
  type Params,
  prepare,
  rows,
  subSelect,
} from "../../base/db/statement.ts";
import { orderSubscriptions, orders } from "../../domain/orders/tables.ts";
import { profiles } from "../../domain/profiles/tables.ts";
import { subscriptions } from "../../domain/subscriptions/tables.ts";
import type { Ctx } from "../../kit/context.ts";
import {
  activityCounts,
  activityLogs,
  activityNames,
  type LoggableType,
  placesInBlock,
} from "../../kit/journal/tables.ts";

/** The filter of the feed that finds entries with one of these actions, and the values it takes. */
export function actionFilter(names: string[]) {
  const actions = [...new Set(names)];
  const values = Object.fromEntries(actions.map((name, nth) => [`action_${nth + 1}`, name]));
  if (actions.length === 1 && actions[0] === integrations) return { filter: { by_integrations: 1 }, values };
  if (actions.length > mostNamed || [integrations, ...commonActions].some((name) => actions.includes(name)))
    return { filter: { any_actions: joinNames(actions) }, values: {} };
  return { filter: { [`actions_${actions.length}`]: 1 }, values };
}

/** Distinct names in alphabetical order: of integration actions, or of staff. */
export async function listNames(ctx: Ctx, kind: "action" | "actor"): Promise<string[]> {
  const found = await rows(ctx.db, selectNames({ account_seq: ctx.account.seq, kind }));
  return found.map(({ name }) => name);
}

export function findLoggable(ctx: Ctx, type: LoggableType, id: string): Promise<Loggable | undefined> {
  const key = { account_seq: ctx.account.seq, id };
  return type === "subscription" ? first(ctx.db, selectSubscription(key)) : first(ctx.db, selectOrder(key));
}

/** The actions that billing records for each cycle: they are not in the index by action, and there are many of them on any page. */
const commonActions = ["billing_started", "billing_succeeded", "order_placed", "payment_reminder_due"];

/** Stands for the actions of all integrations. */
const integrations = "integration_";

const isUncommon = sql`${activityLogs.action} NOT IN (${sql.raw(commonActions.map((name) => `'${name}'`).join(", "))})`;

const divider = "\u001f";

/** So many actions are told to the database one by one, so that it knows how few they are. */
const mostNamed = 10;

/** The records whose entries the feed shows, in the words of the indexes that contain nothing else (migrations/0001_schema.sql). */
const isFed = sql`${activityLogs.loggable_type} IN ('subscription', 'order')`;

/** Entries from the filter `start` to before `end`, in milliseconds. The scope also has the buckets of that range (`bucketsOf`). */
export const listActivity = defineFeed({
  scope: (p) => sql`${activityLogs.account_seq} = ${p("account_seq")}`,
  index: "activity_logs_by_time",
  totals: bucketTotals,
});

/** Entries about a profile's subscriptions and orders. */
export const listProfileActivity = defineFeed({
  scope: (p) =>
    sql`${activityLogs.account_seq} = ${p("account_seq")} AND ${activityLogs.profile_id} = ${p("profile_id")}`,
  index: "activity_logs_by_profile",
});

/** An entry with what it shows of its subscription, order and customer. */
export type ActivityRow = RowOfList<typeof listActivity>;

const selectNames = prepare((p: Params<{ account_seq: AccountSeq; kind: string }>) =>
  build
    .select({ name: activityNames.name })
    .from(activityNames)
    .where(columnsEqual(activityNames, p, "account_seq", "kind"))
    .orderBy(asc(activityNames.name)),
);

type ById = { account_seq: AccountSeq; id: string };

/** The record that an entry is about, and the ids under which its entry is found. */
type Loggable = { subscription_id: string | null; order_id: string | null; profile_id: string | null };

const selectSubscription = prepare((p: Params<ById>) =>
  build
    .select({
      subscription_id: sql<string>`${subscriptions.id}`.as("subscription_id"),
      order_id: sql<null>`NULL`.as("order_id"),
      profile_id: subscriptions.profile_id,
    })
    .from(subscriptions)
    .where(columnsEqual(subscriptions, p, "account_seq", "id")),
);

const selectOrder = prepare((p: Params<ById>) =>
  build
    .select({
      order_id: sql<string>`${orders.id}`.as("order_id"),
      profile_id: orders.profile_id,
      subscription_id: subSelect(
        sql<string | null>`(SELECT ${orderSubscriptions.subscription_id} FROM ${orderSubscriptions}
          WHERE ${orderSubscriptions.account_seq} = ${orders.account_seq}
            AND ${orderSubscriptions.order_id} = ${orders.id} LIMIT 1)`,
        "subscription_id",
      ),
    })
    .from(orders)
    .where(columnsEqual(orders, p, "account_seq", "id")),
);

type Feed = { scope: (p: Param) => SQL; index: string; totals?: Totals };

function defineFeed({ scope, index, totals }: Feed) {
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
    joins: sql`LEFT JOIN ${subscriptions} ON ${subscriptions.account_seq} = ${activityLogs.account_seq}
        AND ${subscriptions.id} = ${activityLogs.subscription_id}
      LEFT JOIN ${orders} ON ${orders.account_seq} = ${activityLogs.account_seq} AND ${orders.id} = ${activityLogs.order_id}
      LEFT JOIN ${profiles} ON ${profiles.account_seq} = ${activityLogs.account_seq} AND ${profiles.id} = ${activityLogs.profile_id}`,
    scope,
    index,
    within: isFed,
    tiebreaker: activityLogs.sequence,
    key: activityLogs.sequence,
    sorts: { created_at: activityLogs.created_ms },
    filters: {
      start: {
        ...rangeOf("created_at", "lower", (p) => sql`${activityLogs.created_ms} >= ${p("start")}`),
        isAlways: true,
      },
      end: {
        ...rangeOf("created_at", "upper", (p) => sql`${activityLogs.created_ms} < ${p("end")}`),
        isAlways: true,
      },
      of_subscription: aboutA("subscription"),
      of_order: aboutA("order"),
      by_program: unindexedFilter(
        (p) => sql`COALESCE(${activityLogs.actor_type}, 'system') = ${p("by_program")}`,
      ),
      by_person: {
        ...facetWhere(
          (p) =>
            sql`${activityLogs.actor_type} = ${p("by_person")} AND ${activityLogs.actor_type} IN ('customer', 'admin')`,
        ),
        index: "activity_logs_by_actor",
      },
      by_staff: unindexedFilter(
        (p) => sql`${activityLogs.actor_name} = ${p("by_staff")} AND ${activityLogs.actor_type} = 'admin'`,
      ),
      by_integrations: {
        ...facetWhere(() => sql`substr(${activityLogs.type}, 1, 12) = 'integration.'`),
        index: "activity_logs_of_integrations_by_time",
      },
      ...Object.fromEntries(range(mostNamed).map((count) => [`actions_${count}`, filterByNames(count)])),
      any_actions: unindexedFilter(hasAction),
    },
    ...(totals ? { totals } : {}),
  });
}

/** Entries about one record. */
function aboutA(type: LoggableType): Filter {
  return {
    ...narrow(
      (p) =>
        sql`${activityLogs.loggable_type} = ${sql.raw(`'${type}'`)} AND ${activityLogs.loggable_id} = ${p(`of_${type}`)}`,
    ),
    sorts: ["created_at"],
    index: "activity_logs_by_record",
  };
}

/** One of so many actions. The index by action has each of them in the order of time. */
function filterByNames(count: number): Filter {
  const listed = (p: Param) =>
    sql.join(
      range(count).map((nth) => sql`${p(`action_${nth}`)}`),
      sql`, `,
    );
  return {
    ...facetWhere((p) => sql`${activityLogs.action} IN (${listed(p)}) AND ${isUncommon}`),
    arms: (p) =>
      range(count).map((nth) => sql`${activityLogs.action} = ${p(`action_${nth}`)} AND ${isUncommon}`),
    index: "activity_logs_by_action",
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, nth) => nth + 1);
}

/** Names in one text, each between two characters that no name has. A list would be read as rows, for each entry anew. */
function joinNames(names: string[]): string {
  return ["", ...names, ""].join(divider);
}

/** One of the named actions; `integration_` stands for the actions of all integrations. */
function hasAction(p: Param): SQL {
  const among = (name: SQL | typeof activityLogs.action) =>
    sql`instr(${p("any_actions")}, char(31) || ${name} || char(31)) > 0`;
  return sql`(${among(activityLogs.action)}
    OR substr(${activityLogs.action}, 1, 12) = 'integration_' AND ${among(sql`'integration_'`)})`;
}

const lastEntry = alias(activityLogs, "last_entry");
const block = sql.raw(String(placesInBlock));

/** More than ten years. */
const mostDays = sql.raw("3700");

/** Without filters the total of a range is the sum of its counters (buckets.ts), and the entries that are not counted yet. */
function bucketTotals(filterNames: string[]): ReturnType<Totals> {
  if (filterNames.some((name) => name !== "start" && name !== "end")) return undefined;
  return (p) =>
    sql`SELECT ${quartersOf(p, "first")} + COALESCE(SUM(count), 0) + ${quartersOf(p, "last")} + ${uncounted(p)} AS total, COUNT(*) > ${mostDays} AS is_estimate
      FROM (SELECT ${activityCounts.count} FROM ${activityCounts} WHERE ${activityCounts.account_seq} = ${p("account_seq")}
        AND ${activityCounts.day} >= ${p("days_from")} AND ${activityCounts.day} < ${p("days_to")} LIMIT ${mostDays} + 1)`;
}

/** The entries of a range in the last block of the stream. The table itself is read, whose key is the place in the stream. */
function uncounted(p: Param): SQL {
  return sql`(SELECT COUNT(*) FROM ${activityLogs} NOT INDEXED WHERE ${activityLogs.account_seq} = ${p("account_seq")}
    AND ${activityLogs.sequence} >= (SELECT MAX(${lastEntry.sequence}) FROM ${activityLogs} AS ${sql.identifier("last_entry")}
      WHERE ${lastEntry.account_seq} = ${p("account_seq")}) / ${block} * ${block}
    AND ${isFed} AND ${activityLogs.created_ms} >= ${p("start")} AND ${activityLogs.created_ms} < ${p("end")})`;
}

/** The sum of a day's quarters of an hour from one to before another. */
function quartersOf(p: Param, day: "first" | "last"): SQL {
  return sql`(SELECT COALESCE(SUM(quarter.value), 0) FROM ${activityCounts}, json_each(${activityCounts.quarters}) AS quarter
    WHERE ${activityCounts.account_seq} = ${p("account_seq")} AND ${activityCounts.day} = ${p(`${day}_day`)}
      AND quarter.key >= ${p(`${day}_from`)} AND quarter.key < ${p(`${day}_to`)})`;
}
