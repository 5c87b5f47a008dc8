import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, first, prepare, raw } from "../../base/db/statement.ts";
import type { Job } from "../../base/job.ts";
import type { Log } from "../../base/lib/log.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, minuteMs } from "../../base/lib/time/durations.ts";
import type { Figures } from "./figures.ts";
import { heartbeats } from "./tables.ts";

/** The last tick. Before the first one it is when the schema was made, without figures. */
export type Heartbeat = { at: Instant; ms: number; failed: string[]; figures: Partial<Figures> };

/** Notes that a tick has ended, and what it has seen. */
export async function noteTick(db: Db, { at, ms, failed, figures }: Heartbeat): Promise<void> {
  const values = [at, ms, JSON.stringify(failed), JSON.stringify(figures)];
  await commit({ db }, [raw(replaceHeartbeat, ...values), raw(deleteOldLetters, later(at, -keptMs))]);
}

export async function readHeartbeat(db: Db): Promise<Heartbeat | undefined> {
  const row = await first(db, selectHeartbeat({}));
  return row && { ...row, failed: JSON.parse(row.failed), figures: JSON.parse(row.figures) };
}

/** A message that was given up, which nothing but this and its line in the log tells of. */
export async function noteDeadLetter(
  db: Db,
  { id, at, job }: { id: string; at: Instant; job: Job | null },
): Promise<void> {
  await commit({ db }, [raw(insertLetter, id, at, job?.type ?? null, job?.account_id ?? null)]);
}

/** Alerts of the whole deployment, at each tick for as long as they hold. */
export function alertOf(log: Log, figures: Figures): void {
  const { attempts_unanswered: attempts, mails_failing: endpoints, mails_failing_seconds: seconds } = figures;
  if (attempts > manyUnanswered) log("store_silent", { alert: true, attempts });
  if (seconds * 1000 >= mailsMs) log("mails_failing", { alert: true, endpoints, seconds });
}

const manyUnanswered = 20;
const mailsMs = 15 * minuteMs;
const keptMs = 30 * dayMs;

const selectHeartbeat = prepare(() =>
  build
    .select({ at: heartbeats.at, ms: heartbeats.ms, failed: heartbeats.failed, figures: heartbeats.figures })
    .from(heartbeats),
);

const replaceHeartbeat =
  "INSERT OR REPLACE INTO heartbeats (id, at, ms, failed, figures) VALUES (1, ?, ?, ?, ?)";

/** A message whose acknowledgement is lost is buried twice. */
const insertLetter =
  "INSERT OR IGNORE INTO dead_letters (message_id, at, type, account_id) VALUES (?, ?, ?, ?)";
const deleteOldLetters = `DELETE FROM dead_letters WHERE message_id IN (
  SELECT message_id FROM dead_letters WHERE at < ? ORDER BY at LIMIT 100)`;
