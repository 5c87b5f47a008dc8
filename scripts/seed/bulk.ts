import type { DatabaseSync, StatementSync } from "node:sqlite";
import { progressOf } from "../progress.ts";
import { openCounters } from "./counters.ts";
import type { Extent } from "./extent.ts";
import { orderHistory } from "./history.ts";
import { type FlatPiece, producedPieces, type TableRows } from "./produced.ts";

/**
 * Adds the records to a database that nobody else uses. Its indexes are made after the rows, each in one go, and what triggers count
 * entry by entry is counted at the end: it leaves what one insertion after the other would have left. A failure leaves nothing
 * whole: what is filled is a copy (`scripts/storage/exclusive-copy.ts`).
 */
export function loadInBulk(database: DatabaseSync, extent: Extent, now: Date): void {
  const countsEntries = !hasEndpoints(database);
  const indexes = dropped(database, "index", namesOfIndexes(database));
  const triggers = dropped(database, "trigger", [
    ...Object.keys(searchTriggers),
    ...(countsEntries ? entryTriggers : []),
  ]);
  const counters = openCounters(database);
  database.function("next_sequence", (created_at) => counters.next(String(created_at)));

  const { profiles, subscriptions, orders } = extent.amounts;
  const rows = progressOf("Seeding", profiles + subscriptions + orders);
  const sequenceOf = countsEntries ? nextSequence : undefined;
  const insert = inserter(database, sequenceOf);
  database.exec(
    "PRAGMA foreign_keys = OFF; PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -200000; BEGIN",
  );
  for (const piece of producedPieces(extent, now, pieceSize)) {
    addPiece(piece, { database, insert, extent, sequenceOf });
    rows.advance(piece.count);
  }
  database.exec("COMMIT");
  rows.end();

  const searched = Object.values(searchTriggers).map(
    (table) => `INSERT INTO ${table} (${table}) VALUES ('rebuild')`,
  );
  const steps = [...indexes, ...searched];
  const made = progressOf("Indexing", steps.length);
  /* A sort is spread over threads where its cache is small and it may use files. */
  database.exec("PRAGMA cache_size = -32000; PRAGMA threads = 2; PRAGMA temp_store = FILE");
  for (const sql of steps) {
    database.exec(sql);
    made.advance();
  }
  if (countsEntries) counters.write();
  for (const sql of triggers) database.exec(sql);
  made.end();
}

/** Few rows at once, so that they are still near the processor when they are stored. */
const pieceSize = 2_000;

/** The triggers that fill each search table row by row. The tables are rebuilt instead. */
const searchTriggers = {
  profiles_search_insert: "profile_search",
  subscriptions_search_insert: "subscription_search",
  orders_search_insert: "order_search",
};

/** The SQL of an entry's place in the stream. */
type SequenceOf = (createdAt: string) => string;
const nextSequence: SequenceOf = (createdAt) => `next_sequence(${createdAt})`;

/** The triggers that count and name the entries of the history; `counters.ts` does so for all, and numbers them. */
const entryTriggers = ["activity_logs_count", "activity_logs_names"];

/** The tables that get so many rows that their indexes are better made afterwards. */
const tables = [
  "profiles",
  "payment_methods",
  "delivery_addresses",
  "entities",
  "subscriptions",
  "own_contracts",
  "orders",
  "order_subscriptions",
  "activity_logs",
];

function namesOfIndexes(database: DatabaseSync): string[] {
  const found = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
        AND tbl_name IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(tables)) as { name: string }[];
  return found.map(({ name }) => name);
}

/** Drops indexes or triggers, and returns how each is made again, in the order in which they were made. */
function dropped(database: DatabaseSync, type: "index" | "trigger", names: string[]): string[] {
  const found = database
    .prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = ? AND name IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    )
    .all(type, JSON.stringify(names)) as { name: string; sql: string }[];
  for (const { name } of found) database.exec(`DROP ${type} ${name}`);
  return found.map(({ sql }) => sql);
}

/**
 * A view makes the deliveries to each endpoint that asks for an entry, and numbers it, so with endpoints it takes all entries. Nobody is
 * mailed of what was before.
 */
function hasEndpoints(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM webhook_endpoints WHERE kind = 'http' LIMIT 1").get() !== undefined;
}

type Loading = {
  database: DatabaseSync;
  insert: (rows: TableRows) => void;
  extent: Extent;
  /** None where a view gives entries their place. */
  sequenceOf: SequenceOf | undefined;
};

function addPiece(
  { tables: its, ordersWithHistory }: FlatPiece,
  { database, insert, extent, sequenceOf }: Loading,
): void {
  for (const rows of its) insert(rows);
  if (!ordersWithHistory) return;
  const { sql, params } = orderHistory(ordersWithHistory, extent, sequenceOf);
  database.prepare(sql).run(...params);
}

/** Inserts rows by one statement for each table. */
function inserter(database: DatabaseSync, sequenceOf: SequenceOf | undefined): (rows: TableRows) => void {
  const prepared = new Map<string, StatementSync>();
  const statementFor = ({ table, columns }: TableRows): StatementSync => {
    const known = prepared.get(table);
    if (known) return known;
    const given = Object.fromEntries(columns.map((column, index) => [column, `?${index + 1}`]));
    const isNumbered = table === "new_entries" && sequenceOf;
    if (isNumbered) given.sequence = sequenceOf(given.created_at ?? "NULL");
    const made = database.prepare(
      `INSERT INTO ${isNumbered ? "placed_entries" : table} (${Object.keys(given).join(", ")}) VALUES (${Object.values(given).join(", ")})`,
    );
    prepared.set(table, made);
    return made;
  };
  return (rows) => {
    const statement = statementFor(rows);
    for (const values of rows.values) statement.run(...values);
  };
}
