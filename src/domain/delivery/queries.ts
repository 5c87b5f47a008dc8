import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { embedRecord } from "../../base/db/embed.ts";
import { unindexedFilter } from "../../base/db/filters.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectLivingBy } from "../../base/db/row-reads.ts";
import { countAffected } from "../../base/db/sql/count-affected.ts";
import { build, columnsEqual, first, type Params, prepare } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { type DeliveryDay, type DeliverySlot, deliveryDays, deliverySlots } from "./tables.ts";

/** A slot with its day. */
export type SlotWithDay = DeliverySlot & { day: DeliveryDay };

export async function getDeliveryDay(ctx: Ctx, id: string): Promise<DeliveryDay> {
  const day = await findDay(ctx, id);
  if (!day) throw notFound("Delivery day");
  return day;
}

/** The day that a request names. Throws UNKNOWN_DELIVERY_DAY. */
export async function requireDeliveryDay(ctx: Ctx, id: string): Promise<DeliveryDay> {
  const day = await findDay(ctx, id);
  if (day) return day;
  throw new DomainError("UNKNOWN_DELIVERY_DAY", "The account has no such delivery day", [
    { path: "delivery_day_id", message: "is not known" },
  ]);
}

export async function getDeliverySlot(ctx: Ctx, id: string): Promise<DeliverySlot> {
  const found = await findSlot(ctx, id);
  if (!found) throw notFound("Delivery slot");
  const { day: _day, ...slot } = found;
  return slot;
}

/** Whether deliveries can be made in the slot: it and its day are active. */
export function isServed({ day, ...slot }: SlotWithDay): boolean {
  return slot.is_active === 1 && slot.deleted_at === null && day.is_active === 1 && day.deleted_at === null;
}

/** The slot that a request names, to be read in one trip with others; nothing where it names none. */
export function selectNamedSlot({ account }: Ctx, id: string | null | undefined): Statement<SlotRow>[] {
  return id === undefined || id === null ? [] : [selectSlot({ account_seq: account.seq, id })];
}

/**
 * The slot that a request names, with its day, of what `selectNamedSlot` finds. Throws UNKNOWN_DELIVERY_SLOT, also for one that is
 * not served.
 */
export function requireDeliverySlot([row]: SlotRow[] = [], path = "delivery_slot_id"): SlotWithDay {
  const found = slotWithDay(row);
  if (found && isServed(found)) return found;
  throw new DomainError("UNKNOWN_DELIVERY_SLOT", "The account has no such active delivery slot", [
    { path, message: "is not known" },
  ]);
}

/** The slots that `selectAllSlots` finds, by id. Subscriptions keep a slot that was deleted. */
export function slotsById(rows: SlotRow[]): Map<string, SlotWithDay> {
  return new Map(rows.flatMap((row) => slotWithDay(row) ?? []).map((slot) => [slot.id, slot]));
}

/** Every slot that the account has or had, to be read in one trip with others; nobody has more than so many. */
export const selectAllSlots = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  withDay()
    .where(eq(deliverySlots.account_seq, p("account_seq")))
    .limit(slotsMax),
);

const slotsMax = 5_000;

const slotOf = embedRecord(getTableColumns(deliverySlots));
const dayOf = embedRecord(getTableColumns(deliveryDays));

/** A slot and its day as they are read. */
export type SlotRow = { slot: string | null; day: string | null };

export const listDeliveryDays = listReader({
  table: deliveryDays,
  columns: getTableColumns(deliveryDays),
  scope: (p) => sql`${deliveryDays.account_seq} = ${p("account_seq")} AND ${deliveryDays.deleted_at} IS NULL`,
  tiebreaker: deliveryDays.id,
  sorts: { created_at: deliveryDays.created_at },
  filters: { is_active: unindexedFilter((p) => sql`${deliveryDays.is_active} = ${p("is_active")}`) },
});

const onActiveDay = sql`EXISTS (SELECT 1 FROM ${deliveryDays} WHERE ${deliveryDays.account_seq} = ${deliverySlots.account_seq}
  AND ${deliveryDays.id} = ${deliverySlots.delivery_day_id} AND ${deliveryDays.is_active} AND ${deliveryDays.deleted_at} IS NULL)`;

export const listDeliverySlots = listReader({
  table: deliverySlots,
  columns: getTableColumns(deliverySlots),
  scope: (p) =>
    sql`${deliverySlots.account_seq} = ${p("account_seq")} AND ${deliverySlots.deleted_at} IS NULL`,
  tiebreaker: deliverySlots.id,
  sorts: { created_at: deliverySlots.created_at },
  filters: {
    is_served: {
      ...unindexedFilter((p) => sql`(${deliverySlots.is_active} AND ${onActiveDay}) = ${p("is_served")}`),
      reads: 2,
    },
  },
});

const selectDay = selectLivingBy(deliveryDays, "account_seq", "id");

const selectSlot = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  withDay().where(and(columnsEqual(deliverySlots, p, "account_seq", "id"), isNull(deliverySlots.deleted_at))),
);

function withDay() {
  return build
    .select({
      slot: sql<string | null>`${slotOf.column}`.as("slot"),
      day: sql<string | null>`${dayOf.column}`.as("day"),
    })
    .from(deliverySlots)
    .innerJoin(
      deliveryDays,
      and(
        eq(deliveryDays.account_seq, deliverySlots.account_seq),
        eq(deliveryDays.id, deliverySlots.delivery_day_id),
      ),
    );
}

async function findSlot(ctx: Ctx, id: string): Promise<SlotWithDay | undefined> {
  return slotWithDay(await first(ctx.db, selectSlot({ account_seq: ctx.account.seq, id })));
}

function slotWithDay(row: SlotRow | undefined): SlotWithDay | undefined {
  const [slot, day] = row ? [slotOf.read(row.slot), dayOf.read(row.day)] : [];
  return slot && day && { ...slot, day };
}

function findDay(ctx: Ctx, id: string): Promise<DeliveryDay | undefined> {
  return first(ctx.db, selectDay({ account_seq: ctx.account.seq, id }));
}

/** The number of subscriptions that have not ended and are delivered in a slot. */
export function countInSlot({ db, account }: Ctx, id: string): Promise<number> {
  const inSlot =
    "subscriptions INDEXED BY subscriptions_by_slot WHERE account_seq = ? AND delivery_slot_id = ?";
  return countAffected(db, inSlot, [account.seq, id]);
}

/** The number of subscriptions that have not ended and are delivered in a slot of a day. */
export function countOnDay({ db, account }: Ctx, id: string): Promise<number> {
  return countAffected(
    db,
    `delivery_slots AS slot CROSS JOIN subscriptions INDEXED BY subscriptions_by_slot
      ON subscriptions.account_seq = slot.account_seq AND subscriptions.delivery_slot_id = slot.id
      WHERE slot.account_seq = ? AND slot.delivery_day_id = ? AND slot.deleted_at IS NULL`,
    [account.seq, id],
  );
}
