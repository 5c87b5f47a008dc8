import { and, asc, eq, inArray, isNotNull, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { accounts } from "../accounts/tables.ts";
import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, type Params, prepare, raw, read, rows, statement } from "../db/statement.ts";
import { sweep } from "../db/sweep.ts";
import { dunningEpisodes as episodes } from "../dunning/tables.ts";
import type { DueKind, Job } from "../job.ts";
import { dateIn, type Instant, later } from "../lib/dates.ts";
import { addDays } from "../subscriptions/cadence.ts";
import { todayOf } from "../subscriptions/schedule.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { billingAttempts as attempts } from "./tables.ts";

/** For each kind, the accounts that have something due of it: one job each, which finds it and has it done. */
export const findAccountsDue = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const moments = momentsOf(await rows(db, accountClocks({})), realNow);
  const kinds = Object.entries(accountHas) as [DueKind, string][];
  const found = await read(
    db,
    kinds.map(([, has]) => accountsWhere(has, moments, realNow)),
  );
  return kinds.flatMap(([kind], index) =>
    (found[index] ?? []).map(({ id }): Job => ({ type: "find_due", account_id: id, kind })),
  );
};

/** A page of what is due, as messages that have it done, and one message that finds the next page. */
export const findDue = async (ctx: Ctx, kind: PagedKind, after: Position = start): Promise<Job[]> => {
  const page = await findPage(ctx, kind, after);
  const account_id = ctx.account.id;
  const pieces = Array.from({ length: Math.ceil(page.length / pieceSize) }, (_, nth): Job => {
    const subscription_ids = page.slice(nth * pieceSize, (nth + 1) * pieceSize).map(({ id }) => id);
    return { type: "process_due", account_id, subscription_ids };
  });
  const last = page.at(-1);
  if (page.length < pageSize || !last) return pieces;
  await pauseSearches(ctx);
  return [{ type: "find_due", account_id, kind, after: last }, ...pieces];
};

/**
 * Marks the reminders of a page of subscriptions as sent and returns their ids; a subscription is found once for each
 * billing date. Perennial sends no mail: the merchant's mailer reads the log or the fields (docs/billing.md).
 */
export const remind = async (ctx: Ctx): Promise<{ id: string }[]> => {
  const days = ctx.account.payment_reminder_days_before;
  if (days === null) return [];
  const today = todayOf(ctx);
  const toRemind = build
    .select({ seq: subscriptions.seq })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_id, ctx.account.id),
        sql`remind_of IS NOT NULL AND remind_of > ${today} AND remind_of <= ${addDays(today, days)}`,
      ),
    )
    .limit(pageSize);
  const [reminded] = await commit({ db: ctx.db }, [
    statement(
      build
        .update(subscriptions)
        .set({
          last_payment_reminder_sent_at: ctx.now,
          last_payment_reminder_billing_date: sql`${subscriptions.next_billing_date}`,
        })
        .where(inArray(subscriptions.seq, toRemind))
        .returning({ id: subscriptions.id }),
    ),
  ]);
  return reminded.rows;
};

/** Attempts whose next action is due by real time: their message was lost, or their store has not answered. */
export const sweepAttempts = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const outbox = { table: attempts, id: "id", size: 100 } as const;
  const swept = await sweep(db, outbox, realNow);
  return swept.map(({ account_id, id }) => ({ type: "charge", account_id, attempt_id: id }));
};

/** An account's attempts in progress, oldest first: its test clock waits for none of their pauses. */
export const findOpenAttempts = async (ctx: Ctx): Promise<Job[]> => {
  const account_id = ctx.account.id;
  const open = await rows(ctx.db, openAttempts({ account_id, limit: pageSize }));
  return open.map(({ id }) => ({ type: "charge", account_id, attempt_id: id }));
};

/** Pages are short enough for one invocation, pieces for one message (docs/billing.md, the figures). */
const pageSize = 1000;
const pieceSize = 20;

/** A time zone whose accounts live in real time, or an account with a clock of its own, whose instant is `now`. */
type Clock = { key: string; timezone: string; now: Instant | null };

const accountClocks = prepare(() =>
  build
    .selectDistinct({
      key: sql<string>`${accounts.timezone}`.as("key"),
      timezone: accounts.timezone,
      now: sql<Instant | null>`NULL`.as("now"),
    })
    .from(accounts)
    .where(isNull(accounts.clock_at))
    .unionAll(
      build
        .select({
          key: sql<string>`${accounts.id}`.as("key"),
          timezone: accounts.timezone,
          now: sql<Instant | null>`${accounts.clock_at}`.as("now"),
        })
        .from(accounts)
        .where(and(isNotNull(accounts.clock_at), isNull(accounts.clock_target))),
    ),
);

/** The instant and the day of each clock, as a JSON object by its key. */
function momentsOf(clocks: Clock[], realNow: Instant): string {
  return JSON.stringify(
    Object.fromEntries(
      clocks.map(({ key, timezone, now }) => [
        key,
        { now: now ?? realNow, today: dateIn(now ?? realNow, timezone) },
      ]),
    ),
  );
}

/** Whether an account has something due of each kind: a look into an index, whatever the account holds. */
const accountHas: Record<DueKind, string> = {
  schedule: `EXISTS (SELECT 1 FROM subscriptions AS s
    WHERE s.account_id = at.id AND s.due_on IS NOT NULL AND s.due_on <= at.today)`,
  dunning: `EXISTS (SELECT 1 FROM dunning_episodes AS e WHERE e.account_id = at.id AND e.due_at <= at.now)`,
  waiting: `EXISTS (SELECT 1 FROM subscriptions AS s
    WHERE s.account_id = at.id AND s.billing_retry_at IS NOT NULL AND s.billing_retry_at <= at.now)`,
  reminder: `at.days IS NOT NULL AND EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.account_id = at.id
    AND s.remind_of IS NOT NULL AND s.remind_of > at.today AND s.remind_of <= date(at.today, at.days || ' days'))`,
};

/**
 * Accounts, each at its own instant and on its own day, that meet a condition. An account whose clock is being moved does its
 * own work, and one that its store has disconnected cannot charge anybody. The builder has no table-valued functions, so
 * this is SQL.
 */
function accountsWhere(has: string, moments: string, realNow: Instant) {
  return raw<{ id: string }>(
    `SELECT at.id FROM (
      SELECT a.id, a.payment_reminder_days_before AS days, moment.value ->> 'now' AS now,
        moment.value ->> 'today' AS today
      FROM accounts AS a JOIN json_each(?) AS moment
        ON moment.key = CASE WHEN a.clock_at IS NULL THEN a.timezone ELSE a.id END
      WHERE a.clock_target IS NULL AND (a.due_busy_until IS NULL OR a.due_busy_until <= ?)
        AND NOT EXISTS (SELECT 1 FROM shopify_connections AS c
          WHERE c.account_id = a.id AND c.disconnected_at IS NOT NULL)
    ) AS at WHERE ${has}`,
    moments,
    realNow,
  );
}

type PagedKind = Exclude<DueKind, "reminder">;

/** Where a page of what is due ends. */
type Position = { due: string; id: string };
const start: Position = { due: "", id: "" };

const pagesOf = {
  schedule: pageBy(subscriptions, sql`due_on`, subscriptions.id),
  dunning: pageBy(episodes, episodes.due_at, episodes.subscription_id),
  waiting: pageBy(subscriptions, subscriptions.billing_retry_at, subscriptions.id),
};

type PageValues = { account_id: string; until: string; after_due: string; after_id: string; limit: number };

/** The rows of a table that are due, in the order of the index that begins with when they are. */
function pageBy(table: SQLiteTable & { account_id: SQLiteColumn }, due: SQLWrapper, id: SQLWrapper) {
  return prepare((p: Params<PageValues>) =>
    build
      .select({ due: sql<string>`${due}`.as("due"), id: sql<string>`${id}`.as("id") })
      .from(table)
      .where(
        and(
          eq(table.account_id, p("account_id")),
          isNotNull(due),
          sql`${due} <= ${p("until")}`,
          sql`(${due}, ${id}) > (${p("after_due")}, ${p("after_id")})`,
        ),
      )
      .orderBy(asc(due), asc(id))
      .limit(p("limit")),
  );
}

function findPage(ctx: Ctx, kind: PagedKind, { due, id }: Position): Promise<Position[]> {
  const page = { account_id: ctx.account.id, after_due: due, after_id: id, limit: pageSize };
  return rows(ctx.db, pagesOf[kind]({ ...page, until: kind === "schedule" ? todayOf(ctx) : ctx.now }));
}

/** About as long as the messages of a full page take. */
const busyMs = 15 * 60_000;

/** More is due than a page: until that is done, further searches would only find it again. */
function pauseSearches({ db, account, realNow }: Ctx): Promise<unknown> {
  return commit({ db }, [
    statement(
      build
        .update(accounts)
        .set({ due_busy_until: later(realNow, busyMs) })
        .where(eq(accounts.id, account.id)),
    ),
  ]);
}

/** The statuses are written out, as in the condition of the index of open attempts, so that no settled attempt is read. */
const openAttempts = prepare((p: Params<{ account_id: string; limit: number }>) =>
  build
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(
        eq(attempts.account_id, p("account_id")),
        sql`${attempts.status} IN ('QUEUED', 'PROCESSING', 'ACTION_REQUIRED', 'REVIEW')`,
        sql`${attempts.status} <> 'REVIEW'`,
        isNotNull(attempts.next_action_at),
      ),
    )
    .orderBy(asc(attempts.created_at), asc(attempts.id))
    .limit(p("limit")),
);
