import type { Statement } from "./client.ts";

/** How much one request, queue message or cron tick has asked of the database. */
export type Usage = {
  db_round_trips: number;
  db_statements: number;
  rows_read: number;
  rows_written: number;
};

export const emptyUsage = (): Usage => ({
  db_round_trips: 0,
  db_statements: 0,
  rows_read: 0,
  rows_written: 0,
});

/** Counts a trip with these statements. */
export const countTrip = (usage: Usage, { length }: Statement[]): void => {
  usage.db_round_trips++;
  usage.db_statements += length;
};
