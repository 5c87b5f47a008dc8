/** The seed adds records in bulk that are as if they had been inserted one by one. */
import { copyFileSync, existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { demoAccountSeq } from "../../scripts/seed/account.ts";
import { loadInBulk } from "../../scripts/seed/bulk.ts";
import type { Extent } from "../../scripts/seed/extent.ts";
import { seed } from "../../scripts/seed/index.ts";
import { recordBatches } from "../../scripts/seed/records.ts";
import { fillCopy } from "../../scripts/storage/exclusive-copy.ts";
import { openFile } from "../../scripts/storage/local.ts";
import { createAccount } from "../../src/base/accounts/actions.ts";
import { commit } from "../../src/base/db/commit.ts";
import { childEnv } from "../support/child-env.ts";
import { libsqlFile } from "../support/libsql-file.ts";

vi.setConfig({ testTimeout: 60_000 });

const now = new Date("2026-11-20T12:00:00.000Z");
const first: Extent = {
  amounts: { profiles: 40, subscriptions: 90, orders: 400 },
  after: { profiles: 60, subscriptions: 60, orders: 300 },
  nextNumber: 1061,
};
const second: Extent = {
  amounts: { profiles: 7, subscriptions: 7, orders: 30 },
  after: { profiles: 100, subscriptions: 150, orders: 700 },
  nextNumber: 1151,
};

/** The demo store; with the records of `first` added in bulk; and with the same added one by one. */
let seeded: string;
let bulk: string;
let slow: string;
beforeAll(async () => {
  // The threads that make the records load what the first has compiled.
  vi.stubEnv("NODE_COMPILE_CACHE", childEnv.NODE_COMPILE_CACHE);
  const { db, path } = await libsqlFile();
  await seed(db, now);
  seeded = path;
  bulk = inBulk(copyOf(seeded, "bulk"), first);
  slow = await oneByOne(copyOf(seeded, "slow"), first);
});
afterAll(() => void vi.unstubAllEnvs());

function copyOf(path: string, name: string): string {
  copyFileSync(path, `${path}-${name}`);
  return `${path}-${name}`;
}

function opened<T>(path: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

function inBulk(path: string, extent: Extent): string {
  opened(path, (database) => loadInBulk(database, extent, now));
  return path;
}

async function oneByOne(path: string, extent: Extent): Promise<string> {
  const db = openFile(path);
  for (const batch of recordBatches(extent, now)) await commit({ db }, batch);
  db.close();
  return path;
}

const searchTables = ["profile_search", "subscription_search", "order_search"];

/** The counters of a day's quarters are an object, whose members have no order. */
const countsInOrder = `SELECT account_seq, day, count, (SELECT json_group_object(key, value)
  FROM (SELECT key, value FROM json_each(quarters) ORDER BY key)) FROM activity_counts`;

/** Everything in a database but how its search tables are laid out, which their own check covers. */
function contentOf(path: string) {
  return opened(path, (database) => {
    const all = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row));
    const isLaidOut = (name: string) => searchTables.some((table) => name.startsWith(table));
    const tables = all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .flat()
      .map(String);
    return {
      schema: all("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"),
      orderOfIndexes: all("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY tbl_name, rowid"),
      rows: Object.fromEntries(
        tables
          .filter((name) => !isLaidOut(name))
          .map((name) => [name, all(name === "activity_counts" ? countsInOrder : `SELECT * FROM ${name}`)]),
      ),
    };
  });
}

function faultsOf(path: string): unknown[] {
  return opened(path, (database) => {
    for (const table of searchTables)
      database.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 1)`);
    const found = [
      ...database.prepare("PRAGMA integrity_check").all(),
      ...database.prepare("PRAGMA foreign_key_check").all(),
    ];
    return found.map((row) => ({ ...row }));
  });
}

function addEndpoint(path: string): void {
  opened(path, (database) =>
    database.exec(`INSERT INTO webhook_endpoints (id, account_seq, url, event_types, payload, is_enabled, secret,
        created_at, updated_at)
      VALUES ('e1', ${demoAccountSeq}, 'https://example.com', '["order.*"]', 'full', 1, 's', '2026', '2026')`),
  );
}

test("the demo store has its place in a database where another account was made first", async () => {
  const { db } = await libsqlFile();
  const acme = { shop: "acme.myshopify.com", timezone: "UTC", currency: "EUR" };
  const { account } = await createAccount(db, acme, now.toISOString());
  expect(account.seq).toBeGreaterThan(demoAccountSeq);
  expect(await seed(db, now)).toContain("account");
});

describe("records that are added in bulk", () => {
  test("leave what one insertion after the other leaves: rows, counters, places in the stream, indexes and triggers", () => {
    expect(contentOf(bulk)).toEqual(contentOf(slow));
    expect(faultsOf(bulk)).toEqual([{ integrity_check: "ok" }]);
  });

  test("are added to what is there, however often", async () => {
    const [bulkTwice, slowTwice] = [copyOf(bulk, "twice"), copyOf(slow, "twice")];
    expect(contentOf(inBulk(bulkTwice, second))).toEqual(contentOf(await oneByOne(slowTwice, second)));
    expect(faultsOf(bulkTwice)).toEqual([{ integrity_check: "ok" }]);
  });

  test("are found by a search", () => {
    const found = opened(bulk, (database) =>
      database
        .prepare(
          "SELECT s.store_order_id FROM order_search JOIN orders AS s ON s.seq = order_search.rowid WHERE order_search MATCH ?",
        )
        .all('"store-order-699"'),
    );
    expect(found.map((row) => row.store_order_id)).toEqual(["store-order-699"]);
  });

  test("are delivered to the endpoints that ask for their events", () => {
    const path = copyOf(seeded, "endpoints");
    addEndpoint(path);
    opened(path, (database) => {
      const count = (sql: string) => database.prepare(sql).get()?.count;
      const before = count("SELECT MAX(sequence) AS count FROM activity_logs");
      loadInBulk(database, first, now);
      expect(count("SELECT COUNT(*) AS count FROM event_deliveries")).toBe(
        count(
          `SELECT COUNT(*) AS count FROM activity_logs WHERE type LIKE 'order.%' AND sequence > ${before}`,
        ),
      );
    });
  });
});

describe("a copy that is filled", () => {
  const countOf = (path: string) =>
    opened(path, (database) => database.prepare("SELECT COUNT(*) AS count FROM orders").get()?.count);
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const fill = (database: DatabaseSync) => loadInBulk(database, first, now);

  test("takes the place of the database, and leaves no other file", async () => {
    const path = copyOf(seeded, "filled");
    opened(path, (database) => database.exec("PRAGMA journal_mode = WAL"));
    expect(await fillCopy(path, fill, say)).toBe(true);
    expect([countOf(path), said]).toEqual([700, []]);
    expect([".seeding", "-journal", "-wal", "-shm"].filter((end) => existsSync(path + end))).toEqual([]);
  });

  test("that was interrupted leaves the database as it was; the next run says so and starts over", async () => {
    const path = copyOf(seeded, "interrupted");
    const before = contentOf(path);
    const failing = (database: DatabaseSync) => {
      fill(database);
      throw new Error("killed");
    };
    await expect(fillCopy(path, failing, say)).rejects.toThrow("killed");
    expect([existsSync(`${path}.seeding`), contentOf(path)]).toEqual([true, before]);
    expect(await fillCopy(path, fill, say)).toBe(true);
    expect([countOf(path), said]).toEqual([700, [expect.stringContaining("starts over")]]);
  });

  test("is not begun while somebody has the database open", async () => {
    const path = copyOf(seeded, "open");
    const server = new DatabaseSync(path);
    server.exec("PRAGMA journal_mode = WAL");
    server.prepare("SELECT COUNT(*) FROM orders").get();
    expect(await fillCopy(path, fill, say)).toBe(false);
    expect(existsSync(`${path}.seeding`)).toBe(false);
    server.close();
  });
});
