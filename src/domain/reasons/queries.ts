import { and, asc, eq, isNull, type SQL } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, first, inJson, type Params, prepare, rows } from "../../base/db/statement.ts";
import { DomainError, type ErrorCode, notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { type Reason, type ReasonKind, reasons } from "./tables.ts";

/** Also a request without credentials, which has an account and nobody who acts. */
type Reader = Pick<Ctx, "db" | "account">;
type Scope = { account_seq: AccountSeq; kind: ReasonKind };

/** All reasons by position, inactive ones included. */
export function listReasons({ db, account }: Reader, kind: ReasonKind): Promise<Reason[]> {
  return rows(db, selectLiving({ account_seq: account.seq, kind }));
}

/** The reasons that customers may pick. */
export function listActiveReasons({ db, account }: Reader, kind: ReasonKind): Promise<Reason[]> {
  return rows(db, selectActiveReasons({ account_seq: account.seq, kind }));
}

export async function getReason({ db, account }: Reader, kind: ReasonKind, id: string): Promise<Reason> {
  const reason = await first(db, selectById({ account_seq: account.seq, kind, id }));
  if (!reason) throw notFound("Reason");
  return reason;
}

/** The reason that a request names, to be read in one trip with others; nothing where it names none. */
export function selectNamedReason(
  { account }: Ctx,
  kind: ReasonKind,
  id: string | null | undefined,
): Statement<Reason>[] {
  return id === undefined || id === null ? [] : [selectById({ account_seq: account.seq, kind, id })];
}

/** The reasons of these ids, active or not, to be read in one trip with others. */
export function selectNamedReasons({ account }: Ctx, kind: ReasonKind, ids: string[]): Statement<Reason> {
  return selectByIds({ account_seq: account.seq, kind, ids: JSON.stringify(ids) });
}

/** One of the reasons of this kind that customers can pick, if there are any, to be read in one trip with others. */
export function selectAnyActiveReason({ account }: Ctx, kind: ReasonKind): Statement<Reason> {
  return selectOneActive({ account_seq: account.seq, kind });
}

/** The active reason that a request names, of what `selectNamedReason` finds; undefined where it names none. Throws UNKNOWN_…_REASON. */
export function requireReason(
  kind: ReasonKind,
  id: string | null | undefined,
  [reason]: Reason[] = [],
): Reason | undefined {
  if (id === undefined || id === null) return undefined;
  if (reason?.is_active === 1) return reason;
  throw new DomainError(unknownCode[kind], `The account has no such active ${kind} reason`, [
    { path: `${kind}_reason_id`, message: "is not known" },
  ]);
}

const inOrder = [asc(reasons.position), asc(reasons.created_at), asc(reasons.id)];

const unknownCode = {
  skip: "UNKNOWN_SKIP_REASON",
  pause: "UNKNOWN_PAUSE_REASON",
  cancellation: "UNKNOWN_CANCELLATION_REASON",
} as const satisfies Record<ReasonKind, ErrorCode>;

const selectLiving = prepare((p: Params<Scope>) =>
  build
    .select()
    .from(reasons)
    .where(isOfKind(p))
    .orderBy(...inOrder),
);

function selectActive(p: Params<Scope>) {
  return build
    .select()
    .from(reasons)
    .where(and(isOfKind(p), eq(reasons.is_active, 1)))
    .orderBy(...inOrder);
}

const selectActiveReasons = prepare(selectActive);

const selectOneActive = prepare((p: Params<Scope>) => selectActive(p).limit(1));

const selectById = prepare((p: Params<Scope & { id: string }>) =>
  build
    .select()
    .from(reasons)
    .where(and(isOfKind(p), eq(reasons.id, p("id")))),
);

const selectByIds = prepare((p: Params<Scope & { ids: string }>) =>
  build
    .select()
    .from(reasons)
    .where(and(isOfKind(p), inJson(reasons.id, p("ids")))),
);

/** The account's reasons of a kind that were not deleted. */
function isOfKind(p: Params<Scope>): SQL | undefined {
  return and(columnsEqual(reasons, p, "account_seq", "kind"), isNull(reasons.deleted_at));
}
