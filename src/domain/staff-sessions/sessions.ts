import { and, eq, getTableColumns, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { StaffRole } from "../../base/accounts/roles.ts";
import { selectSeq } from "../../base/db/account-seq.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, first, type Params, prepare, statement } from "../../base/db/statement.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { pruneExpired } from "../sessions/one-time-links.ts";
import { staff } from "../staff/tables.ts";
import { type StaffSession, staffLinks, staffSessions } from "./tables.ts";

/** A session, and the member whose it is as they are now. */
export type OpenStaffSession = StaffSession & { name: string; email: string; role: StaffRole };

/**
 * The session of a cookie's secret, in one trip; undefined once it has ended, was not used for two hours, or its member was suspended or
 * removed.
 */
export async function findStaffSession(
  { db }: Pick<Ctx, "db">,
  { accountId, secret, now }: { accountId: string; secret: string; now: Instant },
): Promise<OpenStaffSession | undefined> {
  const idle_since = later(now, -idleMs);
  const by = { account_id: accountId, token_hash: await sha256Hex(secret), now, idle_since };
  return first(db, selectBySecret(by));
}

/** Whether a session has not ended, and was used in the last two hours. */
export async function isSessionOpen(
  { db, account, realNow }: Pick<Ctx, "db" | "account" | "realNow">,
  id: string,
): Promise<boolean> {
  const isOpen = and(
    isSession({ account_seq: account.seq, id }),
    gt(staffSessions.expires_at, realNow),
    gt(staffSessions.seen_at, later(realNow, -idleMs)),
  );
  return (
    (await first(db, statement(build.select({ id: staffSessions.id }).from(staffSessions).where(isOpen)))) !==
    undefined
  );
}

/** Notes that a session and its member were seen, at most each ten minutes. */
export async function touchSession(
  { db }: Pick<Ctx, "db">,
  session: OpenStaffSession,
  now: Instant,
): Promise<void> {
  const before = later(now, -seenMs);
  if (session.seen_at > before) return;
  const { account_seq, staff_id } = session;
  await commit({ db }, [
    statement(
      build
        .update(staffSessions)
        .set({ seen_at: now })
        .where(and(isSession(session), lte(staffSessions.seen_at, before))),
    ),
    statement(
      build
        .update(staff)
        .set({ last_seen_at: now })
        .where(
          and(
            eq(staff.account_seq, account_seq),
            eq(staff.id, staff_id),
            or(isNull(staff.last_seen_at), lte(staff.last_seen_at, before)),
          ),
        ),
    ),
  ]);
}

/** Ends one session. */
export async function endStaffSession({ db }: Pick<Ctx, "db">, session: StaffSession): Promise<void> {
  await commit({ db }, [statement(build.delete(staffSessions).where(isSession(session)))]);
}

/** Deletes the links and sessions that are over. */
export function pruneStaffSessions(db: Db, now: Date): Promise<void> {
  return pruneExpired(db, now, [staffLinks, staffSessions]);
}

function isSession({ account_seq, id }: Pick<StaffSession, "account_seq" | "id">) {
  return and(eq(staffSessions.account_seq, account_seq), eq(staffSessions.id, id));
}

const idleMs = 2 * hourMs;
const seenMs = 10 * minuteMs;

type BySecret = { account_id: string; token_hash: string; now: string; idle_since: string };

const selectBySecret = prepare((p: Params<BySecret>) =>
  build
    .select({
      ...getTableColumns(staffSessions),
      name: sql<string>`${staff.name}`.as("name"),
      email: sql<string>`${staff.email}`.as("email"),
      role: sql<StaffRole>`${staff.role}`.as("role"),
    })
    .from(staffSessions)
    .innerJoin(
      staff,
      and(
        eq(staff.account_seq, staffSessions.account_seq),
        eq(staff.id, staffSessions.staff_id),
        ne(staff.status, "SUSPENDED"),
      ),
    )
    .where(
      and(
        eq(staffSessions.account_seq, selectSeq(p("account_id"))),
        eq(staffSessions.token_hash, p("token_hash")),
        gt(staffSessions.expires_at, p("now")),
        gt(staffSessions.seen_at, p("idle_since")),
      ),
    ),
);
