import { d1Db } from "../client.ts";
import type { Db, Usage } from "../port.ts";
import { repeatTransient } from "./repeating.ts";
import { wrapDb } from "./wrap-db.ts";

/** A database that says how far it has been seen: whoever reads from that bookmark on sees all of it. */
type BookmarkedDb = Db & { bookmark: () => string | undefined };

/**
 * Reads from whichever copy is nearest and has reached `bookmark`, if there is one. D1 does not say which bookmarks it refuses
 * (those of another database, or of a time that a restore has undone), so what fails under a caller's bookmark is read once
 * more from the primary, which is never behind.
 */
export function nearestDb(d1: D1Database, usage: Usage, bookmark: string | undefined): BookmarkedDb {
  let session = d1.withSession(bookmark ?? "first-unconstrained");
  let isAccepted = bookmark === undefined;
  const current: Parameters<typeof d1Db>[0] = {
    prepare: (sql) => session.prepare(sql),
    batch: (statements) => session.batch(statements),
  };
  const db = repeatTransient(d1Db(current, usage));
  const nearest = wrapDb(db, async (statements, mode) => {
    try {
      return await db.batch(statements, mode);
    } catch (error) {
      if (isAccepted) throw error;
      session = d1.withSession("first-primary");
      return await db.batch(statements, mode);
    } finally {
      isAccepted = true;
    }
  });
  return { ...nearest, bookmark: () => session.getBookmark() ?? undefined };
}

/** Reads and writes on the primary alone, and bookmarks each write. A decision never rests on what a replica has not seen. */
export function primaryDb(d1: D1Database, usage: Usage): BookmarkedDb {
  const primary = repeatTransient(d1Db(d1, usage));
  let bookmark: string | null = null;
  const bookmarked = wrapDb(primary, async (statements, mode) => {
    if (mode === "read") return primary.batch(statements, mode);
    // The first query of such a session goes to the primary, and this is its only one.
    const session = d1.withSession("first-primary");
    const results = await repeatTransient(d1Db(session, usage)).batch(statements, mode);
    bookmark = session.getBookmark();
    return results;
  });
  return { ...bookmarked, bookmark: () => bookmark ?? undefined };
}
