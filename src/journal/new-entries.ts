import { sqliteTable } from "drizzle-orm/sqlite-core";
import { entryColumns } from "./tables.ts";

/**
 * The view into which new entries of the history are inserted. It gives each its place in the account's stream and makes its
 * deliveries (migrations/0050_entries_in_fewer_writes.sql). It is no table, so that it does not stand with the tables.
 */
export const newEntries = sqliteTable("new_entries", entryColumns);
