import type { Db, Row } from "../../src/base/db/port.ts";
import { touchedTables } from "../migrations/statements.ts";
import { migrationNames, migrationText } from "../migrations.ts";

type Migrations = { names: string[]; textOf: (name: string) => string };

/** The migrations that a database is still to get, and how many rows the tables have that they touch. */
export type Pending = { names: string[]; rows: Record<string, number> };

export async function readPending(
  db: Db,
  { names, textOf }: Migrations = { names: migrationNames(), textOf: migrationText },
): Promise<Pending> {
  const tables = (await read(db, "SELECT name FROM sqlite_master WHERE type = 'table'")).map(nameOf);
  const notes = tables.find((name) => name === "d1_migrations" || name === "applied_migrations");
  const applied = notes ? (await read(db, `SELECT name FROM ${notes}`)).map(nameOf) : [];
  const pending = names.filter((name) => !applied.includes(name));
  const touched = new Set(pending.flatMap((name) => touchedTables(textOf(name))));
  const counted = [...touched].filter((name) => tables.includes(name));
  const rows: Record<string, number> = {};
  for (const name of counted)
    rows[name] = Number((await read(db, `SELECT COUNT(*) AS n FROM "${name}"`))[0]?.n);
  return { names: pending, rows };
}

async function read(db: Db, sql: string): Promise<Row[]> {
  const [result] = await db.batch([{ sql, params: [] }], "read");
  return result?.rows ?? [];
}

function nameOf({ name }: Row): string {
  return String(name);
}
