import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { accounts } from "../../base/accounts/tables.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { listReader } from "../../base/db/list/listing.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { build, first, inJson, type Params, prepare, read } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { type ClosedDay, closedDaysOf } from "../delivery/closed-days.ts";
import { type ClosedDayRow, closedDays, deliverySlots } from "../delivery/tables.ts";

export const listClosedDays = listReader({
  table: closedDays,
  columns: getTableColumns(closedDays),
  scope: (p) => sql`${closedDays.account_seq} = ${p("account_seq")} AND ${closedDays.deleted_at} IS NULL`,
  tiebreaker: closedDays.id,
  sorts: { created_at: closedDays.created_at },
  filters: {},
});

export async function getClosedDay(ctx: Ctx, id: string): Promise<ClosedDayRow> {
  const found = await findClosedDay(ctx, id);
  if (!found || found.deleted_at !== null) throw notFound("Closed day");
  return found;
}

/** Closed days by id, also those that are deleted: their subscriptions may still have dates to be put back. */
export function findClosedDay(ctx: Ctx, id: string): Promise<ClosedDayRow | undefined> {
  return first(ctx.db, selectClosedDay({ account_seq: ctx.account.seq, id }));
}

/** The account's closed days as they are now, as text and as values, and those of these slots that it has. */
export async function readClosedDays(
  ctx: Ctx,
  slotIds: string[],
): Promise<{ text: string | null; closed: ClosedDay[]; slots: string[] }> {
  const [[account], slots] = await read(ctx.db, [
    selectClosedDays({ id: ctx.account.id }),
    selectSlotsAmong({ account_seq: ctx.account.seq, ids: JSON.stringify(slotIds) }),
  ]);
  const text = account?.closed_days ?? null;
  return { text, closed: closedDaysOf({ closed_days: text }), slots: slots.map(({ id }) => id) };
}

/** Throws UNKNOWN_DELIVERY_SLOT, naming the first of the slots that the account does not have. */
export function requireSlots(slotIds: string[], known: string[]): void {
  const unknown = slotIds.findIndex((id) => !known.includes(id));
  if (unknown === -1) return;
  throw new DomainError("UNKNOWN_DELIVERY_SLOT", "The account has no such delivery slot", [
    { path: `slot_ids.${unknown}`, message: "is not known" },
  ]);
}

const selectClosedDay = selectBy(closedDays, "account_seq", "id");

const selectClosedDays = prepare((p: Params<{ id: string }>) =>
  build
    .select({ closed_days: accounts.closed_days })
    .from(accounts)
    .where(eq(accounts.id, p("id"))),
);

const selectSlotsAmong = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select({ id: deliverySlots.id })
    .from(deliverySlots)
    .where(
      and(
        eq(deliverySlots.account_seq, p("account_seq")),
        inJson(deliverySlots.id, p("ids")),
        isNull(deliverySlots.deleted_at),
      ),
    ),
);
