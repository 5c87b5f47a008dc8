import { getTableColumns, sql } from "drizzle-orm";
import { facet, unindexedFilter } from "../../base/db/filters.ts";
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

/** The declaration of the kind, e-mail address and number that was received within the hour before, if there is one. */
export function selectSame(
  { account, realNow }: Ctx,
  { kind, email_folded, number_folded }: Pick<Declaration, "kind" | "email_folded" | "number_folded">,
): Statement<Declaration> {
  return raw<Declaration>(
    `SELECT * FROM declarations INDEXED BY declarations_by_email
      WHERE account_seq = ?1 AND email_folded = ?2 AND recorded_at > ?3 AND kind = ?4 AND number_folded = ?5
      ORDER BY recorded_at LIMIT 1`,
    ...[account.seq, email_folded, later(realNow, -windowMs), kind, number_folded],
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
