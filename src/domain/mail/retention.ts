import { lt } from "drizzle-orm";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { raw, rows } from "../../base/db/statement.ts";
import { firstIdAt } from "../../base/lib/ids.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import { accountsIn } from "../../kit/outbox/accounts-in.ts";
import { prune, pruneById } from "../../kit/outbox/prune.ts";
import { mailContents } from "./tables.ts";

/** Masks the addresses of mails that are a month old, and deletes those of last year, a limited number at each tick. */
export async function pruneMails(db: Db, now: Date): Promise<void> {
  await maskAddresses(db, before(now, shownMs));
  const old = before(now, keptMs);
  const { created_at } = mailContents;
  await prune(db, mailContents, { where: lt(created_at, old), oldestBy: created_at, size: pruneSize });
  await pruneById(db, "mails", { key: ["id"], before: old, size: pruneSize });
}

/** The time that the address of a mail is shown, and kept, in full. */
export const shownMs = 30 * dayMs;

const keptMs = 400 * dayMs;
const pruneSize = 1000;
/** So many mails of each of so many accounts at a tick, so that one with many mails holds up no other and the batch stays short. */
const [maskedAtOnce, accountsMax] = [100, 50];

function before(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString();
}

type Unmasked = { account_seq: AccountSeq; from: string; to: string };

/**
 * Leaves the first letter and the domain, as the API shows them (present.ts). An account's mails are in the order of their time, and
 * its mail endpoint remembers how far they are masked. Raw, because the domain is found by its length.
 */
async function maskAddresses(db: Db, before: string): Promise<void> {
  const unmasked = await rows(
    db,
    raw<Unmasked>(selectUnmasked, firstIdAt(before), maskedAtOnce, accountsMax),
  );
  if (unmasked.length === 0) return;
  await commit(
    { db },
    unmasked.flatMap(({ account_seq, from, to }) => [
      raw(
        `UPDATE mails SET is_masked = 1,
            recipient = substr(recipient, 1, 1) || '***' || substr(recipient, instr(recipient, '@'))
          WHERE account_seq = ? AND id > ? AND id <= ? AND is_masked = 0`,
        ...[account_seq, from, to],
      ),
      raw(
        "UPDATE webhook_endpoints SET masked_to = ? WHERE account_seq = ? AND kind = 'mail'",
        to,
        account_seq,
      ),
    ]),
  );
}

const selectUnmasked = `WITH RECURSIVE ${accountsIn("mails WHERE TRUE")}
  SELECT account_seq, "from", "to" FROM (
    SELECT endpoint.account_seq, COALESCE(endpoint.masked_to, '') AS "from", (SELECT MAX(id) FROM (
      SELECT id FROM mails WHERE account_seq = endpoint.account_seq AND id > COALESCE(endpoint.masked_to, '') AND id < ?1
      ORDER BY id LIMIT ?2)) AS "to"
    FROM account CROSS JOIN webhook_endpoints AS endpoint INDEXED BY webhook_endpoints_mail
      ON endpoint.account_seq = account.seq AND endpoint.kind = 'mail'
    WHERE ${mayBeWritten("endpoint.account_seq")})
  WHERE "to" IS NOT NULL LIMIT ?3`;
