import { isNotNull } from "drizzle-orm";
import type { Db } from "../../base/db/port.ts";
import { followClosedDaysJob, type Job } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import { minuteMs } from "../../base/lib/durations.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { sweep } from "../../kit/outbox/sweep.ts";
import { closedDays } from "./tables.ts";

/** Closed days whose message was lost, by real time. Reads across accounts, as cron does. */
export async function sweepClosedDays(db: Db, realNow: Instant): Promise<Job[]> {
  const due = await sweep(db, { ...outbox, size: 100 }, realNow);
  return due.map(({ account_id, id }) => followClosedDaysJob(account_id, id));
}

/** When the sweep takes a message for lost that was sent now. */
export function lostAt(realNow: Instant): Instant {
  return later(realNow, minuteMs);
}

const outbox = defineOutbox({
  table: closedDays,
  id: "id",
  due: "next_action_at",
  open: isNotNull(closedDays.walk),
});
