import { and, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { commit, type Writer } from "../db/commit.ts";
import type { Db } from "../db/port.ts";
import { build, prepare, statement } from "../db/statement.ts";
import { fencedBy } from "../db/wrapped/fenced.ts";
import { DomainError, invalid } from "../errors.ts";
import { type Instant, later } from "../lib/time/dates.ts";
import { dayMs, minuteMs } from "../lib/time/durations.ts";
import { isOpen } from "./closed.ts";
import { forgetAccount } from "./queries.ts";
import { type Account, accounts, builtInStore } from "./tables.ts";

/**
 * Sets where an account's time is to move from `now`; jobs move it. Returns whether it is under way. Throws
 * VALIDATION_FAILED for the past and for a target too far ahead, INVALID_STATE while it moves to another target.
 */
export async function startAdvance(
  writer: Writer,
  account: Account,
  now: Instant,
  target: Instant,
): Promise<boolean> {
  requireTestClock(account);
  if (target < now) throw invalidTarget("must not be before the account's time");
  if (target > later(now, daysPerCallMax * dayMs))
    throw invalidTarget(`must be at most ${daysPerCallMax} days ahead`);
  if (account.clock_target === target) return true;
  if (account.clock_target !== null)
    throw new DomainError("INVALID_STATE", `The test clock is moving to ${account.clock_target} already`);
  if (target === now) return false;
  const isUnchanged =
    account.clock_at === null ? isNull(accounts.clock_at) : eq(accounts.clock_at, account.clock_at);
  const [started] = await commit(writer, [
    statement(
      build
        .update(accounts)
        .set({ clock_at: now, clock_target: target, clock_lease_until: null })
        .where(and(eq(accounts.id, account.id), isNull(accounts.clock_target), isUnchanged, chargesNobody))
        .returning({ id: accounts.id }),
    ),
  ]);
  forgetAccount(account.id);
  if (started?.rows.length === 0)
    throw new DomainError("INVALID_STATE", "Another request has moved the test clock meanwhile");
  return true;
}

/** Throws INVALID_STATE for an account whose store charges real money: its customers live in real time. */
export function requireTestClock(account: StoreMode): void {
  if (!mayHaveClock(account))
    throw new DomainError(
      "INVALID_STATE",
      "Only an account on the sandbox store, or in the test mode of its store, has a test clock",
    );
}

/** Whether no charge of the account's store is of real money. */
export function mayHaveClock({ store, store_is_live }: StoreMode): boolean {
  return store === builtInStore || store_is_live === 0;
}

type StoreMode = Pick<Account, "store" | "store_is_live">;

/** `mayHaveClock` as a condition. */
const chargesNobody = or(eq(accounts.store, builtInStore), eq(accounts.store_is_live, 0));

/** Takes the lease to move a clock, for a minute. Returns the account as it then is; undefined while another job has the lease. */
export async function leaseClock(db: Db, accountId: string, realNow: Instant): Promise<Account | undefined> {
  const isFree = or(isNull(accounts.clock_lease_until), lte(accounts.clock_lease_until, realNow));
  const [leased] = await commit({ db }, [
    statement(
      build
        .update(accounts)
        .set({ clock_lease_until: later(realNow, leaseMs) })
        .where(and(eq(accounts.id, accountId), isNotNull(accounts.clock_target), isFree))
        .returning(),
    ),
  ]);
  return leased.rows[0];
}

/**
 * The database in the hands of the invocation that moves an account's clock. Once another has taken its lease over, or the move has ended,
 * each write is refused with UNAVAILABLE: it would be dated with an instant that has passed.
 */
export function underLease(db: Db, { seq, clock_lease_until }: Account): Db {
  const isHeld = {
    sql: "EXISTS (SELECT 1 FROM accounts WHERE seq = ? AND clock_lease_until = ?)",
    params: [seq, clock_lease_until],
  };
  return fencedBy(
    db,
    isHeld,
    () => new DomainError("UNAVAILABLE", "Another invocation moves the test clock"),
  );
}

/** Moves the clock on to an instant, under its lease. Returns the account as it is then. */
export async function stepClock(db: Db, account: Account, next: Instant): Promise<Account> {
  await commit({ db }, [
    statement(build.update(accounts).set({ clock_at: next }).where(eq(accounts.id, account.id))),
  ]);
  forgetAccount(account.id);
  return { ...account, clock_at: next };
}

/** Returns the lease; and ends the move, once the clock is at its target and all that fell due on the way is done. */
export async function releaseClock(db: Db, accountId: string, isAtTarget: boolean): Promise<void> {
  const end = isAtTarget ? { clock_target: null } : {};
  await commit({ db }, [
    statement(
      build
        .update(accounts)
        .set({ clock_lease_until: null, ...end })
        .where(eq(accounts.id, accountId)),
    ),
  ]);
  forgetAccount(accountId);
}

const leaseMs = minuteMs;
/** The time by which one call may move the clock. */
const daysPerCallMax = 400;

function invalidTarget(message: string): DomainError {
  return invalid([{ path: "advance_to", message }]);
}

/** Open accounts whose clock is moving. The tick sends their job again, as a message may be lost. */
export const selectAdvancing = prepare(() =>
  build
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNotNull(accounts.clock_target), sql.raw(isOpen)))
    .limit(100),
);
