import { wakeup } from "../../src/runtime/engine/wakeup.ts";
import type { Database } from "./database.ts";

/** The alarm of an account's object, which looks for what has fallen due as cron does elsewhere. */
export type Alarm = Pick<ReturnType<typeof wakeup>, "soon" | "rings" | "looked"> & { at: () => number };

/** The alarm of the object whose storage the database is; undefined if it is no object's. */
export function alarmOf(database: Database, nowMs: () => number): Alarm | undefined {
  if (database.engine !== "object") return undefined;
  let at = Number.POSITIVE_INFINITY;
  const alarms = {
    getAlarm: async () => at,
    setAlarm: async (ms: number | Date) => {
      at = Number(ms);
    },
    deleteAlarm: async () => {
      at = Number.POSITIVE_INFINITY;
    },
  };
  const { soon, rings, looked } = wakeup({ alarms, nowMs, log: () => {} });
  database.afterWrite = soon;
  return { soon, rings, looked, at: () => at };
}
