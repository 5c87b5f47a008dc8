import type { Db, Row } from "../../src/base/db/port.ts";
import { requirementIn, statementsIn, touchedTables } from "../migrations/statements.ts";
import { migrationNames, migrationText } from "../migrations.ts";

type Migrations = { names: string[]; textOf: (name: string) => string };

/** The migrations that a database is still to get, how many rows the tables have that they touch, and why they have to wait. */
export type Pending = { names: string[]; rows: Record<string, number>; fault?: string };

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
  const fault = tables.includes("backfills") ? await findWaiting(db, pending, textOf) : undefined;
  return { names: pending, rows, ...(fault === undefined ? {} : { fault }) };
}

/** The first migration that builds on a backfill which is not done. The database itself would refuse it, after those before it. */
async function findWaiting(
  db: Db,
  pending: string[],
  textOf: (name: string) => string,
): Promise<string | undefined> {
  const asked = pending.flatMap((name) => {
    const found = statementsIn(textOf(name)).flatMap(({ sql }) => requirementIn(sql)?.backfill ?? []);
    return found.map((backfill) => ({ name, backfill }));
  });
  if (asked.length === 0) return undefined;
  const noted = await read(db, "SELECT name, done_at FROM backfills");
  for (const { name, backfill } of asked) {
    const its = noted.find((row) => row.name === backfill);
    if (!its) return `${name} builds on the backfill ${backfill}: deploy the release that brought it first`;
    if (its.done_at === null)
      return `${name} waits for the backfill ${backfill}, which cron does a thousand rows a minute: deploy again once it is done`;
  }
  return undefined;
}

async function read(db: Db, sql: string): Promise<Row[]> {
  const [result] = await db.batch([{ sql, params: [] }], "read");
  return result?.rows ?? [];
}

function nameOf({ name }: Row): string {
  return String(name);
}
