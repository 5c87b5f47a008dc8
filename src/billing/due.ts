import { and, isNotNull, isNull, sql } from "drizzle-orm";
import { accounts } from "../accounts/tables.ts";
import type { Db } from "../db/client.ts";
import { build, prepare, raw, read, rows } from "../db/statement.ts";
import { sweep } from "../db/sweep.ts";
import type { DueKind, Job } from "../job.ts";
import { dateIn, type Instant } from "../lib/dates.ts";
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

/** Attempts whose next action is due by real time: their message was lost, or their store has not answered. */
export const sweepAttempts = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const outbox = { table: attempts, id: "id", size: 100 } as const;
  const swept = await sweep(db, outbox, realNow);
  return swept.map(({ account_id, id }) => ({ type: "charge", account_id, attempt_id: id }));
};

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
