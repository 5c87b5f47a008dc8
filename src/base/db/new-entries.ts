import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { entryColumns } from "../../kit/journal/tables.ts";

/**
 * The view into which new entries of the history are inserted. It gives each its place in the account's stream and makes its
 * deliveries (migrations/0001_schema.sql). It is no table, so that it does not stand with the tables, and it stands below
 * accounts, which have a history too.
 */
export const newEntries = sqliteTable("new_entries", { ...entryColumns, sequence: integer() });
