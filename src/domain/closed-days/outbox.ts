import { isNotNull } from "drizzle-orm";
import { followClosedDaysJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { closedDays } from "../delivery/tables.ts";

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

/** Closed days whose message was lost, by real time. Reads across accounts, as cron does. */
export const closedDaySweep = defineSweep({ ...outbox, size: 100 }, ({ account_id, id }) =>
  followClosedDaysJob(account_id, id),
);
