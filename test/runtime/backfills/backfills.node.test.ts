/** Rows get the values of a migration a thousand a tick, and no migration builds on them before all have theirs. */
import { beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "../../../src/base/accounts/actions.ts";
import { d1Db } from "../../../src/base/db/client.ts";
import type { Db } from "../../../src/base/db/port.ts";
import { openD1 } from "../../../src/host/d1.ts";
import type { Sqlite } from "../../../src/host/sqlite.ts";
import { applyMigration } from "../../../src/runtime/backfills/apply-migration.ts";
import type { Backfill } from "../../../src/runtime/backfills/backfills.ts";
import { fill } from "../../../src/runtime/backfills/fill.ts";
import { migratedSqlite } from "../../support/migrated-sqlite.ts";

const now = "2026-11-20T12:00:00.000Z";
const addition = `CREATE TABLE things (account_seq INTEGER NOT NULL, id TEXT NOT NULL, first INTEGER NOT NULL, PRIMARY KEY (account_seq, id)) WITHOUT ROWID;
  ALTER TABLE things ADD COLUMN doubled INTEGER;
  INSERT INTO backfills (name) VALUES ('doubled');`;
const contract = `UPDATE backfills SET required_by = '0003_next.sql' WHERE name = 'doubled';
  ALTER TABLE things DROP COLUMN first;`;
const doubled: Backfill = {
  name: "doubled",
  table: "things",
  key: ["account_seq", "id"],
  set: "doubled = 2 * first",
  missing: "doubled IS NULL",
};

let sqlite: Sqlite;
let db: Db;
beforeEach(async () => {
  sqlite = migratedSqlite();
  db = d1Db(openD1(sqlite));
  await createAccount(db, { shop: "acme.example", timezone: "UTC", currency: "USD" }, now);
  sqlite.database.exec(addition);
});

function addThings(count: number, account_seq = 1): void {
  const sql = `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT ?)
    INSERT INTO things (account_seq, id, first) SELECT ?, printf('%06d', value), value FROM n`;
  sqlite.all(sql, [count, account_seq]);
}

const count = (where: string) => sqlite.all(`SELECT COUNT(*) AS n FROM things WHERE ${where}`)[0]?.n;
const state = () => sqlite.all("SELECT after, done_at FROM backfills WHERE name = 'doubled'")[0];
const tick = () => fill(db, now, [doubled]);

describe("a tick", () => {
  test("gives a thousand rows their value, and the next go on until all have theirs", async () => {
    addThings(1_500, 1);
    addThings(700, 2);
    const filled: unknown[] = [];
    for (let nth = 0; nth < 3; nth++) {
      await tick();
      filled.push([count("doubled = 2 * first"), state()?.after, state()?.done_at]);
    }
    expect(filled).toEqual([
      [1_000, '[1,"001000"]', null],
      [2_000, '[2,"000500"]', null],
      [2_200, null, now],
    ]);
  });

  test("begins anew where rows without the value have come behind it", async () => {
    addThings(1_200);
    await tick();
    sqlite.all("INSERT INTO things (account_seq, id, first) VALUES (0, 'behind', 5)");
    await tick();
    expect([count("doubled IS NULL"), state()?.done_at]).toEqual([1, null]);
    for (let nth = 0; nth < 2; nth++) await tick();
    expect([count("doubled IS NULL"), state()?.done_at]).toEqual([0, now]);
  });

  test("leaves rows alone that have their value, and a backfill that is done", async () => {
    addThings(2);
    sqlite.all("UPDATE things SET doubled = 7 WHERE first = 1");
    await tick();
    addThings(1, 9);
    await tick();
    expect([count("doubled = 7"), count("doubled = 4"), count("doubled IS NULL")]).toEqual([1, 1, 1]);
  });
});

describe("a migration that builds on it", () => {
  test("is applied to a new database at once", () => {
    const empty = migratedSqlite();
    for (const text of [addition, contract]) empty.database.exec(text);
    expect(empty.columnsOf("SELECT * FROM things")).toEqual(["account_seq", "id", "doubled"]);
  });

  test("is refused until it is done, and changes nothing", async () => {
    addThings(1_001);
    await tick();
    expect(() => sqlite.transaction(() => sqlite.database.exec(contract))).toThrow("backfill_is_done");
    expect(count("first > 0")).toBe(1_001);
    await tick();
    sqlite.database.exec(contract);
    expect(count("doubled > 0")).toBe(1_001);
  });

  test("has it done first where nobody else waits for the database, as at the start of one machine and of an object", () => {
    addThings(1_500);
    applyMigration({
      ...{ sql: contract, now, known: [doubled] },
      exec: (text) => sqlite.database.exec(text),
      run: ({ sql, params }) => sqlite.all(sql, params),
    });
    expect([count("doubled > 0"), state()?.done_at]).toEqual([1_500, now]);
  });
});
