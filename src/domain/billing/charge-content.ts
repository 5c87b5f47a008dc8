import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, type Params, prepare, subSelect } from "../../base/db/statement.ts";
import { type ChargeSnapshot, withoutUsual } from "./snapshot.ts";
import { type BillingAttempt, billingAttempts } from "./tables.ts";

/**
 * An attempt with all of its snapshot. Its goods and amounts are in the attempt that was the first to charge them, which may be itself
 * (migrations/0001_schema.sql).
 */
export function attemptColumns<Attempts extends SQLiteTable>(attempts: Attempts) {
  const snapshot = sql.raw(wholeSnapshot(getTableName(attempts))) as SQL<string>;
  return { ...getTableColumns(attempts), snapshot: subSelect(snapshot, "snapshot") };
}

const ownColumns = Object.keys(getTableColumns(billingAttempts)).filter(
  (name) => name !== "seq",
) as (keyof BillingAttempt)[];

/** `attemptColumns` as text, of attempts that a statement calls by this name. */
export function attemptColumnNames(name: string): string {
  return ownColumns
    .map((column) => (column === "snapshot" ? `${wholeSnapshot(name)} AS snapshot` : `${name}.${column}`))
    .join(", ");
}

function wholeSnapshot(name: string): string {
  return `IIF(${name}.content_attempt_id IS NULL, ${name}.snapshot, json_patch(json_remove(${name}.snapshot, '$.content'), (
    SELECT its.snapshot -> '$.content' FROM billing_attempts AS its
    WHERE its.account_seq = ${name}.account_seq AND its.id = ${name}.content_attempt_id)))`;
}

/** Inserts an attempt. Its snapshot is without its content if the last attempt of its subscription has charged the same. */
export function insertAttempt(
  attempt: BillingAttempt,
  { lines, discounts, subtotal, discount_amount, shipping_amount, tax_amount, ...rest }: ChargeSnapshot,
): Statement {
  const content = { subtotal, discount_amount, shipping_amount, tax_amount, lines, discounts };
  const own = withoutUsual(rest);
  return insertSharing({
    ...attempt,
    own: JSON.stringify(own),
    whole: JSON.stringify({ ...own, content }),
    content: JSON.stringify(content),
  });
}

const [last, holder] = [alias(billingAttempts, "last"), alias(billingAttempts, "holder")];

const insertSharing = prepare(
  (p: Params<BillingAttempt & { own: string; whole: string; content: string }>) => {
    const ofLast = build
      .select({ id: last.content_attempt_id })
      .from(last)
      .where(columnsEqual(last, p, "account_seq", "subscription_id"))
      .orderBy(sql`${last.created_at} DESC, ${last.seq} DESC`)
      .limit(1);
    const same = sql`(SELECT ${holder.id} FROM ${billingAttempts} AS ${sql.identifier("holder")}
    WHERE ${holder.account_seq} = ${p("account_seq")} AND ${holder.id} = ${ofLast}
      AND ${holder.snapshot} -> '$.content' = ${p("content")})`;
    return build.insert(billingAttempts).values({
      ...(Object.fromEntries(ownColumns.map((name) => [name, p(name)])) as unknown as BillingAttempt),
      snapshot: sql`IIF(${same} IS NULL, ${p("whole")}, ${p("own")})`,
      content_attempt_id: sql`COALESCE(${same}, ${p("id")})`,
    });
  },
);
