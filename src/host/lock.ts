import { DatabaseSync } from "node:sqlite";

/**
 * Keeps other processes from serving the same data until this one ends, however it ends: the lock is the operating system's, on a file.
 * Throws where another process has it.
 */
export function lockData(data: string): { release: () => void } {
  const database = new DatabaseSync(`${data}/lock`);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch {
    database.close();
    throw new Error(`Another process serves the data in ${data}`);
  }
  return { release: () => database.close() };
}
