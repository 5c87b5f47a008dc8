import { chmodSync, mkdirSync } from "node:fs";
import type { Log } from "../base/lib/log.ts";
import { lockData } from "./lock.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { openSqlite, type Sqlite } from "./sqlite.ts";

/** The database in a folder of data. */
export function fileIn(data: string): string {
  return `${data}/perennial.sqlite`;
}

/** Opens the data for the one process that serves them, made and migrated where they must be. Throws where another has them. */
export function openData(data: string, log: Log): { sqlite: Sqlite; close: () => void } {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const lock = lockData(data);
  const sqlite = openFile(data);
  migrate(sqlite, fileIn(data), log);
  return {
    sqlite,
    close(): void {
      sqlite.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      sqlite.close();
      lock.release();
    },
  };
}

/** Opens the data beside the process that serves them. Pending migrations are applied where no process serves the data. */
export function openBeside(data: string, log: Log): Sqlite {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const sqlite = openFile(data);
  if (pendingMigrations(sqlite).length === 0) return sqlite;
  const lock = lockData(data);
  migrate(sqlite, fileIn(data), log);
  lock.release();
  return sqlite;
}

function openFile(data: string): Sqlite {
  const sqlite = openSqlite(fileIn(data), { pragmas });
  chmodSync(fileIn(data), ownerAlone);
  return sqlite;
}

/** The mode of a file that its owner alone reads and writes. */
export const ownerAlone = 0o600;

/** Whatever was answered is on the disk. */
const pragmas = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;
  PRAGMA temp_store = MEMORY`;
