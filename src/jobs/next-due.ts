import { accounts } from "../accounts/tables.ts";
import type { Db } from "../db/client.ts";
import { build, prepare, raw, read, rows } from "../db/statement.ts";
import { type Instant, startOfDay } from "../lib/dates.ts";
import { addDays } from "../subscriptions/cadence.ts";

/**
 * When the tick would next find something, if nothing is written before: the earliest moment after `now` at which one of its
 * finders would. What is due already does not count, because a tick at `now` has looked at it. For a database with few accounts, as an
 * object's is. Milliseconds; undefined if nothing will ever be due.
 */
export async function nextDueAt(db: Db, now: Date): Promise<number | undefined> {
  const moments: number[] = [];
  for (const account of await rows(db, everyAccount({}))) {
    const [[found]] = await read<[Moments]>(db, [momentsOf(account.id, now.toISOString())]);
    if (found) moments.push(...instantsOf(found, account).map((instant) => Date.parse(instant)));
  }
  const later = moments.filter((ms) => ms > now.getTime());
  return later.length === 0 ? undefined : Math.min(...later);
}

const everyAccount = prepare(() =>
  build
    .select({
      id: accounts.id,
      timezone: accounts.timezone,
      clock_at: accounts.clock_at,
      days: accounts.payment_reminder_days_before,
    })
    .from(accounts),
);

type Moments = {
  /** Of the outboxes and leases, by real time. */
  real: string;
  /** Of what falls due by the account's time. */
  own: string;
  schedule: string | null;
  remind_of: string | null;
};

type AccountTime = { timezone: string; clock_at: Instant | null; days: number | null };

/** A test clock stands still until it is moved, which is a write. */
function instantsOf(found: Moments, { timezone, clock_at, days }: AccountTime): Instant[] {
  const real = JSON.parse(found.real) as (Instant | null)[];
  if (clock_at !== null) return real.filter((instant) => instant !== null);
  const own = JSON.parse(found.own) as (Instant | null)[];
  const dates = [
    found.schedule,
    days === null || found.remind_of === null ? null : addDays(found.remind_of, -days),
  ];
  const starts = dates.filter((date) => date !== null).map((date) => startOfDay(date, timezone));
  return [...real, ...own].filter((instant) => instant !== null).concat(starts);
}

/** Where the tick's sweeps find their rows: each has an index by its account and this moment. */
const outboxes = [
  "billing_attempts",
  "contract_syncs",
  "selling_plan_syncs",
  "shopify_connections",
  "customer_notices",
  "webhook_deliveries",
];

/** A minute after it was made, a subscription without a contract counts as one whose message was lost (tick.ts). */
const unlinkedMs = 60_000;

/** One row, each of whose values is a look into an index. The builder has no select without a table, so this is SQL. */
function momentsOf(id: string, now: Instant) {
  const after = (column: string, table: string) =>
    `(SELECT MIN(${column}) FROM ${table} WHERE account_id = ?1 AND ${column} > ?2)`;
  const waiting = outboxes.map((table) => after("next_action_at", table));
  return raw<Moments>(
    `SELECT json_array(${waiting.join(", ")},
        (SELECT due_busy_until FROM accounts WHERE id = ?1),
        ${after("next_at", "reconciliations")},
        (SELECT MIN((SELECT MIN(next_attempt_at) FROM event_deliveries AS d
          WHERE d.endpoint_id = e.id AND d.status = 'PENDING' AND d.next_attempt_at > ?2))
          FROM webhook_endpoints AS e WHERE e.account_id = ?1),
        (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', MIN(created_at), ?3) FROM subscriptions
          WHERE account_id = ?1 AND store_contract_id IS NULL AND created_at > ?4)) AS real,
      json_array(${after("due_at", "dunning_episodes")}, ${after("billing_retry_at", "subscriptions")}) AS own,
      (SELECT MIN(due_on) FROM subscriptions WHERE account_id = ?1 AND due_on IS NOT NULL AND due_on >= date(?2)) AS schedule,
      (SELECT MIN(remind_of) FROM subscriptions
        WHERE account_id = ?1 AND remind_of IS NOT NULL AND remind_of > date(?2)) AS remind_of`,
    ...[id, now, `+${unlinkedMs / 1000} seconds`, new Date(Date.parse(now) - unlinkedMs).toISOString()],
  );
}
