import { accounts } from "../../base/accounts/tables.ts";
import type { Db } from "../../base/db/port.ts";
import { build, first, prepare, type RowOf, raw, rows } from "../../base/db/statement.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import { dateIn, type Instant, later, startOfDay } from "../../base/lib/time/dates.ts";
import { isTelling } from "../../domain/billing/due/anniversaries.ts";
import { isUnlinked, unlinkedAfterMs } from "../../domain/subscriptions/unlinked.ts";
import { connectionTables } from "../../stores/platforms.ts";

/**
 * When the tick would next find something, if nothing is written before: the earliest moment after `now` at which one of its
 * finders would. Work that is due already does not count, because a tick at `now` has looked at it. For a database of few
 * accounts, as an object's is. Milliseconds; undefined if nothing will be due.
 */
export async function nextDueAt(db: Db, now: Date): Promise<number | undefined> {
  const moments: number[] = [];
  for (const account of await rows(db, selectEveryAccount({}))) {
    const moment = await nextDueOf(db, account, now);
    if (moment !== undefined) moments.push(moment);
  }
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** When the tick would next find something of one account: milliseconds; undefined if nothing of it will be due. */
export async function nextDueOf(db: Db, account: AccountTime, now: Date): Promise<number | undefined> {
  const moments = await findMoments(db, account, now.toISOString());
  return moments.length === 0 ? undefined : Math.min(...moments.map((moment) => Date.parse(moment)));
}

type AccountTime = RowOf<ReturnType<typeof accountTimes>>;

function accountTimes() {
  return build
    .select({
      seq: accounts.seq,
      timezone: accounts.timezone,
      clock_at: accounts.clock_at,
      payment_reminder_days_before: accounts.payment_reminder_days_before,
    })
    .from(accounts);
}

const selectEveryAccount = prepare(accountTimes);

/** By the account's own time nothing falls due once a test clock has stopped it: to move the clock is a write. */
async function findMoments(db: Db, account: AccountTime, now: Instant): Promise<Instant[]> {
  const { timezone, clock_at, payment_reminder_days_before: days } = account;
  const found = await first(db, selectMoments(account, now));
  if (!found) return [];
  const real = JSON.parse(found.real) as (Instant | null)[];
  const own = JSON.parse(found.own) as (Instant | null)[];
  const dates = [
    found.schedule,
    found.ending,
    days === null || found.remind_of === null ? null : addDays(found.remind_of, -days),
    found.remind_on,
    found.expiry,
    found.annual_notice,
  ];
  const begins = dates.map((date) => date && startOfDay(date, timezone));
  const moments = clock_at === null ? [...real, ...own, ...begins] : real;
  return moments.filter((moment) => moment !== null);
}

/** The moments by which the tick's sweeps find their rows, each by its index. */
const outboxes = [
  "billing_attempts",
  "contract_syncs",
  "selling_plan_syncs",
  ...connectionTables,
  "customer_notices",
  "order_refunds",
  "declarations",
  "profile_erasures",
  "webhook_deliveries",
  "jobs",
  "closed_days",
];

/** The moments after `now`, by real time and by the account's; and the first dates after today. */
type Moments = Record<"real" | "own", string> &
  Record<"schedule" | "ending" | "remind_of" | "remind_on" | "expiry" | "annual_notice", string | null>;

function selectMoments({ seq, timezone, payment_reminder_days_before: days }: AccountTime, now: Instant) {
  const today = dateIn(now, timezone);
  return raw<Moments>(
    momentsSql,
    ...[seq, now, today, addDays(today, days ?? 0)],
    ...[later(now, -unlinkedAfterMs), `+${unlinkedAfterMs / 1000} seconds`],
  );
}

function after(column: string, table: string, moment = "?2"): string {
  return `(SELECT MIN(${column}) FROM ${table} WHERE account_seq = ?1 AND ${column} > ${moment})`;
}

/** One row, each of whose values is a look into an index. The builder has no select without a table, so this is SQL. */
const momentsSql = `SELECT json_array(${outboxes.map((table) => after("next_action_at", table)).join(", ")},
    ${after("next_at", "reconciliations")}, ${after("next_forecast_at", "reconciliations")},
    (SELECT due_busy_until FROM accounts WHERE seq = ?1 AND due_busy_until > ?2),
    (SELECT MIN((SELECT MIN(next_attempt_at) FROM event_deliveries AS d
      WHERE d.endpoint_id = e.id AND d.status = 'PENDING' AND (d.lease_until IS NOT NULL) = leased.value AND d.next_attempt_at > ?2))
      FROM webhook_endpoints AS e CROSS JOIN json_each('[0, 1]') AS leased WHERE e.account_seq = ?1),
    (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', MIN(created_at), ?6) FROM subscriptions
      WHERE account_seq = ?1 AND ${isUnlinked} AND created_at > ?5)) AS real,
  json_array(${after("due_at", "dunning_episodes")}, ${after("retry_due_at", "subscriptions")}) AS own,
  ${after("due_on", "subscriptions", "?3")} AS schedule,
  ${after("ends_on", "subscriptions", "?3")} AS ending,
  ${after("remind_of", "subscriptions", "?4")} AS remind_of,
  ${after("remind_on", "subscriptions", "?3")} AS remind_on,
  ${after("expiry_due_on", "payment_methods", "?3")} AS expiry,
  (SELECT annual_notice_on FROM webhook_endpoints AS w WHERE w.account_seq = ?1 AND ${isTelling("w")}
    AND annual_notice_on > ?3) AS annual_notice`;
