import { copyFileSync } from "node:fs";
import { buildHost } from "../../scripts/host/build.ts";
import { pendingMigrations } from "../../src/host/migrate.ts";
import { openSqlite } from "../../src/host/sqlite.ts";
import { seededFile } from "../database.ts";
import { type Machine, newMachine } from "./machine.ts";

/** The built file of one machine on a copy of the demo store with so many subscriptions. */
export async function openHost(subscriptions: number, onLine: (line: string) => void): Promise<Machine> {
  const { file: program } = await buildHost();
  const machine = await newMachine(program, onLine);
  copyFileSync(await seededFile(subscriptions), machine.file);
  noteMigrations(machine.file);
  await machine.start();
  return machine;
}

/** The seeded file was made of the migrations, without a note of them. */
function noteMigrations(file: string): void {
  const sqlite = openSqlite(file);
  for (const [name] of pendingMigrations(sqlite))
    sqlite.all("INSERT INTO d1_migrations (name) VALUES (?)", [name]);
  sqlite.close();
}
