import { and, eq, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { commit, type Writer } from "../db/commit.ts";
import { build, rows, statement } from "../db/statement.ts";
import { DomainError, invalid } from "../errors.ts";
import { type Instant, later } from "../lib/dates.ts";
import { forgetAccount } from "./queries.ts";
import { type Account, accounts } from "./tables.ts";

const dayMs = 86_400_000;
/** At most so far in one call (docs/decisions.md#7-settings-and-the-test-clock). */
const mostDays = 400;

const plusDays = (instant: Instant, days: number): Instant => later(instant, days * dayMs);

/** Throws INVALID_STATE for an account on a real store, whose customers live in real time. */
export const requireTestClock = ({ store }: Account): void => {
  if (store !== "sandbox")
    throw new DomainError("INVALID_STATE", "Only an account on the sandbox store has a test clock");
};

const refusal = (message: string): DomainError => invalid([{ path: "advance_to", message }]);

/**
 * Sets where an account's time is to move from `now`; it is moved by jobs. Answers whether it is under way.
 * Throws VALIDATION_FAILED for the past and for too far, INVALID_STATE while it moves to elsewhere.
 */
export const startAdvance = async (
  writer: Writer,
  account: Account,
  now: Instant,
  target: Instant,
): Promise<boolean> => {
  requireTestClock(account);
  if (target < now) throw refusal("must not be before the account's time");
  if (target > plusDays(now, mostDays)) throw refusal(`must be at most ${mostDays} days ahead`);
  if (account.clock_target === target) return true;
  if (account.clock_target !== null)
    throw new DomainError("INVALID_STATE", `The test clock is moving to ${account.clock_target} already`);
  if (target === now) return false;
  const [started] = await commit(writer, [
    statement(
      build
        .update(accounts)
        .set({ clock_at: now, clock_target: target, clock_lease_until: null })
        .where(
          and(
            eq(accounts.id, account.id),
            isNull(accounts.clock_target),
            account.clock_at === null ? isNull(accounts.clock_at) : eq(accounts.clock_at, account.clock_at),
          ),
        )
        .returning({ id: accounts.id }),
    ),
  ]);
  forgetAccount(account.id);
  if (started?.rows.length === 0)
    throw new DomainError("INVALID_STATE", "The test clock was moved by others meanwhile");
  return true;
};

const leaseMs = 60_000;

/** Takes the moving of a clock for a minute, unless somebody else has it; the account as it is then. */
export const leaseClock = async (
  db: Db,
  accountId: string,
  realNow: Instant,
): Promise<Account | undefined> => {
  const [leased] = await commit({ db }, [
    statement(
      build
        .update(accounts)
        .set({ clock_lease_until: later(realNow, leaseMs) })
        .where(
          and(
            eq(accounts.id, accountId),
            isNotNull(accounts.clock_target),
            or(isNull(accounts.clock_lease_until), lte(accounts.clock_lease_until, realNow)),
          ),
        )
        .returning(),
    ),
  ]);
  return leased.rows[0];
};

/** Moves the clock on to an instant. The account as it is then; undefined if another consumer has moved it. */
export const stepClock = async (db: Db, account: Account, next: Instant): Promise<Account | undefined> => {
  const { clock_at } = account as Account & { clock_at: Instant };
  const [moved] = await commit({ db }, [
    statement(
      build
        .update(accounts)
        .set({ clock_at: next })
        .where(and(eq(accounts.id, account.id), eq(accounts.clock_at, clock_at)))
        .returning({ id: accounts.id }),
    ),
  ]);
  forgetAccount(account.id);
  return moved?.rows.length === 1 ? { ...account, clock_at: next } : undefined;
};

/** Gives the moving of a clock up; at its end, once all is done that fell due on the way. */
export const releaseClock = async (db: Db, accountId: string, isThere: boolean): Promise<void> => {
  const end = isThere ? { clock_target: null } : {};
  await commit({ db }, [
    statement(
      build
        .update(accounts)
        .set({ clock_lease_until: null, ...end })
        .where(eq(accounts.id, accountId)),
    ),
  ]);
  forgetAccount(accountId);
};

/** Accounts whose clock is being moved: should a message be lost, the tick sends another. */
export const findAdvancing = (db: Db): Promise<{ id: string }[]> =>
  rows(
    db,
    statement(
      build.select({ id: accounts.id }).from(accounts).where(isNotNull(accounts.clock_target)).limit(100),
    ),
  );
