import { readAccount } from "../../../base/accounts/queries.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import { seqOfId } from "../../../base/db/account-seq.ts";
import type { Db } from "../../../base/db/port.ts";
import { first, raw } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { dateIn, endOfDay, type Instant, later } from "../../../base/lib/time/dates.ts";
import { hourMs, secondMs } from "../../../base/lib/time/durations.ts";
import { clockTimeAt } from "../../../base/lib/time/zones.ts";
import { nextDueOf } from "../next-due.ts";
import { type MovedTable, quoteName } from "./row-statements.ts";
import { drainingMs, type Estimate } from "./state.ts";

/** Measured in the local runtime on a busy machine: 148,478 rows in 75 s. */
const rowsPerSecond = 2_000;
const secondsMin = 10;

export async function estimateCopy(from: Db, accountId: string, tables: MovedTable[]): Promise<Estimate> {
  const counts = tables.map(
    ({ name }) =>
      `(SELECT COUNT(*) FROM ${quoteName(name)} WHERE account_seq = ${seqOfId.replace("?", "?1")})`,
  );
  const found = await first(from, raw<{ count: number }>(`SELECT ${counts.join(" + ")} AS count`, accountId));
  const rows = found?.count ?? 0;
  return { rows, seconds: Math.max(secondsMin, Math.ceil(rows / rowsPerSecond)) };
}

/**
 * Refuses a copy that would not end before something of the account falls due, or its day ends, and names an hour at which it would. Throws
 * INVALID_STATE.
 */
export async function requireTime(from: Db, accountId: string, { now, estimate }: Asked): Promise<void> {
  const account = await readAccount(from, accountId);
  if (!account) return;
  const lasts = drainingMs + estimate.seconds * secondMs;
  const left = await timeLeft(from, account, now);
  if (left >= lasts) return;
  const best = await findBestHour(from, account, now);
  const minutes = (ms: number) => Math.ceil(ms / 60_000);
  throw new DomainError(
    "INVALID_STATE",
    `The copy takes about ${minutes(lasts)} minutes, and something is due in ${minutes(left)}: move the account at ${best} (${account.timezone}), or now with --force`,
  );
}

type Asked = { now: Instant; estimate: Estimate };

/** Milliseconds until something of the account falls due, or its day ends. */
async function timeLeft(from: Db, account: Account, now: Instant): Promise<number> {
  const due = (await nextDueOf(from, account, new Date(now))) ?? Number.POSITIVE_INFINITY;
  const midnight = Date.parse(endOfDay(dateIn(now, account.timezone), account.timezone));
  return Math.min(due, midnight) - Date.parse(now);
}

/** The hour of the next 24 which leaves the most time, by the account's clock. */
async function findBestHour(from: Db, account: Account, now: Instant): Promise<string> {
  const nextHour = Math.ceil(Date.parse(now) / hourMs) * hourMs;
  let best = { at: now, left: 0 };
  for (let hours = 0; hours < 24; hours++) {
    const at = later(new Date(nextHour).toISOString(), hours * hourMs);
    const left = await timeLeft(from, account, at);
    if (left > best.left) best = { at, left };
  }
  return new Date(clockTimeAt(Date.parse(best.at), account.timezone))
    .toISOString()
    .slice(0, 16)
    .replace("T", " ");
}
