import { type AnyColumn, and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, type Params, prepare } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { type Subscription, subscriptions } from "./tables.ts";

/*
 * A migration_source_ref names what one request has moved in. While a subscription with it lives, no other request may create or
 * reactivate one, which would be charged beside it. Those that the same request has split share it, and its source_group_id.
 */

type SourceRef = Pick<Subscription, "migration_source_ref" | "source_group_id">;
type Holder = { id: string };

/** The living subscription that has a ref, if there is one. */
export function selectNamedSourceRef(ctx: Ctx, ref: string | null | undefined): Statement<Holder>[] {
  return ref ? [selectHolderOfRef({ account_seq: ctx.account.seq, ref })] : [];
}

/** The living subscription of another request that has the ref of this subscription, if there is one. */
export function selectOtherWithSourceRef(ctx: Ctx, id: string): Statement<Holder> {
  return selectHolderBeside({ account_seq: ctx.account.seq, id });
}

/** Throws INVALID_STATE where a ref is taken. A customer is not told by whom. */
export function requireFreeSourceRef(ctx: Ctx, what: string, [holder]: Holder[]): void {
  if (!holder) return;
  const named =
    ctx.actor.type === "customer" ? "another living subscription" : `the living subscription ${holder.id}`;
  throw new DomainError("INVALID_STATE", `Cannot ${what}: its migration_source_ref is that of ${named}`, [
    { path: "migration_source_ref", message: `is that of ${named}` },
  ]);
}

/** Fails its batch where a living subscription of another request has the ref by then. */
export function guardSourceRef(ctx: Ctx, { migration_source_ref, source_group_id }: SourceRef): Statement[] {
  if (migration_source_ref === null) return [];
  return [
    guard(
      `EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ? AND migration_source_ref = ?
        AND status IN ${livingStatuses} AND source_group_id IS NOT ?)`,
      [ctx.account.seq, migration_source_ref, source_group_id],
    ),
  ];
}

/** Literals in the words of the index of living subscriptions: a parameter would hide from SQLite that it serves. */
const livingStatuses = "('ACTIVE', 'PAUSED', 'PAYMENT_FAILED')";

const selectHolderOfRef = prepare((p: Params<{ account_seq: AccountSeq; ref: string }>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_seq, p("account_seq")),
        eq(subscriptions.migration_source_ref, p("ref")),
        isLiving(subscriptions.status),
      ),
    )
    .limit(1),
);

const own = alias(subscriptions, "own");
const other = alias(subscriptions, "other");

const selectHolderBeside = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select({ id: other.id })
    .from(own)
    .innerJoin(
      other,
      and(
        eq(other.account_seq, own.account_seq),
        eq(other.migration_source_ref, own.migration_source_ref),
        isLiving(other.status),
        sql`${other.source_group_id} IS NOT ${own.source_group_id}`,
      ),
    )
    .where(columnsEqual(own, p, "account_seq", "id"))
    .limit(1),
);

function isLiving(status: AnyColumn) {
  return sql`${status} IN ${sql.raw(livingStatuses)}`;
}
