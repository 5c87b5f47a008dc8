import type { Db } from "../../base/db/port.ts";
import type { Log } from "../../base/lib/log.ts";
import { hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import { nextDueAt } from "../../edges/operator/next-due.ts";

/**
 * When an object looks for what has fallen due. Something new can be due only because of a write, so each write has it look within a
 * minute. After a look it looks again in a minute if it found work, else when the next thing that it knows of falls due.
 */
export function wakeup({ alarms, nowMs, log }: Surroundings) {
  let atMs: number | null = null;
  /** Whether something was written since the alarm rang: a look under way may have passed by what that made due. */
  let hasNews = false;

  const set = (ms: number): void => {
    atMs = ms;
    alarms.setAlarm(ms).catch((error) => log("alarm_not_set", { alert: true, cause: String(error) }));
  };

  return {
    /** Reads when the object is to look next. */
    async load(): Promise<void> {
      atMs = await alarms.getAlarm();
    },
    /** Called in the turn of a write, whose transaction the alarm joins: no crash comes between the two. */
    soon(): void {
      hasNews = true;
      const latestMs = nowMs() + lookMs;
      if (atMs === null || atMs > latestMs) set(latestMs);
    },
    /** The alarm rings. Before anything is done the next one is set, in case this one fails. */
    rings(): void {
      hasNews = false;
      set(nowMs() + lookMs);
    },
    /** There is nothing to look for any more. */
    async stop(): Promise<void> {
      atMs = null;
      await alarms.deleteAlarm();
    },
    /** A look at `now` has sent so many jobs. If nothing was written meanwhile, the object rests until something falls due. */
    async looked({ db, now, sent }: { db: Db; now: Date; sent: number }): Promise<void> {
      const dueMs = (await nextDueAt(db, now)) ?? Number.POSITIVE_INFINITY;
      if (sent > 0 || hasNews) return;
      set(Math.min(Math.max(dueMs, nowMs()), now.getTime() + restMs));
    },
  };
}

/** Cron looks at the accounts of the deployment's database this often; an account with an object waits no longer. */
const lookMs = minuteMs;
/** An object at rest looks this often, whatever it knows to be due. */
const restMs = hourMs;

type Surroundings = {
  alarms: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">;
  nowMs: () => number;
  log: Log;
};
