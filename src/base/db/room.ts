import type { Log } from "../lib/log.ts";
import { classify, DatabaseFullError } from "./commit.ts";
import type { Db } from "./port.ts";

/** Alerts where a failure says that the database has no room left. */
export function alertIfFull(log: Log, error: unknown): void {
  if (classify(error) instanceof DatabaseFullError) log("database_full", { alert: true, limit_bytes });
}

/** Alerts while there is time to make room. libSQL does not say how large it is, and its limit is the operator's. */
export function alertIfNearlyFull(log: Log, db: Db): void {
  const database_bytes = db.bytes?.() ?? 0;
  if (database_bytes >= nearly_full_bytes)
    log("database_nearly_full", { alert: true, database_bytes, limit_bytes });
}

/** The most bytes that D1 and an object hold (developers.cloudflare.com/d1/platform/limits, durable-objects/platform/limits). */
export const limit_bytes = 10_000_000_000;
const nearly_full_bytes = 0.8 * limit_bytes;
