import type { Db } from "../../base/db/port.ts";
import { raiseSequences } from "../../domain/events/actions.ts";
import { sendAllAgain } from "../../domain/store-sync/send-again.ts";

/**
 * Makes every account of a restored database, or one that was restored alone, safe for traffic: readers of events have seen numbers that
 * it has not given, and its store has what was sent last, which need not be what the rows say. Returns the number of accounts; it may be
 * repeated (docs/operating.md#database).
 */
export async function afterRestore(db: Db, accountId?: string): Promise<number> {
  await sendAllAgain(db, accountId);
  return raiseSequences(db, accountId);
}
