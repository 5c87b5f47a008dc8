import type { Statement, Usage } from "./port.ts";

export function emptyUsage(): Usage {
  return {
    db_round_trips: 0,
    db_statements: 0,
    rows_read: 0,
    rows_written: 0,
  };
}

/** Counts a trip with these statements. */
export function countTrip(usage: Usage, { length }: Statement[]): void {
  usage.db_round_trips++;
  usage.db_statements += length;
}
