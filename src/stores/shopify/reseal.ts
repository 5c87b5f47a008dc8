import { and, asc, eq, gt } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, rows, statement } from "../../base/db/statement.ts";
import { type Resealed, reseal } from "../../base/lib/sealed.ts";
import { ownerOf, type StoredConnection, storedConnection } from "./connection.ts";
import { shopifyConnections } from "./tables.ts";

/**
 * Seals all stored credentials with the first of the keys, so that the others can be removed. Credentials that are replaced
 * meanwhile stay as they then are. Repeating it is harmless. `not_opened` are accounts whose credentials none of the keys opens: they have to be connected again.
 */
export async function resealCredentials(db: Db, keys: string, now: string): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unchanged: 0, not_opened: [] };
  for (let after = 0; ; ) {
    const page = await connectionsAfter(db, after);
    const updates = [];
    for (const stored of page) {
      const sealed = await resealText(keys, stored);
      if (sealed === undefined) result.not_opened.push(stored.account_id);
      else if (sealed === stored.credentials) result.unchanged++;
      else updates.push(update(stored, sealed, now));
    }
    if (updates.length > 0) await commit({ db }, updates);
    result.resealed += updates.length;
    if (page.length < batchSize) return result;
    after = page.at(-1)?.account_seq ?? after;
  }
}

const batchSize = 100;

/** The credentials as the first key seals them; as they are if it has; undefined if no key opens them. */
function resealText(keys: string, stored: StoredConnection): Promise<string | undefined> {
  const { account_id, shop, credentials } = stored;
  return reseal(keys, ownerOf(account_id, shop ?? ""), credentials);
}

function connectionsAfter(db: Db, after: number): Promise<StoredConnection[]> {
  return rows(
    db,
    statement(
      build
        .select(storedConnection)
        .from(shopifyConnections)
        .where(gt(shopifyConnections.account_seq, after as AccountSeq))
        .orderBy(asc(shopifyConnections.account_seq))
        .limit(batchSize),
    ),
  );
}

function update({ account_seq, credentials }: StoredConnection, sealed: string, now: string) {
  return statement(
    build
      .update(shopifyConnections)
      .set({ credentials: sealed, updated_at: now })
      .where(
        and(eq(shopifyConnections.account_seq, account_seq), eq(shopifyConnections.credentials, credentials)),
      ),
  );
}
