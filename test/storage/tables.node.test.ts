/** Each Drizzle table is the migrated table, and every row belongs to one account. */
import { globSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import { migrationTexts } from "../../scripts/migrations.ts";
import { testRows } from "../support/rows.ts";

const database = new DatabaseSync(":memory:");
for (const migration of migrationTexts()) database.exec(migration);

type Column = { name: string; type: string; notnull: number; pk: number };

function columnsOf(table: string): Column[] {
  return (
    database.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)').all(table) as Column[]
  ).map((column) => ({ ...column }));
}

/** Tables that drizzle has no part in: written by the statements of db/guard.ts. */
const unmapped = ["guards"];
const migrated = (
  database.prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'").all() as {
    name: string;
  }[]
)
  .map(({ name }) => name)
  .filter((name) => !name.startsWith("sqlite_") && !unmapped.includes(name));

const modules = await Promise.all(
  globSync("src/**/*tables.ts").map((path) => import(/* @vite-ignore */ `../../${path}`) as Promise<object>),
);
const tables = modules
  .flatMap((module) => Object.values(module))
  .filter((value): value is SQLiteTable => is(value, SQLiteTable))
  .map(getTableConfig);

test("every table of the migrations has its drizzle table, and every drizzle table its migration", () => {
  expect(tables.map(({ name }) => name).sort()).toEqual(migrated.sort());
});

/** A column that the database makes of others holds nothing. */
function isStored({ generated }: SQLiteColumn): boolean {
  return generated === undefined;
}

describe("a drizzle table is the migrated table", () => {
  testRows(
    "a drizzle table has the columns and the key of the migrated table",
    tables.map((table) => [table.name, table] as const),
    ([name, { columns, primaryKeys }]) => {
      const key = primaryKeys[0]?.columns.map((column) => column.name) ?? [];
      const isKey = ({ name, primary }: { name: string; primary: boolean }) => primary || key.includes(name);
      const declared = columns.filter(isStored).map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        required: column.notNull || isKey(column),
        key: isKey(column),
      }));
      const stored = columnsOf(name).map(({ name, type, notnull, pk }) => ({
        name,
        type,
        required: notnull === 1 || pk > 0,
        key: pk > 0,
      }));
      expect(declared).toEqual(stored);
      const keyInOrder = columnsOf(name)
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk);
      if (key.length > 0) expect(key).toEqual(keyInOrder.map((column) => column.name));
    },
  );
});

describe("a row belongs to one account", () => {
  const ofTheDeployment = [
    "accounts",
    "erased_accounts",
    "heartbeats",
    "dead_letters",
    "min_version",
    "backfills",
  ];
  const ownedByAccount = migrated.filter((name) => !ofTheDeployment.includes(name));
  testRows("a row belongs to one account: every table has account_seq, NOT NULL", ownedByAccount, (name) => {
    expect(columnsOf(name)).toContainEqual(
      expect.objectContaining({ name: "account_seq", type: "INTEGER", notnull: 1 }),
    );
  });

  test("references to other records carry the account, so none can cross accounts", () => {
    for (const name of ownedByAccount) {
      const foreign = database
        .prepare('SELECT id, "table", "from" FROM pragma_foreign_key_list(?)')
        .all(name) as {
        id: number;
        table: string;
        from: string;
      }[];
      for (const columns of Map.groupBy(foreign, ({ id }) => id).values())
        expect(
          columns.map(({ from }) => from),
          `${name} → ${columns[0]?.table}`,
        ).toContain("account_seq");
    }
  });

  test("tables are STRICT", () => {
    const loose = database
      .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND strict = 0")
      .all() as { name: string }[];
    expect(loose.map(({ name }) => name).filter((name) => !name.startsWith("sqlite_"))).toEqual([]);
  });
});
