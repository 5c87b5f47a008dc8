/** The previous version works on with the schema of this one and of a later one, as after a roll-back and in a deployment. */
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { faultsOfMigration } from "../../scripts/migrations/lint.ts";
import { buildBefore } from "../../scripts/release/before.ts";
import { fileIn, openData } from "../../src/host/data.ts";
import { migrate } from "../../src/host/migrate.ts";
import { migrations } from "../../src/host/migrations.ts";
import { openSqlite, type Sqlite } from "../../src/host/sqlite.ts";
import { newFolder, startHost } from "./process.ts";
import { type Outcomes, walkExamples } from "./walk-examples.ts";

const quiet = () => {};
let file: string;
beforeAll(async () => {
  file = await buildBefore(newFolder());
});

/** A later version's migration: a column in each table, with a table, an index and a trigger of its own. */
function laterMigration(sqlite: Sqlite): string {
  const tables = sqlite.all(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 1 ORDER BY name",
  );
  return `${tables.map(({ name }) => `ALTER TABLE ${name} ADD COLUMN later TEXT;`).join("\n")}
    CREATE TABLE later_things (id TEXT PRIMARY KEY, note TEXT) STRICT;
    -- budget: 1.2 µs a row
    CREATE INDEX orders_by_later ON orders (account_seq, later) WHERE later IS NOT NULL;
    CREATE TRIGGER subscriptions_later AFTER INSERT ON subscriptions BEGIN
      INSERT OR REPLACE INTO later_things (id, note) VALUES (NEW.id, NULL);
    END;`;
}

function migrateFurther(data: string): void {
  const sqlite = openSqlite(fileIn(data));
  const text = laterMigration(sqlite);
  expect(faultsOfMigration({ name: "9999_later.sql", text }, [])).toEqual([]);
  migrate(sqlite, fileIn(data), quiet, [...migrations(), ["9999_later.sql", text]]);
  sqlite.close();
}

async function serve(data: string) {
  const host = await startHost(data, { file, args: ["--demo"] });
  onTestFinished(async () => void (await host.end("SIGKILL")));
  return host;
}

function expectServed(outcomes: Outcomes): void {
  const all = Object.values(outcomes);
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome.startsWith("5"))).toEqual([]);
  expect(all.filter((outcome) => outcome.startsWith("2")).length).toBeGreaterThan(all.length / 2);
}

test("it answers each operation on the schema of a later version as on its own", async () => {
  const [own, further] = [newFolder(), newFolder()];
  openData(further, quiet).close();
  migrateFurther(further);
  const outcomes = await walkExamples((await serve(further)).origin);
  expectServed(outcomes);
  expect(await walkExamples((await serve(own)).origin)).toEqual(outcomes);
});

test("it goes on while a later version migrates its database, and after", async () => {
  const data = newFolder();
  const host = await serve(data);
  const statuses = new Set<number>();
  let isOver = false;
  const asking = (async () => {
    for (; !isOver; await wait(20)) statuses.add((await fetch(`${host.origin}/health`)).status);
  })();
  migrateFurther(data);
  expectServed(await walkExamples(host.origin));
  isOver = true;
  await asking;
  expect([...statuses]).toEqual([200]);
  expect(host.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("it is refused where the schema needs a later one", async () => {
  const data = newFolder();
  openData(data, quiet).close();
  const sqlite = openSqlite(fileIn(data));
  sqlite.all("UPDATE min_version SET version = '99.0.0'");
  sqlite.close();
  await expect(startHost(data, { file })).rejects.toThrow("The database needs version 99.0.0 or a later one");
});
