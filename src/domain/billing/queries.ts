import { and, asc, desc, eq, getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import {
  countedBy,
  facet,
  facetIn,
  facetWhere,
  narrowBy,
  type Param,
  rangeOf,
  rareIn,
  unindexedFilter,
  uniqueBy,
} from "../../base/db/filters.ts";
import { mostCountedAlone } from "../../base/db/list/list-bounds.ts";
import type { Filters } from "../../base/db/list/list-shape.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import {
  build,
  columnsEqual,
  first,
  inJson,
  type Params,
  prepare,
  rows,
  statement,
} from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { attemptColumns } from "./charge-content.ts";
import {
  type AttemptOrigin,
  type AttemptStatus,
  attemptStatuses,
  billingAttempts as attempts,
  type BillingAttempt,
  billingAttemptCounts as counts,
  openStatuses,
} from "./tables.ts";

type OfSubscription = { account_seq: AccountSeq; subscription_id: string };

/** An attempt as it is now, to be read in one trip with others. */
export function selectAttempt({ account }: Ctx, id: string): Statement<BillingAttempt> {
  return selectById({ account_seq: account.seq, id });
}

export function findAttempt(ctx: Ctx, id: string): Promise<BillingAttempt | undefined> {
  return first(ctx.db, selectAttempt(ctx, id));
}

/** The latest attempt at a cycle, past or current, that was sent, or may have been; to be read in one trip with others. */
export function selectLatest(
  { account }: Ctx,
  { subscription_id, activation, cycle }: Pick<BillingAttempt, "subscription_id" | "activation" | "cycle">,
): Statement<BillingAttempt> {
  return selectOfCycle({ account_seq: account.seq, subscription_id, activation, cycle });
}

/**
 * The attempt of a subscription that is in progress, of whatever life, or else the latest of its life, whatever its trigger.
 * Withdrawn ones do not count. To be read in one trip with others.
 */
export function selectOpenOrLatestAttempt(
  { account }: Ctx,
  subscription_id: string,
): Statement<BillingAttempt> {
  return selectOpenOrLatest({ account_seq: account.seq, subscription_id });
}

/** The latest attempt of each of these subscriptions at its current cycle that was sent, or may have been. */
export function selectLatestAttempts({ account }: Ctx, subscriptionIds: string[]): Statement<BillingAttempt> {
  return selectLatestOfCycles({ account_seq: account.seq, ids: JSON.stringify(subscriptionIds) });
}

/** The attempt of a subscription that is in progress, and the latest at its cycle, which may be the same; read in one trip with others. */
export function selectOpenAndLatestAttempts(
  { account }: Ctx,
  subscription_id: string,
): Statement<BillingAttempt> {
  return selectOpenAndLatest({ account_seq: account.seq, subscription_id });
}

/** The latest attempt of a subscription that has failed, to be read in one trip with others. */
export function selectLatestFailure({ account }: Ctx, subscription_id: string): Statement<BillingAttempt> {
  return selectFailure({ account_seq: account.seq, subscription_id });
}

export function isOpen({ status }: Pick<BillingAttempt, "status">): boolean {
  return (openStatuses as readonly string[]).includes(status);
}

/** Attempts under review, oldest first. */
export function listUnderReview(ctx: Ctx): Promise<BillingAttempt[]> {
  return rows(
    ctx.db,
    statement(
      build
        .select(columns)
        .from(attempts)
        .where(and(eq(attempts.account_seq, ctx.account.seq), sql`${attempts.status} = 'REVIEW'`))
        .orderBy(asc(attempts.created_at), asc(attempts.seq)),
    ),
  );
}

/** An attempt of a subscription. Throws NOT_FOUND. */
export async function getAttempt(ctx: Ctx, subscription_id: string, id: string): Promise<BillingAttempt> {
  const attempt = await findAttempt(ctx, id);
  if (attempt?.subscription_id !== subscription_id) throw notFound("Billing attempt");
  return attempt;
}

const columns = attemptColumns(attempts);

const selectById = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select(columns)
    .from(attempts)
    .where(columnsEqual(attempts, p, "account_seq", "id")),
);

type OfLife = OfSubscription & { activation: number };

/** The attempts of a life, except withdrawn ones. */
function sentInLife(p: (name: keyof OfLife) => Placeholder) {
  return and(
    columnsEqual(attempts, p, "account_seq", "subscription_id", "activation"),
    sql`${attempts.status} <> 'CANCELLED'`,
  );
}

const latest = alias(attempts, "latest");

/** The id of the latest attempt at the cycle of a subscription of the query around it. */
const latestOfCycle = sql`(SELECT ${latest.id} FROM ${attempts} AS ${sql.identifier("latest")}
  WHERE ${latest.account_seq} = ${subscriptions.account_seq} AND ${latest.subscription_id} = ${subscriptions.id}
    AND ${latest.activation} = ${subscriptions.activation} AND ${latest.cycle} = ${subscriptions.current_billing_cycle}
    AND ${latest.status} <> 'CANCELLED'
  ORDER BY ${latest.attempt_number} DESC, ${latest.created_at} DESC, ${latest.seq} DESC LIMIT 1)`;

/** Withdrawn attempts were never sent: the next attempt has their number and key, and not their delivery. */
const selectLatestOfCycles = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select(columns)
    .from(attempts)
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        sql`${attempts.id} IN (SELECT ${latestOfCycle} FROM ${subscriptions} WHERE ${subscriptions.account_seq} = ${p("account_seq")}
            AND ${inJson(subscriptions.id, p("ids"))})`,
      ),
    ),
);

const selectOfCycle = prepare((p: Params<OfLife & { cycle: number }>) =>
  build
    .select(columns)
    .from(attempts)
    .where(and(sentInLife(p), eq(attempts.cycle, p("cycle"))))
    .orderBy(desc(attempts.attempt_number), desc(attempts.created_at), desc(attempts.seq))
    .limit(1),
);

/** The latest is found by the index of a subscription's attempts by time, in which earlier lives come after this one. */
const selectOpenOrLatest = prepare((p: Params<OfSubscription>) =>
  build
    .select(columns)
    .from(attempts)
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        sql`${attempts.id} = (SELECT COALESCE(${subscriptions.open_attempt_id}, (
            SELECT ${latest.id} FROM ${attempts} AS ${sql.identifier("latest")}
            WHERE ${latest.account_seq} = ${subscriptions.account_seq} AND ${latest.subscription_id} = ${subscriptions.id}
              AND ${latest.activation} = ${subscriptions.activation} AND ${latest.status} <> 'CANCELLED'
            ORDER BY ${latest.created_at} DESC, ${latest.seq} DESC LIMIT 1))
          FROM ${subscriptions} WHERE ${subscriptions.account_seq} = ${p("account_seq")}
            AND ${subscriptions.id} = ${p("subscription_id")})`,
      ),
    ),
);

const selectFailure = prepare((p: Params<OfSubscription>) =>
  build
    .select(columns)
    .from(attempts)
    .where(
      and(columnsEqual(attempts, p, "account_seq", "subscription_id"), sql`${attempts.status} = 'FAILED'`),
    )
    .orderBy(desc(attempts.created_at), desc(attempts.seq))
    .limit(1),
);

const selectOpenAndLatest = prepare((p: Params<OfSubscription>) =>
  build
    .select(columns)
    .from(attempts)
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        sql`${attempts.id} IN (SELECT id.value FROM ${subscriptions},
            json_each(json_array(${subscriptions.open_attempt_id}, ${latestOfCycle})) AS id
          WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${subscriptions.id} = ${p("subscription_id")})`,
      ),
    ),
);

/** The attempts of one subscription. */
export const listAttempts = listReader({
  table: attempts,
  columns: getTableColumns(attempts),
  scope: (p) => sql`${attempts.account_seq} = ${p("account_seq")}
    AND ${attempts.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: attempts.seq,
  sorts: { created_at: attempts.created_at },
  filters: { id: uniqueBy(attempts.id, "id") },
});

/** An attempt is written as QUEUED, and an index finds it by any later status. */
const indexedStatuses = attemptStatuses.filter((status) => status !== "QUEUED");

/** The filters of `listAccountAttempts` for these statuses. */
export function filtersByStatus(statuses: AttemptStatus[] = [...attemptStatuses]): Filters {
  const isAll = attemptStatuses.every((status) => statuses.includes(status));
  if (isAll) return {};
  const names = JSON.stringify(statuses);
  if (!statuses.includes("QUEUED")) return { indexed_status: names };
  const areOpen = statuses.every((status) => (openStatuses as readonly string[]).includes(status));
  return { status: names, ...(areOpen ? { open: 1 } : {}) };
}

const indexedTriggers: readonly AttemptOrigin[] = ["SHIP_NOW", "DUNNING", "RETRY"];

/** The filter of `listAccountAttempts` for this trigger. */
export function filtersByTrigger(trigger: AttemptOrigin | undefined): Filters {
  return trigger && indexedTriggers.includes(trigger)
    ? { indexed_trigger: JSON.stringify([trigger]) }
    : { trigger };
}

const countedFilters = {
  status: facetIn(counts.status, "status"),
  indexed_status: facetIn(counts.status, "indexed_status"),
  trigger: facet(counts.origin, "trigger"),
  indexed_trigger: facetIn(counts.origin, "indexed_trigger"),
};
const settledTotals = countedBy(counts, counts.account_seq, countedFilters);

const most = sql.raw(String(mostCountedAlone));

/** The total of settled attempts, with the open ones. */
function withOpen(p: Param, settled: SQL, names: string[]): SQL {
  const conditions = names.map((name) => {
    if (name === "trigger") return sql`origin = ${p(name)}`;
    return inJson(name === "indexed_trigger" ? sql`origin` : sql`status`, p(name));
  });
  const matching = conditions.length === 0 ? sql`1` : sql.join(conditions, sql` AND `);
  return sql`SELECT settled.total + unsettled.total AS total, settled.is_estimate OR unsettled.is_estimate AS is_estimate
    FROM (${settled}) AS settled, (
      SELECT COALESCE(SUM(${matching}), 0) AS total, COUNT(*) > ${most} AS is_estimate
      FROM (SELECT status, origin FROM ${attempts} INDEXED BY billing_attempts_one_open
        WHERE ${attempts.account_seq} = ${p("account_seq")} AND ${attempts.settled_at} IS NULL LIMIT ${most} + 1)) AS unsettled`;
}

/** All attempts of an account. */
export const listAccountAttempts = listReader({
  table: attempts,
  columns: getTableColumns(attempts),
  scope: (p) => sql`${attempts.account_seq} = ${p("account_seq")}`,
  index: "billing_attempts_by_time",
  tiebreaker: attempts.seq,
  sorts: { created_at: attempts.created_at },
  filters: {
    status: { ...unindexedFilter((p) => inJson(attempts.status, p("status"))), reads: 2 },
    open: {
      ...facetWhere(() => sql`${attempts.settled_at} IS NULL`, []),
      index: "billing_attempts_one_open",
    },
    indexed_status: {
      ...rareIn(attempts.status, indexedStatuses, "indexed_status"),
      index: "billing_attempts_by_status",
    },
    trigger: { ...unindexedFilter((p) => sql`${attempts.origin} = ${p("trigger")}`), reads: 2 },
    indexed_trigger: {
      ...rareIn(attempts.origin, indexedTriggers, "indexed_trigger"),
      index: "billing_attempts_by_origin",
    },
    subscription_id: narrowBy(attempts.subscription_id, "subscription_id"),
    from: rangeOf("created_at", "lower", (p) => sql`${attempts.created_at} >= ${p("from")}`),
    to: rangeOf("created_at", "upper", (p) => sql`${attempts.created_at} <= ${p("to")}`),
    before: rangeOf("created_at", "upper", (p) => sql`${attempts.created_at} < ${p("before")}`),
  },
  totals: (names) => {
    const asked = names.filter((name) => name !== "open" || names.length === 1);
    const settled = settledTotals(asked);
    return settled && ((p) => withOpen(p, settled(p), asked));
  },
});

/** An account's attempts between two ids, piece by piece. */
export const attemptsInRange = listAccountAttempts.range(attempts.id);
