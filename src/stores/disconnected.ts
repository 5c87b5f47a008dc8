import { connectionTables } from "./platforms.ts";

/** Whether a store has disconnected the account of this number, as a condition of SQL: it charges nobody then, and answers nothing. */
export function isDisconnected(seq: string): string {
  return `(${connectionTables.map((table) => isDisconnectedIn(table, seq)).join(" OR ")})`;
}

function isDisconnectedIn(table: string, seq: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS c WHERE c.account_seq = ${seq} AND c.disconnected_at IS NOT NULL)`;
}
