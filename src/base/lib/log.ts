import type { LogEvent } from "./log-lines.ts";

/** Writes one line of the log. Callers pass ids, codes and figures only: no personal data, no secrets. */
export type Log = (event: LogEvent, fields?: Record<string, unknown>) => void;

/** People are to be told of an alert; what has a cause went wrong, and is tried again or left out. */
export function levelOf({ alert, cause }: Record<string, unknown>): "error" | "warn" | "info" {
  if (alert) return "error";
  return cause === undefined ? "info" : "warn";
}
