import { count, gt } from "drizzle-orm";
import type { Db } from "../../base/db/port.ts";
import { build, type Params, prepare, raw, read } from "../../base/db/statement.ts";
import type { Job } from "../../base/job.ts";
import { type CalendarDate, type Instant, later, startOfDay } from "../../base/lib/time/dates.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { deadLetters } from "./tables.ts";

/** The things that a tick has seen of the deployment: ages in seconds, 0 where nothing waits. Accounts with an object see to their own. */
export type Figures = {
  due_billing_seconds: number;
  due_dunning_seconds: number;
  attempts_oldest_seconds: number;
  attempts_unanswered: number;
  attempts_review: number;
  charges_succeeded_hour: number;
  charges_failed_hour: number;
  endpoints_failing: number;
  mails_failing: number;
  mails_failing_seconds: number;
  moves_oldest_seconds: number;
  dead_letters_hour: number;
  database_bytes: number;
};

/** Looks at what waits, in one trip. `due` are the jobs of this tick's search: whoever is behind is among their accounts. */
export async function readFigures(db: Db, now: Instant, due: Job[]): Promise<Figures> {
  const ids = [...new Set(due.map(({ account_id }) => account_id))].slice(0, mostLookedAt);
  const [billing, dunning, [open], [charges], endpoints, [move], [letters]] = await read<
    [OldestDue, { at: Instant }, Open, Charges, Failing, { at: Instant | null }, { n: number }]
  >(db, [
    raw(selectOldestDue, JSON.stringify(ids)),
    raw(selectOldestDunning, JSON.stringify(ids)),
    raw(selectOpenAttempts, mostOpen),
    raw(selectCharges, mostCharges, later(now, -hourMs)),
    raw(selectFailing),
    raw(selectOldestMove),
    selectDeadLetters({ since: later(now, -hourMs) }),
  ]);
  const age = (at: Instant | null | undefined): number =>
    at ? Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000)) : 0;
  const mail = endpoints.find(({ kind }) => kind === "mail");
  return {
    due_billing_seconds: Math.max(0, ...billing.map((one) => age(startOfDay(one.due_on, one.timezone)))),
    due_dunning_seconds: Math.max(0, ...dunning.map(({ at }) => age(at))),
    attempts_oldest_seconds: age(open?.oldest),
    attempts_unanswered: open?.unanswered ?? 0,
    attempts_review: open?.review ?? 0,
    charges_succeeded_hour: charges?.succeeded ?? 0,
    charges_failed_hour: charges?.failed ?? 0,
    endpoints_failing: endpoints.find(({ kind }) => kind === "http")?.n ?? 0,
    mails_failing: mail?.n ?? 0,
    mails_failing_seconds: age(mail?.since),
    moves_oldest_seconds: age(move?.at),
    dead_letters_hour: letters?.n ?? 0,
    database_bytes: db.bytes?.() ?? 0,
  };
}

/** The bounds of what a tick reads, however much there is. */
const [mostLookedAt, mostOpen, mostCharges] = [200, 2_000, 100];

type OldestDue = { timezone: string; due_on: CalendarDate };
type Open = { oldest: Instant | null; unanswered: number; review: number };
type Charges = { succeeded: number; failed: number };
type Failing = { kind: string; n: number; since: Instant };

/** An account with a test clock has days of its own, which are late by nobody's measure. */
const accountsIn =
  "FROM json_each(?1) AS one CROSS JOIN accounts AS a ON a.id = one.value AND a.clock_at IS NULL";

const selectOldestDue = `SELECT timezone, MIN(due_on) AS due_on FROM (
    SELECT a.timezone, (SELECT MIN(s.due_on) FROM subscriptions AS s WHERE s.account_seq = a.seq AND s.due_on IS NOT NULL) AS due_on
    ${accountsIn}) WHERE due_on IS NOT NULL GROUP BY timezone`;

const selectOldestDunning = `SELECT MIN(at) AS at FROM (
    SELECT (SELECT MIN(e.due_at) FROM dunning_episodes AS e WHERE e.account_seq = a.seq AND e.due_at IS NOT NULL) AS at
    ${accountsIn}) HAVING MIN(at) IS NOT NULL`;

/** Those that wait for a customer, or for days by the store's word, are not behind. */
const selectOpenAttempts = `SELECT COUNT(*) FILTER (WHERE status = 'REVIEW') AS review,
    COUNT(*) FILTER (WHERE status = 'PROCESSING' AND unanswered > 0) AS unanswered,
    MIN(requested_at) FILTER (WHERE status = 'QUEUED' OR (status = 'PROCESSING' AND open_since IS NOT NULL)) AS oldest
  FROM (SELECT status, unanswered, requested_at, open_since FROM billing_attempts INDEXED BY billing_attempts_one_open
    WHERE settled_at IS NULL LIMIT ?)`;

/** Attempts that were settled within the hour, among the latest by the order in which they were stored. */
const selectCharges = `SELECT COUNT(*) FILTER (WHERE status = 'SUCCEEDED') AS succeeded,
    COUNT(*) FILTER (WHERE status = 'FAILED') AS failed
  FROM billing_attempts WHERE rowid > (SELECT MAX(rowid) FROM billing_attempts) - ? AND updated_at > ?`;

const selectFailing = `SELECT kind, COUNT(*) AS n, MIN(failing_since) AS since
  FROM webhook_endpoints INDEXED BY webhook_endpoints_failing WHERE failing_since IS NOT NULL AND is_enabled = 1 GROUP BY kind`;

const selectOldestMove = `SELECT MIN(moving ->> '$.since') AS at FROM accounts INDEXED BY accounts_moving WHERE moving IS NOT NULL`;

const selectDeadLetters = prepare((p: Params<{ since: Instant }>) =>
  build
    .select({ n: count().as("n") })
    .from(deadLetters)
    .where(gt(deadLetters.at, p("since"))),
);
