import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Statement } from "../../base/db/port.ts";
import { build, type Params, prepare, subSelect } from "../../base/db/statement.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import type { Ctx } from "../../kit/context.ts";
import { type ChargeSnapshot, withoutUsual } from "./snapshot.ts";
import { billingAttempts, chargeContents } from "./tables.ts";

/**
 * An attempt with all of its snapshot. What a renewal charges again is stored once (migrations/0001_schema.sql), so that the
 * attempt's own column has the rest of it.
 */
export function attemptColumns<Attempts extends SQLiteTable>(attempts: Attempts) {
  const snapshot = sql.raw(wholeSnapshot(getTableName(attempts))) as SQL<string>;
  return { ...getTableColumns(attempts), snapshot: subSelect(snapshot, "snapshot") };
}

/** `attemptColumns` as text, of attempts that a statement calls by this name. */
export function attemptColumnNames(name: string): string {
  return Object.keys(getTableColumns(billingAttempts))
    .map((column) => (column === "snapshot" ? `${wholeSnapshot(name)} AS snapshot` : `${name}.${column}`))
    .join(", ");
}

function wholeSnapshot(name: string): string {
  return `IIF(${name}.content_id IS NULL, ${name}.snapshot, json_patch(${name}.snapshot, (
    SELECT content FROM charge_contents AS its WHERE its.account_seq = ${name}.account_seq AND its.id = ${name}.content_id)))`;
}

/** The stored form of a snapshot: what its attempt has of it, and the statement that stores the rest unless that is there. */
export async function storeSnapshot(
  { account }: Ctx,
  { lines, discounts, subtotal, discount_amount, shipping_amount, tax_amount, ...own }: ChargeSnapshot,
): Promise<{ snapshot: string; content_id: string; write: Statement }> {
  const figures = { subtotal, discount_amount, shipping_amount, tax_amount };
  const content = JSON.stringify({ ...figures, lines, discounts });
  const id = (await sha256Hex(content)).slice(0, 32);
  return {
    snapshot: JSON.stringify(withoutUsual(own)),
    content_id: id,
    write: insertContent({ account_seq: account.seq, id, content }),
  };
}

const insertContent = prepare((p: Params<typeof chargeContents.$inferSelect>) =>
  build
    .insert(chargeContents)
    .values({ account_seq: p("account_seq"), id: p("id"), content: p("content") })
    .onConflictDoNothing(),
);
