import type { Db, Result, Statement } from "../port.ts";
import { wrapDb } from "./wrap-db.ts";

type Waiting = {
  statements: Statement[];
  resolve: (results: Result[]) => void;
  reject: (error: unknown) => void;
};

/**
 * Runs several works at once, each with a database of its own. Reads that all of them make at the same time share one trip, so
 * together they take as many trips as the longest of them. Writes go their own way.
 */
export async function sideBySide<T extends unknown[]>(
  db: Db,
  works: { [K in keyof T]: (db: Db) => Promise<T[K]> },
): Promise<T> {
  const blocked = new Set<number>();
  let queue: Waiting[] = [];
  let active = works.length;

  const flush = async (): Promise<void> => {
    const group = queue;
    queue = [];
    blocked.clear();
    if (group.length === 0) return;
    try {
      const results = await db.batch(
        group.flatMap(({ statements }) => statements),
        "read",
      );
      let at = 0;
      for (const { statements, resolve } of group) {
        resolve(results.slice(at, at + statements.length));
        at += statements.length;
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  /** A turn later, so that a work that reads twice at once has both reads in the trip. */
  const flushIfAllWait = (): void => {
    if (blocked.size > 0 && blocked.size === active) setTimeout(flush);
  };
  const dbOf = (work: number) =>
    wrapDb(db, (statements, mode) => {
      if (mode === "write") return db.batch(statements, mode);
      return new Promise((resolve, reject) => {
        queue.push({ statements, resolve, reject });
        blocked.add(work);
        flushIfAllWait();
      });
    });
  return Promise.all(
    works.map((work, index) =>
      work(dbOf(index)).finally(() => {
        active--;
        flushIfAllWait();
      }),
    ),
  ) as Promise<T>;
}
