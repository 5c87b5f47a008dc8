import { and, eq, gte, isNull, lte, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { build, columnsEqual, type Params, prepare, rows } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { toDate, toDay } from "../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { type ClosedDay, closureOn } from "./closed-days.ts";
import { deliveryCounts as counts, type DeliverySlot, deliverySlots } from "./tables.ts";

/*
 * A slot may have room for so many deliveries a day. Triggers count them in `delivery_counts`. Whoever chooses a full
 * day is refused; what the schedule brings there is counted and delivered, and people are told of it, once for each slot
 * and day.
 */

/** Deliveries that a change adds to a day of a slot: `what` names the change, `path` the request's field for the day. */
export type Placing = {
  slot: Pick<DeliverySlot, "id" | "max_deliveries_per_day">;
  date: CalendarDate;
  deliveries: number;
  what: string;
  path: string;
  /** The account's closed days, on which nothing is free. */
  closed: ClosedDay[];
};

/**
 * Refuses deliveries for which the slot has no room on their day. Returns the guard that fails the batch where others have taken the last
 * place meanwhile. Throws INVALID_STATE, with the next free day.
 */
export async function takePlace(ctx: Ctx, placing: Placing): Promise<Statement[]> {
  const { slot, date, deliveries, what, path, closed } = placing;
  const most = slot.max_deliveries_per_day;
  if (most === null) return [];
  const guards = [guardRoom(ctx, placing)];
  const scope = { account_seq: ctx.account.seq, delivery_slot_id: slot.id };
  const taken = await rows(
    ctx.db,
    selectTakenBetween({ ...scope, from: date, to: weeksLater(date, weeksAhead) }),
  );
  const full = new Set(
    taken.filter(({ count }) => count + deliveries > most).map((one) => one.delivery_date),
  );
  const hasRoom = (day: CalendarDate) => deliveries <= most && !full.has(day);
  if (hasRoom(date)) return guards;
  const days = Array.from({ length: weeksAhead }, (_, index) => weeksLater(date, index + 1));
  const isOpen = (day: CalendarDate) => !closureOn(closed, { kind: "delivery", slotId: slot.id }, toDay(day));
  const free = days.find((day) => hasRoom(day) && isOpen(day));
  const next = free ? `the next free day is ${free}` : `no day of the ${weeksAhead} weeks after it is free`;
  throw new DomainError("INVALID_STATE", `Cannot ${what}: the delivery slot is full on ${date}, ${next}`, [
    { path, message: `is a full day of the delivery slot, ${next}` },
  ]);
}

/** Fails its batch where the slot has more deliveries on a day than room. It stands after the writes that take places. */
function guardRoom({ account }: Ctx, { slot, date }: Placing): Statement {
  return guard(
    `EXISTS (SELECT 1 FROM delivery_counts AS counts JOIN delivery_slots AS slot
      ON slot.account_seq = counts.account_seq AND slot.id = counts.delivery_slot_id
      WHERE counts.account_seq = ? AND counts.delivery_slot_id = ? AND counts.delivery_date = ?
        AND counts.count > slot.max_deliveries_per_day)`,
    [account.seq, slot.id, date],
  );
}

/** An over-full day of a slot that nobody has been told of. */
export type OverFull = {
  delivery_slot_id: string;
  delivery_date: string;
  count: number;
  max_deliveries_per_day: number | null;
};

/** The over-full days of the account that nobody has been told of, to be read in the batch that makes the latest. */
export function selectUnreportedDays({ account, now }: Ctx): Statement<OverFull> {
  return selectUnreported({ account_seq: account.seq, now });
}

/**
 * Tells people of over-full days, then notes that they know. The change itself is committed by then, and a note that is
 * lost leads to a second alert.
 */
export async function reportOverFull(ctx: Ctx, days: OverFull[]): Promise<void> {
  if (days.length === 0) return;
  for (const { count: deliveries, ...day } of days)
    ctx.log("slot_over_full", { alert: true, account_id: ctx.account.id, ...day, deliveries });
  await commit(
    { db: ctx.db },
    days.map(({ delivery_slot_id, delivery_date }) =>
      updateRow(
        counts,
        { account_seq: ctx.account.seq, delivery_slot_id, delivery_date },
        { reported_at: ctx.now },
      ),
    ),
  ).catch(() => undefined);
}

/** The number of weeks in which a free day is looked for. */
const weeksAhead = 52;

function weeksLater(date: CalendarDate, weeks: number): CalendarDate {
  return toDate(toDay(date) + weeks * 7);
}

const selectTakenBetween = prepare(
  (p: Params<{ account_seq: AccountSeq; delivery_slot_id: string; from: string; to: string }>) =>
    build
      .select({ delivery_date: counts.delivery_date, count: counts.count })
      .from(counts)
      .where(
        and(
          columnsEqual(counts, p, "account_seq", "delivery_slot_id"),
          gte(counts.delivery_date, p("from")),
          lte(counts.delivery_date, p("to")),
        ),
      ),
);

const selectUnreported = prepare((p: Params<{ account_seq: AccountSeq; now: string }>) =>
  build
    .select({
      delivery_slot_id: counts.delivery_slot_id,
      delivery_date: counts.delivery_date,
      count: counts.count,
      max_deliveries_per_day: sql<number | null>`${deliverySlots.max_deliveries_per_day}`.as(
        "max_deliveries_per_day",
      ),
    })
    .from(counts)
    .innerJoin(
      deliverySlots,
      and(eq(deliverySlots.account_seq, counts.account_seq), eq(deliverySlots.id, counts.delivery_slot_id)),
    )
    .where(
      and(
        eq(counts.account_seq, p("account_seq")),
        lte(counts.over_full_since, p("now")),
        isNull(counts.reported_at),
      ),
    )
    .limit(20),
);
