import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";

/**
 * Has a copy of a database filled, which then takes its place: faster than changing a database step by step, because what is
 * interrupted needs no way back. The database is locked meanwhile. Answers false, having done nothing, if somebody has it open.
 */
export async function fillCopy(
  file: string,
  fill: (copy: DatabaseSync) => void,
  say: (line: string) => void,
): Promise<boolean> {
  const original = lock(file);
  if (!original) return false;
  try {
    const path = `${file}.seeding`;
    if (existsSync(path)) {
      say("An earlier run was interrupted and left the database as it was; this one starts over");
      rmSync(path);
    }
    await backup(original, path, { rate: 1_000_000 });
    fillAlone(path, fill);
    persist(path);
    renameSync(path, file);
    return true;
  } finally {
    original.close();
    /* Finished, but SQLite leaves it where it has kept the lock throughout. */
    rmSync(`${file}-journal`, { force: true });
  }
}

/** The database as nobody else has it open: it can leave its write-ahead log only then. */
function lock(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA journal_mode = MEMORY",
    );
    database.exec("BEGIN EXCLUSIVE; COMMIT");
    return database;
  } catch {
    database.close();
    return undefined;
  }
}

function fillAlone(path: string, fill: (copy: DatabaseSync) => void): void {
  const copy = new DatabaseSync(path, { defensive: false });
  try {
    copy.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
    fill(copy);
  } finally {
    copy.close();
  }
}

function persist(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}
