import { guard, isGuard } from "../../../base/db/guard.ts";
import type { Statement } from "../../../base/db/port.ts";
import { first, raw, rows } from "../../../base/db/statement.ts";
import { eventTypes } from "../../../base/event-types.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import { commitEntries } from "../../../kit/journal/write.ts";

/**
 * Records `annual_notice_due` for a page of the living subscriptions that were created on this day of an earlier year, while mails of the kind are
 * on. The position is kept in the same batch, so that each year of a subscription is told once. Returns whether there may be more.
 */
export async function announceAnniversaries(ctx: Ctx): Promise<boolean> {
  const stored = await first(ctx.db, selectProgress(ctx));
  const today = todayOf(ctx);
  if (!stored || stored.day > today) return false;
  const earliest = addDays(today, -lateDaysMax);
  let at = stored.day < earliest ? { day: earliest, after: null } : stored;
  let found: Anniversary[] = [];
  while (at.day <= today) {
    found = await rows(ctx.db, selectAnniversaries(ctx, at));
    at = positionAfter(at, found);
    if (found.length > 0) break;
  }
  await record(ctx, { from: stored, found, to: at }).catch((error) => {
    // Another job has recorded them meanwhile.
    if (!isGuard(error)) throw error;
  });
  return true;
}

/** The condition that an endpoint sends mails of the kind annual_notice. */
export function isTelling(endpoint: string): string {
  return `${endpoint}.kind = 'mail' AND ${endpoint}.is_enabled = 1 AND ${endpoint}.annual_notice_on IS NOT NULL
    AND instr(${endpoint}.event_types, '"${eventTypes.annual_notice_due}"') > 0`;
}

/** The day before the next anniversary, or that from which on it is looked for; null where there is none. */
export const nextAnniversary = `(SELECT MIN(MAX(w.annual_notice_on, (SELECT date(s.created_at, '+' || (its.value ->> 1) || ' years', '-1 day')
    FROM subscriptions AS s INDEXED BY subscriptions_by_status_and_time WHERE s.account_seq = w.account_seq AND s.status = its.value ->> 0
      AND s.created_at >= date(w.annual_notice_on, '-' || (its.value ->> 1) || ' years') ORDER BY s.created_at LIMIT 1)))
  FROM webhook_endpoints AS w CROSS JOIN json_each(?) AS its
  WHERE w.account_seq = ? AND ${isTelling("w")})`;

/** An anniversary that is longer ago is told no more. */
const lateDaysMax = 31;
/** Subscriptions in one batch: few enough for one parameter. */
const pageSize = 1000;
/** A subscription that is older is told no more. */
const yearsMax = 50;

/** The day whose anniversaries are recorded, and the last one that is: its rank among statuses and years, its time and its id. */
type Progress = { day: CalendarDate; after: string | null };
type Anniversary = { id: string; years: number; rank: number; created_at: string };

function selectProgress({ account }: Ctx): Statement<Progress> {
  return raw<Progress>(
    `SELECT annual_notice_on AS day, annual_notice_after AS after FROM webhook_endpoints
      WHERE account_seq = ? AND ${isTelling("webhook_endpoints")}`,
    ...[account.seq],
  );
}

/** The statuses and years, each of which is a range of one index: the twenty-ninth of February is told on the last of the month. */
export const anniversaryGroups = JSON.stringify(
  ["ACTIVE", "PAUSED"].flatMap((status) =>
    Array.from({ length: yearsMax }, (_, before) => [status, before + 1]),
  ),
);

function selectAnniversaries({ account }: Ctx, { day, after }: Progress): Statement<Anniversary> {
  const [rank, created_at, id] = after === null ? [-1, "", ""] : JSON.parse(after);
  const daysOf = (of: string) => `date(${of}, '-' || (its.value ->> 1) || ' years')`;
  return raw<Anniversary>(
    `SELECT s.id, s.created_at, its.value ->> 1 AS years, its.key AS rank
      FROM json_each(?1) AS its CROSS JOIN subscriptions AS s INDEXED BY subscriptions_by_status_and_time
        ON s.account_seq = ?2 AND s.status = its.value ->> 0
        AND s.created_at >= ${daysOf("?3")} AND s.created_at < ${daysOf("?4")}
      WHERE its.key >= ?5 AND (its.key, s.created_at, s.id) > (?5, ?6, ?7) AND s.billing_blocked_reason IS NOT 'import_held'
      ORDER BY its.key, s.created_at, s.id LIMIT ?8`,
    ...[anniversaryGroups, account.seq, day, addDays(day, 1), rank, created_at, id, pageSize],
  );
}

/** A page that is full is followed by another of the day. */
function positionAfter({ day }: Progress, found: Anniversary[]): Progress {
  const last = found.length === pageSize ? found.at(-1) : undefined;
  return last
    ? { day, after: JSON.stringify([last.rank, last.created_at, last.id]) }
    : { day: addDays(day, 1), after: null };
}

type Recording = { from: Progress; found: Anniversary[]; to: Progress };

async function record(ctx: Ctx, { from, found, to }: Recording): Promise<void> {
  const { account, actor, now, realNow } = ctx;
  const ids = found.map(() => ctx.newId());
  const listed = JSON.stringify(found.map(({ id, years }, nth) => [ids[nth], id, years]));
  const action = "annual_notice_due";
  await commitEntries(ctx, ids, [
    guardUnmoved(ctx, from),
    raw(
      `INSERT INTO new_entries (id, account_seq, action, metadata, actor_type, actor_name, loggable_type, loggable_id,
          subscription_id, profile_id, created_at, type, recorded_at)
        SELECT told.value ->> 0, ?2, ?3, json_object('years', told.value ->> 2), ?4, ?5, 'subscription', s.id, s.id, s.profile_id, ?6, ?7, ?8
        FROM json_each(?1) AS told CROSS JOIN subscriptions AS s ON s.account_seq = ?2 AND s.id = told.value ->> 1`,
      ...[listed, account.seq, action, actor.type, actor.name, now, eventTypes[action], realNow],
    ),
    raw(
      `UPDATE webhook_endpoints SET annual_notice_on = ?2, annual_notice_after = ?3 WHERE account_seq = ?1 AND kind = 'mail'`,
      ...[account.seq, to.day, to.after],
    ),
  ]);
}

function guardUnmoved({ account }: Ctx, { day, after }: Progress): Statement {
  return guard(
    `NOT EXISTS (SELECT 1 FROM webhook_endpoints
      WHERE account_seq = ? AND kind = 'mail' AND annual_notice_on = ? AND annual_notice_after IS ?)`,
    [account.seq, day, after],
  );
}
