/** The tests' database and Miniflare's D1 keep the same promises and give D1's client the same answers. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { d1Db } from "../../src/base/db/client.ts";
import { testDb } from "../support/database.ts";
import { limitsSuite } from "./limits.ts";
import { storageSuite } from "./suite.ts";

/** A database that Miniflare runs, which no other test of this file has touched. */
const miniflares = env.REPLICA;

storageSuite("D1", async () => testDb());
limitsSuite("D1", testDb);
storageSuite("D1 as Miniflare runs it", async () => {
  await miniflares.batch(env.TEST_SCHEMA.map((sql) => miniflares.prepare(sql)));
  return d1Db(miniflares);
});

describe("the tests' database answers D1's client as Miniflare's D1 does", () => {
  type Outcome = { results: unknown; meta: unknown }[] | string;

  /** The answer of a batch, without each database's own: its name, its size and the time it took. */
  async function outcomeIn(database: D1Database, statements: [string, ...unknown[]][]): Promise<Outcome> {
    const prepared = statements.map(([sql, ...values]) => database.prepare(sql).bind(...values));
    return database.batch(prepared).then(
      (answers) =>
        answers.map(
          ({ results, meta: { served_by, size_after, duration, timings, changed_db, ...meta } }) => ({
            results,
            meta,
          }),
        ),
      (error: Error) => `${error.message} ${String(error.cause)}`,
    );
  }

  beforeAll(async () => {
    for (const database of [env.DB, miniflares])
      await database
        .prepare("CREATE TABLE pairs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size ANY) STRICT")
        .run();
  });

  test.each<[string, [string, ...unknown[]][]]>([
    ["rows written", [["INSERT INTO pairs (id, name, size) VALUES (1, 'a', 1.5), (2, 'b', NULL)"]]],
    [
      "rows returned",
      [["INSERT INTO pairs (name, size) VALUES (?, ?) RETURNING *", "c", 9_007_199_254_740_991]],
    ],
    [
      "bytes",
      [["INSERT INTO pairs (name, size) VALUES (?, ?) RETURNING size", "d", new Uint8Array([0, 255])]],
    ],
    [
      "true, and text beyond ASCII",
      [["INSERT INTO pairs (name, size) VALUES (?, ?) RETURNING *", "é 🐟", true]],
    ],
    [
      "rows read",
      [["SELECT * FROM pairs ORDER BY id"], ["SELECT COUNT(*) AS n FROM pairs WHERE name > ?", "b"]],
    ],
    ["no row", [["SELECT * FROM pairs WHERE id = ?", -1]]],
    ["two columns of one name", [["SELECT id AS a, name AS a FROM pairs WHERE id = 1"]]],
    [
      "changes and deletions",
      [["UPDATE pairs SET size = 7 WHERE id < 3"], ["DELETE FROM pairs WHERE id = 2"]],
    ],
    [
      "a constraint, which undoes the batch",
      [["DELETE FROM pairs"], ["INSERT INTO pairs (name) VALUES (NULL)"]],
    ],
    ["a second row of one name", [["INSERT INTO pairs (name) VALUES (?)", "a"]]],
    ["a wrong number of values", [["SELECT ? AS a", 1, 2]]],
    ["more values than D1 takes", [[`SELECT ${Array(101).fill("?").join(", ")}`, ...Array(101).fill(1)]]],
    ["a table that is not there", [["SELECT * FROM nowhere"]]],
    ["words that are no SQL", [["SELEKT 1"]]],
    ["an undefined value", [["SELECT ? AS a", undefined]]],
    ["a command that D1 forbids", [["PRAGMA journal_mode = DELETE"]]],
    ["a transaction of its own", [["BEGIN"]]],
  ])("%s", async (_, statements) => {
    const outcomes: Outcome[] = [];
    for (const database of [env.DB, miniflares]) {
      const outcome = await outcomeIn(database, statements).catch((error: Error) => error.message);
      const { results } = await database.prepare("SELECT * FROM pairs ORDER BY id").all();
      outcomes.push(outcome, JSON.stringify(results));
    }
    expect(outcomes.slice(0, 2)).toEqual(outcomes.slice(2));
  });
});
