import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { isOpen } from "../../base/accounts/closed.ts";
import { accounts } from "../../base/accounts/tables.ts";
import type { Db } from "../../base/db/port.ts";
import { build, type Params, prepare, raw, read, rows } from "../../base/db/statement.ts";
import type { Engine } from "../../base/env.ts";
import { chargeJob, type DueKind, type Job } from "../../base/job.ts";
import { dateIn, type Instant } from "../../base/lib/dates.ts";
import type { Log } from "../../base/lib/log.ts";
import { sweep } from "../../kit/outbox/sweep.ts";
import { billingAttempts as attempts } from "./tables.ts";

/**
 * For each kind, the accounts that have something due of it: one job each, which finds it and has it done. An account whose time
 * cannot be told is logged as an alert, and the others are searched.
 */
export async function findAccountsDue(db: Db, realNow: Instant, log: Log): Promise<Job[]> {
  const { engine } = db;
  const { moments, broken } = momentsOf(await rows(db, accountClocks({ engine })), realNow);
  for (const { id, cause } of await findAccountsOf(db, broken))
    log("account_not_searched", { alert: true, account_id: id, cause });
  const kinds = Object.entries(accountHas) as [DueKind, string][];
  const found = await read(
    db,
    kinds.map(([, has]) => accountsWhere({ has, moments, realNow, engine })),
  );
  return kinds.flatMap(([kind], index) =>
    (found[index] ?? []).map(({ id }): Job => ({ type: "find_due", account_id: id, kind })),
  );
}

/** Attempts whose next action is due by real time: their message was lost, or their store has not answered. */
export async function sweepAttempts(db: Db, realNow: Instant): Promise<Job[]> {
  const outbox = { table: attempts, id: "id", also: ["subscription_id"], size: 500 } as const;
  const swept = await sweep<typeof attempts, "id" | "subscription_id">(db, outbox, realNow);
  return swept.map(({ account_id, ...attempt }) => chargeJob(account_id, attempt));
}

/** A time zone whose accounts live in real time, or an account with a clock of its own, whose instant is `now`. */
type Clock = { key: string; timezone: string; now: Instant | null };

const accountClocks = prepare((p: Params<{ engine: Engine }>) =>
  build
    .selectDistinct({
      key: sql<string>`${accounts.timezone}`.as("key"),
      timezone: accounts.timezone,
      now: sql<Instant | null>`NULL`.as("now"),
    })
    .from(accounts)
    .where(and(eq(accounts.engine, p("engine")), isNull(accounts.clock_at)))
    .unionAll(
      build
        .select({
          key: sql<string>`${accounts.id}`.as("key"),
          timezone: accounts.timezone,
          now: sql<Instant | null>`${accounts.clock_at}`.as("now"),
        })
        .from(accounts)
        .where(
          and(eq(accounts.engine, p("engine")), isNotNull(accounts.clock_at), isNull(accounts.clock_target)),
        ),
    ),
);

/** A clock that no instant or day can be read from: its time zone is unknown, or its instant is none. */
type BrokenClock = Clock & { cause: string };

/** The instant and the day of each clock, as a JSON object by its key, and the clocks that have none. */
function momentsOf(clocks: Clock[], realNow: Instant): { moments: string; broken: BrokenClock[] } {
  const moments: Record<string, { now: Instant; today: string }> = {};
  const broken: BrokenClock[] = [];
  for (const clock of clocks)
    try {
      const now = clock.now ?? realNow;
      moments[clock.key] = { now, today: dateIn(now, clock.timezone) };
    } catch (error) {
      broken.push({ ...clock, cause: String(error) });
    }
  return { moments: JSON.stringify(moments), broken };
}

/** The accounts of broken clocks: that of a test clock, or those in real time in its zone. */
async function findAccountsOf(db: Db, broken: BrokenClock[]): Promise<{ id: string; cause: string }[]> {
  const ownClock = broken.flatMap(({ key, now, cause }) => (now === null ? [] : [{ id: key, cause }]));
  const zones = broken.filter(({ now }) => now === null);
  if (zones.length === 0) return ownClock;
  const found = await read(
    db,
    zones.map(({ timezone }) => inZone({ timezone })),
  );
  return [
    ...ownClock,
    ...zones.flatMap(({ cause }, nth) => (found[nth] ?? []).map(({ id }) => ({ id, cause }))),
  ];
}

const inZone = prepare((p: Params<{ timezone: string }>) =>
  build
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.timezone, p("timezone")), isNull(accounts.clock_at)))
    .limit(100),
);

/** Whether an account has something due of each kind: a look into an index, whatever the account holds. */
const accountHas: Record<DueKind, string> = {
  schedule: `EXISTS (SELECT 1 FROM subscriptions AS s
    WHERE s.account_seq = at.seq AND s.due_on IS NOT NULL AND s.due_on <= at.today)`,
  dunning: `EXISTS (SELECT 1 FROM dunning_episodes AS e WHERE e.account_seq = at.seq AND e.due_at <= at.now)`,
  waiting: `EXISTS (SELECT 1 FROM subscriptions AS s
    WHERE s.account_seq = at.seq AND s.billing_retry_at IS NOT NULL AND s.billing_retry_at <= at.now)`,
  reminder: `at.days IS NOT NULL AND EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.account_seq = at.seq
    AND s.remind_of IS NOT NULL AND s.remind_of > at.today AND s.remind_of <= date(at.today, at.days || ' days'))`,
};

/**
 * Open accounts whose rows are here, each at its own instant and on its own day, that meet a condition. An account whose clock is being moved does its
 * own work, and one that its store has disconnected cannot charge anybody. The builder has no table-valued functions, so
 * this is SQL.
 */
function accountsWhere({ has, moments, realNow, engine }: Search) {
  return raw<{ id: string }>(
    `SELECT at.id FROM (
      SELECT a.seq, a.id, a.payment_reminder_days_before AS days, moment.value ->> 'now' AS now,
        moment.value ->> 'today' AS today
      FROM accounts AS a JOIN json_each(?) AS moment
        ON moment.key = CASE WHEN a.clock_at IS NULL THEN a.timezone ELSE a.id END
      WHERE a.engine = ? AND ${isOpen} AND a.clock_target IS NULL AND (a.due_busy_until IS NULL OR a.due_busy_until <= ?)
        AND NOT EXISTS (SELECT 1 FROM shopify_connections AS c
          WHERE c.account_seq = a.seq AND c.disconnected_at IS NOT NULL)
    ) AS at WHERE ${has}`,
    moments,
    engine,
    realNow,
  );
}

type Search = { has: string; moments: string; realNow: Instant; engine: Engine };
