import { and, asc, eq, isNotNull, isNull, lte, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { accounts } from "../../../base/accounts/tables.ts";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { commit } from "../../../base/db/commit.ts";
import { build, type Params, prepare, read, rows, statement } from "../../../base/db/statement.ts";
import { chargeJob, type DueKind, type Job, processDueJob } from "../../../base/job.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import { dueBy } from "../../../kit/outbox/outbox.ts";
import { dunningEpisodes as episodes } from "../../dunning/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { billingAttempts as attempts } from "../tables.ts";

/**
 * Sends a page of what is due, as messages that have it done, and one message that finds the next page. That waits for most of the page before
 * to be done: the queue is everybody's, and what another account asks for then stands behind one page, not behind all.
 */
export async function sendDue(ctx: Ctx, job: FindDuePage): Promise<void> {
  const { kind, after, waits = 0 } = job;
  if (after && waits < mostWaits && (await isBehind(ctx)))
    return ctx.send([{ ...job, waits: waits + 1 }], waitSeconds);
  await ctx.send(await jobsOfPage(ctx, kind, await rows(ctx.db, duePage(ctx, kind, after))));
}

/**
 * The jobs that are due of an account, in the order in which they matter, found in one trip: its attempts in progress, oldest
 * first, for its test clock waits for none of their pauses, and the first page of each kind. `isHeld` says whether somebody has one of the
 * attempts in hand, or has died with it less than a minute ago.
 */
export async function findAllDue(ctx: Ctx): Promise<{ jobs: Job[]; isHeld: boolean }> {
  const account_id = ctx.account.id;
  const [open, ...pages] = await read(ctx.db, [
    selectOpenAttempts({ account_seq: ctx.account.seq, limit: pageSize }),
    ...clockOrder.map((kind) => duePage(ctx, kind)),
  ]);
  const jobs = open.map((attempt) => chargeJob(account_id, attempt));
  for (const [nth, kind] of clockOrder.entries())
    jobs.push(...(await jobsOfPage(ctx, kind, pages[nth] ?? [])));
  return { jobs, isHeld: open.some(({ lease_until }) => (lease_until ?? "") > ctx.realNow) };
}

/** Pages are short enough for one invocation, pieces for one message. */
const pageSize = 500;
const pieceSize = 20;

/** A page goes on where so few attempts are still to be worked on, and in any case after a minute: a store that is away must not hold all up. */
const fewOpen = 250;
const waitSeconds = 5;
const mostWaits = 12;

/** The kinds that fall due on a day of the account's calendar. The others do so at an instant. */
const datedKinds: DueKind[] = ["ending", "schedule"];

type PagedKind = Exclude<DueKind, "reminder">;
type FindDuePage = Extract<Job, { type: "find_due" }> & { kind: PagedKind };

/** A subscription that ends is charged no more; debts come before what waits, and that before what is new. */
const clockOrder = ["ending", "dunning", "waiting", "schedule"] as const satisfies PagedKind[];

/** The end of a page of what is due. */
type Position = { due: string; id: string };
const start: Position = { due: "", id: "" };

const pagesOf = {
  schedule: pageBy(subscriptions, {
    due: sql`due_on`,
    id: subscriptions.id,
    tiebreaker: subscriptions.seq,
    tiebreakerOfId: (p) => sql`COALESCE((SELECT before.seq FROM ${subscriptions} AS before
      WHERE before.account_seq = ${p("account_seq")} AND before.id = ${p("after_id")}), 0)`,
  }),
  ending: pageBy(subscriptions, { due: subscriptions.ends_on, id: subscriptions.id }),
  dunning: pageBy(episodes, { due: episodes.due_at, id: episodes.subscription_id }),
  waiting: pageBy(subscriptions, { due: sql`retry_due_at`, id: subscriptions.id }),
};

type PageValues = {
  account_seq: AccountSeq;
  until: string;
  after_due: string;
  after_id: string;
  limit: number;
};

/**
 * The columns that say when a row is due and which it is. `tiebreaker` is the column that the index by `due` ends in, where that
 * is not the id, and `tiebreakerOfId` finds that of the row which the page before ended with.
 */
type DueBy = {
  due: SQLWrapper;
  id: SQLWrapper;
  tiebreaker?: SQLWrapper;
  tiebreakerOfId?: (p: Params<PageValues>) => SQLWrapper;
};

/** The rows of a table that are due, in the order of the index that begins with when they are. */
function pageBy(
  table: SQLiteTable & { account_seq: SQLiteColumn },
  { due, id, tiebreaker = id, tiebreakerOfId = (p) => p("after_id") }: DueBy,
) {
  return prepare((p: Params<PageValues>) =>
    build
      .select({ due: sql<string>`${due}`.as("due"), id: sql<string>`${id}`.as("id") })
      .from(table)
      .where(
        and(
          eq(table.account_seq, p("account_seq")),
          isNotNull(due),
          sql`${due} <= ${p("until")}`,
          sql`(${due}, ${tiebreaker}) > (${p("after_due")}, ${tiebreakerOfId(p)})`,
        ),
      )
      .orderBy(asc(due), asc(tiebreaker))
      .limit(p("limit")),
  );
}

function duePage(ctx: Ctx, kind: PagedKind, { due, id }: Position = start) {
  const page = { account_seq: ctx.account.seq, after_due: due, after_id: id, limit: pageSize };
  return pagesOf[kind]({ ...page, until: datedKinds.includes(kind) ? todayOf(ctx) : ctx.now });
}

/** The rows of a page in messages of twenty. After a full page cron leaves the account alone, and a message goes on. */
async function jobsOfPage(ctx: Ctx, kind: PagedKind, page: Position[]): Promise<Job[]> {
  const account_id = ctx.account.id;
  const pieces = Array.from({ length: Math.ceil(page.length / pieceSize) }, (_, nth) => {
    const piece = page.slice(nth * pieceSize, (nth + 1) * pieceSize);
    return processDueJob(
      account_id,
      piece.map(({ id }) => id),
    );
  });
  const last = page.at(-1);
  if (page.length < pageSize || !last) return pieces;
  await pauseSearches(ctx);
  return [{ type: "find_due", account_id, kind, after: last }, ...pieces];
}

/** About as long as the messages of a full page take. */
const busyMs = 15 * minuteMs;

/** Whether many attempts are being worked on now, or have waited too long. Those that wait for somebody, or for their retry, do not count. */
async function isBehind({ db, account, realNow }: Ctx): Promise<boolean> {
  const found = await rows(db, selectNthToDo({ account_seq: account.seq, by: dueBy(realNow) }));
  return found.length > 0;
}

const selectNthToDo = prepare((p: Params<{ account_seq: AccountSeq; by: string }>) =>
  build
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.account_seq, p("account_seq")), lte(attempts.next_action_at, p("by"))))
    .limit(1)
    .offset(fewOpen),
);

/** More is due than a page: until that is done, further searches would only find it again. */
function pauseSearches({ db, account, realNow }: Ctx): Promise<unknown> {
  return commit({ db }, [
    statement(
      build
        .update(accounts)
        .set({ due_busy_until: later(realNow, busyMs) })
        .where(eq(accounts.id, account.id)),
    ),
  ]);
}

/**
 * By the index of open attempts, so that no settled attempt is read; nor by the index of all attempts by time, which the plus keeps
 * from leading.
 */
const selectOpenAttempts = prepare((p: Params<{ account_seq: AccountSeq; limit: number }>) =>
  build
    .select({
      id: attempts.id,
      subscription_id: attempts.subscription_id,
      lease_until: attempts.lease_until,
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        isNull(attempts.settled_at),
        sql`${attempts.status} <> 'REVIEW'`,
        isNotNull(attempts.next_action_at),
      ),
    )
    .orderBy(sql`+${attempts.created_at}`, asc(attempts.id))
    .limit(p("limit")),
);
