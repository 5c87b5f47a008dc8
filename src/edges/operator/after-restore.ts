import { isOpen } from "../../base/accounts/closed.ts";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import type { Db } from "../../base/db/port.ts";
import { first, raw } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { raiseSequences } from "../../domain/events/actions.ts";
import { sendAllAgain } from "../../domain/store-sync/send-again.ts";

/**
 * Makes every account of a restored database, or one that was restored alone, safe for traffic: readers of events have seen numbers that
 * it has not given, and its store has what was sent last, which need not be what the rows say. Returns the number of accounts; it may be
 * repeated. Throws INVALID_STATE while one of them may not be written, as it is being moved.
 */
export async function afterRestore(db: Db, accountId?: string): Promise<number> {
  await requireNoneHeld(db, accountId);
  const accounts = await raiseSequences(db, accountId);
  await sendAllAgain(db, accountId);
  return accounts;
}

/** A write to one account that is fenced would be refused, and all with it. */
async function requireNoneHeld(db: Db, accountId: string | undefined): Promise<void> {
  const held = await first(db, raw<{ shop: string }>(selectHeld, db.engine, accountId ?? null));
  if (!held) return;
  const what = `The account of ${held.shop} is being moved: finish that, or give it up, by \`account -- move\``;
  throw new DomainError("INVALID_STATE", what);
}

const selectHeld = `SELECT shop FROM accounts
  WHERE engine = ?1 AND ${isOpen} AND NOT ${mayBeWritten("seq")} AND id = COALESCE(?2, id) ORDER BY seq LIMIT 1`;
