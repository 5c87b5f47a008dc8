import { lt } from "drizzle-orm";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import { prune } from "../../kit/outbox/prune.ts";
import { mailContents, mails } from "./tables.ts";

/** Masks the addresses of mails that are a month old, and deletes those of last year, a limited number at each tick. */
export async function pruneMails(db: Db, now: Date): Promise<void> {
  await maskAddresses(db, before(now, shownMs));
  const old = before(now, keptMs);
  for (const table of [mailContents, mails]) {
    const { created_at } = table;
    await prune(db, table, { where: lt(created_at, old), oldestBy: created_at, size: pruneSize });
  }
}

/** The time that the address of a mail is shown, and kept, in full. */
export const shownMs = 30 * dayMs;

const keptMs = 400 * dayMs;
const pruneSize = 1000;

function before(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString();
}

/** Leaves the first letter and the domain, as the API shows them (present.ts). Raw, because the domain is found by its length. */
function maskAddresses(db: Db, before: string): Promise<unknown> {
  return commit({ db }, [
    raw(
      `UPDATE mails SET is_masked = 1,
          recipient = substr(recipient, 1, 1) || '***' || substr(recipient, instr(recipient, '@'))
        WHERE rowid IN (SELECT rowid FROM mails INDEXED BY mails_unmasked
          WHERE is_masked = 0 AND created_at < ? AND ${mayBeWritten("account_seq")} ORDER BY created_at LIMIT ?)`,
      ...[before, pruneSize],
    ),
  ]);
}
