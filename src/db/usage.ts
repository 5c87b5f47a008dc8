import type { Statement } from "./client.ts";

/** How much one request, queue message or cron tick has asked of the database. */
export type Usage = {
  db_round_trips: number;
  db_statements: number;
  rows_read: number;
  rows_written: number;
};

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
