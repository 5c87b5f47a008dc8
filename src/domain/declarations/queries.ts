import { getTableColumns, sql } from "drizzle-orm";
import { facet, unindexedFilter } from "../../base/db/filters.ts";
import { guard } from "../../base/db/guard.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { first, raw } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { isId } from "../../base/lib/ids.ts";
import { later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { mostOfEmail, windowMs } from "./limits.ts";
import { type Declaration, declarations } from "./tables.ts";

export const listDeclarations = listReader({
  table: declarations,
  columns: getTableColumns(declarations),
  scope: (p) => sql`${declarations.account_seq} = ${p("account_seq")}`,
  tiebreaker: declarations.id,
  sorts: { created_at: declarations.created_at },
  filters: {
    status: facet(declarations.status, "status"),
    kind: unindexedFilter((p) => sql`${declarations.kind} = ${p("kind")}`),
  },
});

export function findDeclaration({ db, account }: Ctx, id: string): Promise<Declaration | undefined> {
  return first(db, selectDeclaration({ account_seq: account.seq, id }));
}

export async function getDeclaration(ctx: Ctx, id: string): Promise<Declaration> {
  const found = isId(id) ? await findDeclaration(ctx, id) : undefined;
  if (!found) throw notFound("Declaration");
  return found;
}

const selectDeclaration = selectBy(declarations, "account_seq", "id");

/**
 * The declaration with the same content that was received within the hour before, if there is one and it still holds: it was not taken back, and the
 * subscription that it has ended does not go on.
 */
export function selectSame(ctx: Ctx, row: Declaration): Statement<Declaration> {
  return raw<Declaration>(
    `SELECT * FROM declarations INDEXED BY declarations_by_email WHERE ${isSame} ORDER BY recorded_at LIMIT 1`,
    ...contentOf(ctx, row),
  );
}

/** Two that are sent at once are one. */
export function guardNew(ctx: Ctx, row: Declaration): Statement {
  return guard(`EXISTS (SELECT 1 FROM declarations WHERE ${isSame})`, contentOf(ctx, row));
}

const isSame = `account_seq = ? AND email_folded = ? AND recorded_at > ? AND kind = ? AND number_folded = ?
  AND wants_on IS ? AND is_for_cause = ? AND reason IS ? AND status <> 'TAKEN_BACK'
  AND NOT EXISTS (SELECT 1 FROM subscriptions AS its WHERE its.account_seq = declarations.account_seq
    AND its.id = declarations.carried_out ->> 'subscription_id' AND its.status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED')
    AND its.ends_on IS NULL AND its.ends_after_cycle IS NULL)`;

function contentOf({ account, realNow }: Ctx, row: Declaration): Statement["params"] {
  const { email_folded, kind, number_folded, wants_on, is_for_cause, reason } = row;
  const since = later(realNow, -windowMs);
  return [account.seq, email_folded, since, kind, number_folded, wants_on, is_for_cause, reason];
}

/**
 * The latest entry by which a subscription was started again after a declaration was received, if there is one: it was reactivated, or a
 * cancellation of it was undone. Their places in the stream say what came first, also where a test clock stands still.
 */
export function selectReturn(
  { account }: Pick<Ctx, "account">,
  { id, subscription_id }: { id: string; subscription_id: string },
): Statement<{ actor_type: string | null }> {
  return raw<{ actor_type: string | null }>(
    `SELECT back.actor_type FROM activity_logs AS back INDEXED BY activity_logs_by_record
      WHERE back.account_seq = ?1 AND back.loggable_id = ?3
        AND back.sequence > (SELECT sequence FROM activity_logs INDEXED BY activity_logs_by_record
          WHERE account_seq = ?1 AND loggable_id = ?2 AND action = 'declaration_received')
        AND (back.action = 'subscription_reactivated' OR back.action = 'subscription_change_undone' AND EXISTS (
          SELECT 1 FROM activity_logs AS undone INDEXED BY activity_logs_by_record WHERE undone.account_seq = ?1
            AND undone.loggable_id = ?3 AND undone.id = back.metadata ->> 'undoes' AND undone.action = 'subscription_cancelled'))
      ORDER BY back.sequence DESC LIMIT 1`,
    ...[account.seq, id, subscription_id],
  );
}

/** Whether as many of its e-mail address were received within the hour before it as are carried out. */
export async function isBeyondLimit({ db }: Ctx, declaration: Declaration): Promise<boolean> {
  const { account_seq, id, email_folded, recorded_at } = declaration;
  const found = await first<{ n: number }>(
    db,
    raw(
      `SELECT COUNT(*) AS n FROM declarations INDEXED BY declarations_by_email
        WHERE account_seq = ?1 AND email_folded = ?2 AND recorded_at > ?3 AND (recorded_at, id) < (?4, ?5)`,
      ...[account_seq, email_folded, later(recorded_at, -windowMs), recorded_at, id],
    ),
  );
  return (found?.n ?? 0) >= mostOfEmail;
}
