import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { isOpen } from "../../../base/accounts/closed.ts";
import { accounts } from "../../../base/accounts/tables.ts";
import type { Db } from "../../../base/db/port.ts";
import {
  build,
  columnsEqual,
  type Params,
  prepare,
  type RowOf,
  raw,
  read,
  rows,
} from "../../../base/db/statement.ts";
import type { Engine } from "../../../base/env.ts";
import { chargeJob, type DueKind, type Job } from "../../../base/job.ts";
import type { Log } from "../../../base/lib/log.ts";
import { type CalendarDate, dateIn, type Instant } from "../../../base/lib/time/dates.ts";
import { defineSweep } from "../../../kit/outbox/sweep.ts";
import { isDisconnected } from "../../../stores/disconnected.ts";
import { billingAttempts as attempts } from "../tables.ts";
import { isTelling } from "./anniversaries.ts";
import { isChargedBeforeEnd } from "./charged-before-end.ts";

/**
 * For each kind, the accounts that have something due of it: one job each, which finds it and has it done. An account whose time
 * cannot be told is logged as an alert, and the others are searched.
 */
export async function findAccountsDue(db: Db, realNow: Instant, log: Log): Promise<Job[]> {
  const { engine } = db;
  const [zones, clocks] = await read<[Zone, TestClock]>(db, [
    raw(selectZones, engine),
    selectTestClocks({ engine }),
  ]);
  const days = tellEach(zones, ({ timezone }) => dateIn(realNow, timezone));
  const ownDays = tellEach(clocks, ({ now, timezone }) => dateIn(now, timezone));
  const inBrokenZones = await findInZones(db, engine, days.broken);
  for (const { id, cause } of [...ownDays.broken, ...inBrokenZones])
    log("account_not_searched", { alert: true, account_id: id, cause });
  const search = { realNow, engine };
  const found = await read<[AccountDue, AccountDue]>(db, [
    selectAccountsDue(dueInRealTime, { ...search, days: JSON.stringify(days.told) }),
    selectAccountsDue(dueByTestClock, { ...search, days: JSON.stringify(ownDays.told) }),
  ]);
  const kinds = Object.keys(accountHas) as DueKind[];
  return kinds.flatMap((kind) =>
    found
      .flat()
      .filter((account) => account[kind] === 1)
      .map(({ id }): Job => ({ type: "find_due", account_id: id, kind })),
  );
}

/** A time zone of accounts in real time. */
type Zone = { timezone: string };

const firstZone = "SELECT MIN(timezone) FROM accounts WHERE engine = ?1 AND clock_at IS NULL";
/**
 * The zones of accounts in real time, each by one look into the index, however many accounts it has. The builder has no recursion, so
 * this is SQL.
 */
const selectZones = `WITH RECURSIVE zones (timezone) AS (
    SELECT (${firstZone})
    UNION ALL
    SELECT (${firstZone} AND accounts.timezone > zones.timezone) FROM zones WHERE timezone IS NOT NULL
  ) SELECT timezone FROM zones WHERE timezone IS NOT NULL`;

/** Accounts whose test clock stands still. One whose clock is being moved does its own work. */
function standingClocks(p: Params<{ engine: Engine }>) {
  return build
    .select({
      id: accounts.id,
      timezone: accounts.timezone,
      now: sql<Instant>`${accounts.clock_at}`.as("now"),
    })
    .from(accounts)
    .where(
      and(eq(accounts.engine, p("engine")), isNotNull(accounts.clock_at), isNull(accounts.clock_target)),
    );
}

const selectTestClocks = prepare(standingClocks);

type TestClock = RowOf<ReturnType<typeof standingClocks>>;

/** Zones or clocks with their day, and those whose day cannot be told: the zone is unknown, or the instant is none. */
type Days<T> = { told: (T & { today: CalendarDate })[]; broken: (T & { cause: string })[] };

function tellEach<T extends object>(all: T[], tellDay: (one: T) => CalendarDate): Days<T> {
  const days: Days<T> = { told: [], broken: [] };
  for (const one of all)
    try {
      days.told.push({ ...one, today: tellDay(one) });
    } catch (error) {
      days.broken.push({ ...one, cause: String(error) });
    }
  return days;
}

/** The accounts in real time of broken zones, each with why its zone is broken. */
async function findInZones(
  db: Db,
  engine: Engine,
  broken: Days<Zone>["broken"],
): Promise<{ id: string; cause: string }[]> {
  const found = await Promise.all(
    broken.map(async ({ timezone, cause }) =>
      (await rows(db, selectInZone({ engine, timezone }))).map(({ id }) => ({ id, cause })),
    ),
  );
  return found.flat();
}

const selectInZone = prepare((p: Params<{ engine: Engine; timezone: string }>) =>
  build
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(columnsEqual(accounts, p, "engine", "timezone"), isNull(accounts.clock_at)))
    .limit(100),
);

/** Whether an account has something due of each kind: a look into an index, whatever the account holds. */
const accountHas: Record<DueKind, string> = {
  ending: `EXISTS (SELECT 1 FROM subscriptions AS s
    WHERE s.account_seq = at.seq AND s.ends_on IS NOT NULL AND s.ends_on <= at.today)`,
  schedule: `EXISTS (SELECT 1 FROM subscriptions AS s
    WHERE s.account_seq = at.seq AND s.due_on IS NOT NULL AND s.due_on <= at.today)`,
  dunning: `EXISTS (SELECT 1 FROM dunning_episodes AS e WHERE e.account_seq = at.seq AND e.due_at <= at.now)`,
  waiting: `EXISTS (SELECT 1 FROM subscriptions AS s
    WHERE s.account_seq = at.seq AND s.retry_due_at IS NOT NULL AND s.retry_due_at <= at.now)`,
  reminder: `((at.days IS NOT NULL AND EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.account_seq = at.seq
    AND s.remind_of IS NOT NULL AND s.remind_of > at.today AND s.remind_of <= date(at.today, at.days || ' days') AND ${isChargedBeforeEnd("s")}))
    OR EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.account_seq = at.seq
      AND s.remind_on IS NOT NULL AND s.remind_on <= at.today AND s.charge_on > at.today AND ${isChargedBeforeEnd("s")})
    OR EXISTS (SELECT 1 FROM payment_methods AS m WHERE m.account_seq = at.seq
      AND m.expiry_due_on IS NOT NULL AND m.expiry_due_on <= at.today)
    OR EXISTS (SELECT 1 FROM webhook_endpoints AS w WHERE w.account_seq = at.seq
      AND ${isTelling("w")} AND w.annual_notice_on <= at.today))`,
};

type Search = { days: string; realNow: Instant; engine: Engine };

/** Zone after zone, by the index of accounts in real time. CROSS keeps the zones first: else each account would be compared with each. */
const dueInRealTime = selectDue(`
  SELECT a.seq, a.id, a.payment_reminder_days_before AS days, ?2 AS now, zone.value ->> 'today' AS today
    FROM json_each(?3) AS zone CROSS JOIN accounts AS a
    WHERE a.engine = ?1 AND a.timezone = zone.value ->> 'timezone' AND a.clock_at IS NULL`);

/** Each account with a test clock at its own instant and on its own day. */
const dueByTestClock = selectDue(`
  SELECT a.seq, a.id, a.payment_reminder_days_before AS days, clock.value ->> 'now' AS now, clock.value ->> 'today' AS today
    FROM json_each(?3) AS clock CROSS JOIN accounts AS a
    WHERE a.engine = ?1 AND a.id = clock.value ->> 'id'`);

/** An account that has something due, and of which kinds. */
type AccountDue = { id: string } & Record<DueKind, 0 | 1>;

/**
 * Selects the accounts of a select that may be charged and have something due, in one pass for all kinds. An account whose clock is being
 * moved does its own work, and one that its store has disconnected cannot charge anybody. The builder has no table-valued
 * functions, so this is SQL.
 */
function selectDue(accountsAtTheirTime: string): string {
  const kinds = Object.entries(accountHas);
  return `SELECT id, ${Object.keys(accountHas).join(", ")} FROM (
      SELECT at.seq, at.id, ${kinds.map(([kind, has]) => `${has} AS ${kind}`).join(", ")} FROM (
        ${accountsAtTheirTime} AND ${isOpen} AND a.clock_target IS NULL
          AND (a.due_busy_until IS NULL OR a.due_busy_until <= ?2)
      ) AS at
    ) AS due WHERE (${kinds.map(([kind]) => kind).join(" OR ")})
      AND NOT ${isDisconnected("due.seq")}`;
}

function selectAccountsDue(select: string, { days, realNow, engine }: Search) {
  return raw<AccountDue>(select, engine, realNow, days);
}

/** Attempts whose next action is due by real time: their message was lost, or their store has not answered. */
export const attemptSweep = defineSweep<typeof attempts, "id" | "subscription_id">(
  { table: attempts, id: "id", also: ["subscription_id"], size: 500 },
  ({ account_id, ...attempt }) => chargeJob(account_id, attempt),
);
