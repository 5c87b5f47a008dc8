import { and, asc, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import { build, first, type Params, prepare, rows } from "../db/statement.ts";
import { DomainError, type ErrorCode, notFound } from "../errors.ts";
import { type Reason, type ReasonKind, reasons } from "./tables.ts";

type Scope = { account_id: string; kind: ReasonKind };

const inOrder = [asc(reasons.position), asc(reasons.created_at), asc(reasons.id)];

/** All reasons by position, inactive ones included. */
export const listReasons = (db: Db, scope: Scope): Promise<Reason[]> => rows(db, living(scope));

/** The reasons that customers may pick. */
export const listActiveReasons = (db: Db, scope: Scope): Promise<Reason[]> => rows(db, active(scope));

export const getReason = async (db: Db, scope: Scope, id: string): Promise<Reason> => {
  const reason = await findReason(db, scope, id);
  if (!reason) throw notFound("Reason");
  return reason;
};

const unknownCode = {
  skip: "UNKNOWN_SKIP_REASON",
  pause: "UNKNOWN_PAUSE_REASON",
  cancellation: "UNKNOWN_CANCELLATION_REASON",
} as const satisfies Record<ReasonKind, ErrorCode>;

/** The active reason that a request names, or undefined where it names none. Throws UNKNOWN_…_REASON. */
export const requireReason = async (
  ctx: Ctx,
  kind: ReasonKind,
  id: string | null | undefined,
): Promise<Reason | undefined> => {
  if (id === undefined || id === null) return undefined;
  const reason = await findReason(ctx.db, { account_id: ctx.account.id, kind }, id);
  if (reason?.is_active === 1) return reason;
  throw new DomainError(unknownCode[kind], `The account has no such active ${kind} reason`, [
    { path: `${kind}_reason_id`, message: "is not known" },
  ]);
};

/** Whether customers can pick a reason of this kind. */
export const hasActiveReason = async (ctx: Ctx, kind: ReasonKind): Promise<boolean> =>
  (await listActiveReasons(ctx.db, { account_id: ctx.account.id, kind })).length > 0;

const living = prepare((p: Params<Scope>) =>
  build
    .select()
    .from(reasons)
    .where(
      and(eq(reasons.account_id, p("account_id")), eq(reasons.kind, p("kind")), isNull(reasons.deleted_at)),
    )
    .orderBy(...inOrder),
);

const active = prepare((p: Params<Scope>) =>
  build
    .select()
    .from(reasons)
    .where(
      and(
        eq(reasons.account_id, p("account_id")),
        eq(reasons.kind, p("kind")),
        isNull(reasons.deleted_at),
        eq(reasons.is_active, 1),
      ),
    )
    .orderBy(...inOrder),
);

const byId = prepare((p: Params<Scope & { id: string }>) =>
  build
    .select()
    .from(reasons)
    .where(
      and(
        eq(reasons.account_id, p("account_id")),
        eq(reasons.id, p("id")),
        eq(reasons.kind, p("kind")),
        isNull(reasons.deleted_at),
      ),
    ),
);

function findReason(db: Db, scope: Scope, id: string): Promise<Reason | undefined> {
  return first(db, byId({ ...scope, id }));
}
