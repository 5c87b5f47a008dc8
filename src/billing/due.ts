import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { read, rows } from "../db/statement.ts";
import { sweep } from "../db/sweep.ts";
import type { DueKind, Job } from "../job.ts";
import { dateIn, type Instant, later } from "../lib/dates.ts";
import { todayOf } from "../subscriptions/schedule.ts";

/**
 * Accounts by id, each at its own instant and its own day; those whose clock is being moved do their own work, and those
 * that their store has disconnected can charge nobody.
 */
const accountsAt = `(SELECT a.id, a.payment_reminder_days_before AS days, moment.value ->> 'now' AS now,
    moment.value ->> 'today' AS today
  FROM accounts AS a JOIN json_each(?) AS moment
    ON moment.key = CASE WHEN a.clock_at IS NULL THEN a.timezone ELSE a.id END
  WHERE a.clock_target IS NULL AND (a.due_busy_until IS NULL OR a.due_busy_until <= ?)
    AND NOT EXISTS (SELECT 1 FROM shopify_connections AS c WHERE c.account_id = a.id AND c.disconnected_at IS NOT NULL))`;

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

type Place = { key: string; timezone: string; now: Instant | null };

/** The instant and the day of every time zone, and of every account with a clock of its own. */
const momentsOf = (places: Place[], realNow: Instant): string =>
  JSON.stringify(
    Object.fromEntries(
      places.map(({ key, timezone, now }) => [
        key,
        { now: now ?? realNow, today: dateIn(now ?? realNow, timezone) },
      ]),
    ),
  );

/** For each kind, the accounts that have something due of it: a job each that finds and does it. */
export const findAccountsDue = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const places = await rows<Place>(db, {
    sql: `SELECT DISTINCT timezone AS key, timezone, NULL AS now FROM accounts WHERE clock_at IS NULL
      UNION ALL SELECT id, timezone, clock_at FROM accounts WHERE clock_at IS NOT NULL AND clock_target IS NULL`,
    params: [],
  });
  const moments = momentsOf(places, realNow);
  const kinds = Object.entries(accountHas) as [DueKind, string][];
  const found = await read<{ id: string }[]>(
    db,
    kinds.map(([, has]) => ({
      sql: `SELECT at.id FROM ${accountsAt} AS at WHERE ${has}`,
      params: [moments, realNow],
    })),
  );
  return kinds.flatMap(([kind], index) =>
    (found[index] ?? []).map(({ id }): Job => ({ type: "find_due", account_id: id, kind })),
  );
};

/** Where a page of what is due ends. */
type Mark = { due: string; id: string };

type PagedKind = Exclude<DueKind, "reminder">;

const pageOf: Record<PagedKind, string> = {
  schedule: `SELECT due_on AS due, id FROM subscriptions WHERE account_id = ? AND due_on IS NOT NULL
    AND due_on <= ? AND (due_on, id) > (?, ?) ORDER BY due_on, id LIMIT ?`,
  dunning: `SELECT due_at AS due, subscription_id AS id FROM dunning_episodes WHERE account_id = ? AND due_at IS NOT NULL
    AND due_at <= ? AND (due_at, subscription_id) > (?, ?) ORDER BY due_at, subscription_id LIMIT ?`,
  waiting: `SELECT billing_retry_at AS due, id FROM subscriptions WHERE account_id = ? AND billing_retry_at IS NOT NULL
    AND billing_retry_at <= ? AND (billing_retry_at, id) > (?, ?) ORDER BY billing_retry_at, id LIMIT ?`,
};

const start: Mark = { due: "", id: "" };

const findPage = (ctx: Ctx, kind: PagedKind, after: Mark, size: number): Promise<Mark[]> => {
  const until = kind === "schedule" ? todayOf(ctx) : ctx.now;
  return rows<Mark>(ctx.db, {
    sql: pageOf[kind],
    params: [ctx.account.id, until, after.due, after.id, size],
  });
};

/** Pages are short enough for one invocation, pieces for one message (docs/billing.md, the figures). */
const pageSize = 1000;
const pieceSize = 20;

/** About as long as what stands behind a full page takes to be worked off. */
const busyMs = 15 * 60_000;

/** More is due than a page: until that is worked off, further searches would only find it again. */
const leaveAlone = ({ db, account, realNow }: Ctx): Promise<unknown> =>
  commit({ db }, [
    {
      sql: "UPDATE accounts SET due_busy_until = ? WHERE id = ?",
      params: [later(realNow, busyMs), account.id],
    },
  ]);

/** A page of what is due, as messages to work it off, and one that goes on after it. */
export const findDue = async (ctx: Ctx, kind: PagedKind, after: Mark = start): Promise<Job[]> => {
  const page = await findPage(ctx, kind, after, pageSize);
  const account_id = ctx.account.id;
  const pieces = Array.from({ length: Math.ceil(page.length / pieceSize) }, (_, nth): Job => {
    const subscription_ids = page.slice(nth * pieceSize, (nth + 1) * pieceSize).map(({ id }) => id);
    return { type: "process_due", account_id, subscription_ids };
  });
  const last = page.at(-1);
  if (page.length < pageSize || !last) return pieces;
  await leaveAlone(ctx);
  return [{ type: "find_due", account_id, kind, after: last }, ...pieces];
};

/** Attempts that are due to be looked at again, by real time: their message was lost, or their store has not answered. */
export const sweepAttempts = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const outbox = { table: "billing_attempts", id: "id", size: 100 };
  const swept = await sweep<{ account_id: string; id: string }>(db, outbox, realNow);
  return swept.map(({ account_id, id }) => ({ type: "charge", account_id, attempt_id: id }));
};

/**
 * An account's attempts in progress, oldest first: its test clock waits for none of their pauses. The condition is that of
 * the index of open attempts, less the reviews, so that no settled attempt is read.
 */
export const findOpenAttempts = async (ctx: Ctx): Promise<Job[]> => {
  const open = await rows<{ id: string }>(ctx.db, {
    sql: `SELECT id FROM billing_attempts WHERE account_id = ?
      AND status IN ('QUEUED', 'PROCESSING', 'ACTION_REQUIRED', 'REVIEW') AND status <> 'REVIEW'
      AND next_action_at IS NOT NULL ORDER BY created_at, id LIMIT ?`,
    params: [ctx.account.id, pageSize],
  });
  return open.map(({ id }) => ({ type: "charge", account_id: ctx.account.id, attempt_id: id }));
};
