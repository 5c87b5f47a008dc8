/** Data of an earlier version are copied before they are migrated; those of a later one are refused; two processes never have them. */
import { expect, test } from "vitest";
import { version } from "../../src/base/db/newest-migration.ts";
import { fileIn, openBeside, openData } from "../../src/host/data.ts";
import { migrate, pendingMigrations } from "../../src/host/migrate.ts";
import { migrations } from "../../src/host/migrations.ts";
import { openSqlite } from "../../src/host/sqlite.ts";
import { newFolder } from "./process.ts";

const quiet = () => {};

test("an empty folder is made whole at once, without a copy", () => {
  const data = newFolder();
  const events: string[] = [];
  const { sqlite, close } = openData(data, (event) => void events.push(event));
  expect([pendingMigrations(sqlite), events]).toEqual([[], ["migrated"]]);
  close();
});

test("an earlier version is copied beside itself first, and keeps its rows", () => {
  const data = newFolder();
  openData(data, quiet).close();
  const sqlite = openSqlite(fileIn(data));
  const known: [string, string][] = [...migrations(), ["9999_next.sql", "CREATE TABLE further (x)"]];
  const events: object[] = [];
  migrate(sqlite, fileIn(data), (event, fields) => void events.push({ event, ...fields }), known);
  const copy = `${fileIn(data)}.before-9999_next`;
  expect(events).toEqual([
    { event: "copied_before_migrating", copy },
    { event: "migrated", migrations: ["9999_next.sql"] },
  ]);
  expect(sqlite.all("SELECT * FROM further")).toEqual([]);
  sqlite.close();
  const before = openSqlite(copy);
  expect(pendingMigrations(before, known).map(([name]) => name)).toEqual(["9999_next.sql"]);
  before.close();
});

test("those of a later version are served while it says so, and refused by a sentence after", () => {
  const data = newFolder();
  openData(data, quiet).close();
  const sqlite = openSqlite(fileIn(data));
  sqlite.all("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')");
  openData(data, quiet).close();
  sqlite.all("UPDATE min_version SET version = '9.0.0'");
  sqlite.close();
  expect(() => openData(data, quiet)).toThrow(
    `The database needs version 9.0.0 or a later one: this is ${version}`,
  );
});

test("beside the process that has them the data open for a command, and not for a second process", () => {
  const data = newFolder();
  const { close } = openData(data, quiet);
  expect(() => openData(data, quiet)).toThrow("Another process serves");
  const beside = openBeside(data, quiet);
  beside.all("SELECT 1 FROM accounts");
  beside.close();
  close();
  openData(data, quiet).close();
});
