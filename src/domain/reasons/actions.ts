import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import { changeLiving } from "../../base/db/living.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { invalid } from "../../base/errors.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { labelColumns } from "./labels.ts";
import { forgetPublicAnswer } from "./public-cache.ts";
import { getReason } from "./queries.ts";
import type { NewReason, ReasonChanges } from "./schemas.ts";
import { type Reason, type ReasonKind, reasons } from "./tables.ts";

/** Creates a reason. Without a position it goes last; the same statement finds that position. */
export async function createReason(ctx: Ctx, kind: ReasonKind, input: NewReason): Promise<Reason> {
  const last = sql<number>`(SELECT COALESCE(MIN(MAX(${reasons.position}), ${Number.MAX_SAFE_INTEGER} - 1) + 1, 0) FROM ${reasons} WHERE ${livingOf(ctx, kind)})`;
  const id = ctx.newId();
  keepCreated(ctx, { reason: id });
  const [created] = await commitReasons(ctx, kind, [
    statement(
      build
        .insert(reasons)
        .values({
          id,
          account_seq: ctx.account.seq,
          kind,
          label: input.label,
          ...labelColumns(input.labels),
          description: input.description ?? null,
          position: input.position ?? last,
          is_active: input.is_active === false ? 0 : 1,
          created_at: ctx.now,
          updated_at: ctx.now,
          deleted_at: null,
        })
        .returning(),
    ),
  ]);
  return created!.rows[0]!;
}

export function editReason(ctx: Ctx, kind: ReasonKind, id: string, input: ReasonChanges): Promise<Reason> {
  const { is_active, labels, ...rest } = input;
  const values = {
    ...(rest as Partial<Reason>),
    ...labelColumns(labels),
    ...(is_active === undefined ? {} : { is_active: is_active ? (1 as const) : (0 as const) }),
  };
  if (Object.keys(values).length === 0) return getReason(ctx, kind, id);
  return changeReason(ctx, kind, id, values);
}

/** Deletes the reason softly: what was recorded with it keeps its label. */
export function removeReason(ctx: Ctx, kind: ReasonKind, id: string): Promise<Reason> {
  return changeReason(ctx, kind, id, { deleted_at: ctx.now });
}

/**
 * Puts the reasons into this order. The statement changes all of them, or none where the ids are not exactly theirs. Throws
 * VALIDATION_FAILED then.
 */
export async function reorderReasons(ctx: Ctx, kind: ReasonKind, orderedIds: string[]): Promise<void> {
  const refused = invalid([{ path: "ordered_ids", message: "must name every reason exactly once" }]);
  const count = orderedIds.length;
  if (new Set(orderedIds).size !== count) throw refused;
  const ids = JSON.stringify(orderedIds);
  const living = livingOf(ctx, kind);
  const [reordered, counted] = await commitReasons(ctx, kind, [
    statement(
      build
        .update(reasons)
        .set({
          position: sql`(SELECT key FROM json_each(${ids}) WHERE value = ${reasons.id})`,
          updated_at: ctx.now,
        })
        .where(
          and(
            living,
            sql`(SELECT COUNT(*) FROM ${reasons} WHERE ${living}) = ${count}`,
            sql`(SELECT COUNT(*) FROM ${reasons} WHERE ${living} AND ${reasons.id} IN (SELECT value FROM json_each(${ids}))) = ${count}`,
          ),
        )
        .returning({ id: reasons.id }),
    ),
    statement(
      build
        .select({ count: sql<number>`COUNT(*)`.as("count") })
        .from(reasons)
        .where(living),
    ),
  ]);
  if (reordered?.rows.length !== count || counted?.rows[0]?.count !== count) throw refused;
}

async function changeReason(ctx: Ctx, kind: ReasonKind, id: string, set: Partial<Reason>): Promise<Reason> {
  const reason = await changeLiving(ctx, { table: reasons, name: "Reason", key: { kind, id }, set });
  await forgetAnswer(ctx, kind);
  return reason;
}

/** Commits a change of reasons, after which the portal's list of them is read anew. */
async function commitReasons<R extends unknown[]>(
  ctx: Ctx,
  kind: ReasonKind,
  statements: { [K in keyof R]: Statement<R[K]> },
) {
  const results = await commit(ctx, statements);
  await forgetAnswer(ctx, kind);
  return results;
}

/** Removes the portal's list of skip reasons from the edge cache. */
async function forgetAnswer({ account }: Ctx, kind: ReasonKind): Promise<void> {
  if (kind === "skip") await forgetPublicAnswer(account.shop);
}

function livingOf(ctx: Ctx, kind: ReasonKind): SQL | undefined {
  return and(eq(reasons.account_seq, ctx.account.seq), eq(reasons.kind, kind), isNull(reasons.deleted_at));
}
