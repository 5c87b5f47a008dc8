import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileIn, ownerAlone } from "./data.ts";
import { lockData } from "./lock.ts";

/** Copies the database to a new file, as it is at one moment, while it is served. Throws where there is none, or the file exists. */
export function backUp(data: string, to: string): void {
  if (!existsSync(fileIn(data))) throw new Error(`There is no database in ${data}`);
  if (existsSync(to)) throw new Error(`${to} exists already`);
  const database = new DatabaseSync(fileIn(data), { readOnly: true, timeout: 10_000 });
  database.prepare("VACUUM INTO ?").run(to);
  database.close();
  chmodSync(to, ownerAlone);
}

/**
 * Puts a copy in the place of the database, which stays beside it. Messages that wait belong to what is replaced and go with it: cron finds
 * again what rows ask for. Throws where a process serves the data, or the file is no whole database of Perennial's.
 */
export function restore(data: string, from: string, now: Date): { kept: string | null } {
  requireWhole(from);
  const lock = lockData(data);
  const file = fileIn(data);
  const kept = existsSync(file) ? `${file}.replaced-${now.toISOString().replaceAll(/[:.]/g, "-")}` : null;
  if (kept) closeWhole(file, kept);
  copyFileSync(from, `${file}.restoring`);
  renameSync(`${file}.restoring`, file);
  for (const name of ["queue.sqlite", "queue.sqlite-wal", "queue.sqlite-shm"])
    rmSync(`${data}/${name}`, { force: true });
  lock.release();
  return { kept };
}

function requireWhole(file: string): void {
  if (!existsSync(file)) throw new Error(`There is no file ${file}`);
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.prepare("SELECT name FROM d1_migrations LIMIT 1").get();
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    if (row?.quick_check !== "ok") throw new Error("damaged");
  } catch {
    throw new Error(`${file} is no whole copy of a database of Perennial's`);
  } finally {
    database.close();
  }
}

/** Moves a database to another name with all that its log holds. */
function closeWhole(file: string, kept: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = DELETE");
  database.close();
  renameSync(file, kept);
}
