import { and, asc, eq, gt, sql } from "drizzle-orm";
import { selectId } from "../base/db/account-seq.ts";
import type { AccountSeq } from "../base/db/columns.ts";
import { commit } from "../base/db/commit.ts";
import type { Db } from "../base/db/port.ts";
import { build, rows, statement } from "../base/db/statement.ts";
import { type Resealed, reseal } from "../base/lib/secrets/sealed.ts";
import { allConnections } from "./platforms.ts";
import type { Connections } from "./port/platform.ts";
import { ownerOf } from "./seal-owner.ts";

/**
 * Seals all stored credentials with the first of the keys, so that the others can be removed. Credentials that are replaced
 * meanwhile stay as they then are. Repeating it is harmless. `not_opened` are accounts whose credentials none of the keys opens: they have to be connected again.
 */
export async function resealCredentials(db: Db, keys: string, now: string): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unchanged: 0, not_opened: [] };
  for (const connections of allConnections) await resealTable(db, { connections, keys, now, result });
  return result;
}

const batchSize = 100;

async function resealTable(
  db: Db,
  {
    connections,
    keys,
    now,
    result,
  }: { connections: Connections; keys: string; now: string; result: Resealed },
): Promise<void> {
  for (let after = 0; ; ) {
    const page = await connectionsAfter(db, connections, after);
    const updates = [];
    for (const stored of page) {
      const { account_id, place, credentials } = stored;
      const sealed = await reseal(keys, ownerOf(account_id, place), credentials);
      if (sealed === undefined) result.not_opened.push(account_id);
      else if (sealed === credentials) result.unchanged++;
      else updates.push(update(connections, stored, { sealed, now }));
    }
    if (updates.length > 0) await commit({ db }, updates);
    result.resealed += updates.length;
    if (page.length < batchSize) return;
    after = page.at(-1)?.account_seq ?? after;
  }
}

type Stored = { account_seq: AccountSeq; account_id: string; place: string; credentials: string };

function connectionsAfter(db: Db, { table, place }: Connections, after: number): Promise<Stored[]> {
  const { account_seq, credentials } = table;
  return rows(
    db,
    statement(
      build
        .select({
          account_seq: sql<AccountSeq>`${account_seq}`.as("account_seq"),
          credentials: sql<string>`${credentials}`.as("credentials"),
          place: sql<string>`${place}`.as("place"),
          account_id: selectId(account_seq).as("account_id"),
        })
        .from(table)
        .where(gt(account_seq, after as AccountSeq))
        .orderBy(asc(account_seq))
        .limit(batchSize),
    ),
  );
}

function update(
  { table }: Connections,
  { account_seq, credentials }: Stored,
  { sealed, now }: { sealed: string; now: string },
) {
  return statement(
    build
      .update(table)
      .set({ credentials: sealed, updated_at: now })
      .where(and(eq(table.account_seq, account_seq), eq(table.credentials, credentials))),
  );
}
