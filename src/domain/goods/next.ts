import type { Statement } from "../../base/db/port.ts";
import { raw, rows } from "../../base/db/statement.ts";
import { perEnv } from "../../base/env.ts";
import { invalid } from "../../base/errors.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../base/lib/time/dates.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { ttlCache } from "../../base/lib/ttl-cache.ts";
import type { Ctx } from "../../kit/context.ts";
import { todayOf } from "../../kit/days.ts";
import { onItsOwn } from "../../kit/on-its-own.ts";
import { projectDeliveries } from "../billing/upcoming/upcoming.ts";
import type { SlotWithDay } from "../delivery/queries.ts";
import { selectLastSequence } from "../events/queries.ts";
import { calendarOf, earliestDelivery, packingDate } from "../subscriptions/dates/index.ts";
import { addCell, type Cell, type Cells, type Question, sortCells } from "./cells.ts";
import { cellsOfDelivery } from "./count-delivery.ts";
import { columnsOfOrder, selectCells, selectToPack } from "./goods-sql.ts";
import { idsOfOthers, selectPlanned } from "./next-sql.ts";
import { type Prospects, readProspects } from "./prospects.ts";

/** The cells of a forecast, and the place in the stream of events that it stands for. */
export type Forecast = { cells: Cell[]; sequence: number };

/**
 * The goods of orders that are to be packed, and of each subscription's next delivery: one aggregate over the stored dates, besides the few
 * subscriptions whose dates the schedule does not say, which are projected. Throws VALIDATION_FAILED for more cells than one answer has.
 */
export async function forecastNext(ctx: Ctx, asked: Question): Promise<Forecast> {
  const today = todayOf(ctx);
  const first = await readFirst(ctx, asked, today);
  const cells: Cells = new Map();
  for (const cell of first.others.stored) addCell(cells, cell);
  if (asked.to >= today) await addOthers(ctx, { asked, cells, page: first });
  return { cells: boundedCells(cells), sequence: first.others.sequence[0]?.last ?? 0 };
}

/**
 * The stored goods, and the first page of the subscriptions that are projected: in one trip, by the slots that this isolate has read last. Where the
 * slots are others by now, the stored goods are read once more, and all of it if something has happened in between.
 */
async function readFirst(ctx: Ctx, asked: Question, today: CalendarDate) {
  const { account, env, realNow } = ctx;
  const [known, nowMs] = [earliestSeen(env), Date.parse(realNow)];
  const key = `${account.id} ${today}`;
  const read = (earliest: string) =>
    readProspects(ctx, pageOfOthers(ctx, asked, 0), {
      stored: selectStored(ctx, asked, { today, earliest }),
      sequence: selectLastSequence(ctx),
    });
  const guess = known.get(key, nowMs) ?? earliestOf(account, new Map(), today);
  const first = await read(guess);
  const earliest = earliestOf(account, first.slots, today);
  known.set(key, earliest, nowMs);
  if (earliest === guess) return first;
  const { sequence } = first.others;
  const again = await rows(ctx.db, selectStoredAt(ctx, selectStored(ctx, asked, { today, earliest })));
  const isUnchanged = again[0]?.last === sequence[0]?.last;
  const stored = again.filter(({ date }) => date !== null);
  return isUnchanged ? { ...first, others: { stored, sequence } } : read(earliest);
}

/** The stored goods with the place in the stream of events that they stand for, which a row has also where there are none. */
function selectStoredAt(ctx: Ctx, stored: Statement<Cell>): Statement<Cell & { last: number }> {
  const sql = `SELECT its.*, now.last FROM (${selectLastSequence(ctx).sql}) AS now LEFT JOIN (${stored.sql}) AS its ON TRUE`;
  return { ...stored, sql } as Statement<Cell & { last: number }>;
}

/** The earliest deliveries of accounts' slots, as this isolate has last read them. */
const earliestSeen = perEnv(() => ttlCache<string>(hourMs, 1_000));

type Adding = { asked: Question; cells: Cells; page: Prospects };

/** Adds the next delivery of each subscription of a page that is projected, and of the pages after it. */
async function addOthers(ctx: Ctx, { asked, cells, page }: Adding): Promise<void> {
  const { found, entityTypes } = page;
  for (const prospect of found) {
    const { id: subscription_id } = prospect.view.row;
    const its = await onItsOwn(ctx, { task: "count_goods", subscription_id }, () => [
      ...projectDeliveries(prospect)
        .take(1)
        .flatMap((delivery) => cellsOfDelivery(prospect, delivery, { asked, entityTypes })),
    ]);
    for (const cell of its ?? []) addCell(cells, cell);
  }
  const last = found.at(-1);
  if (!last || found.length < pageSize) return;
  const next = await readProspects(ctx, pageOfOthers(ctx, asked, last.view.row.number), {});
  await addOthers(ctx, { asked, cells, page: next });
}

/** An answer has no more cells than this. */
const cellsMax = 5_000;

/** The cells in their order. Throws VALIDATION_FAILED, naming the last day that an answer has room for, where they are too many. */
export function boundedCells(cells: Cells): Cell[] {
  const sorted = sortCells(cells);
  const over = sorted[cellsMax];
  if (over) throw newTooManyCellsError(over.date, sorted[0]!.date);
  return sorted;
}

function newTooManyCellsError(lastDay: CalendarDate, firstDay: CalendarDate) {
  const message =
    lastDay === firstDay
      ? `one day alone has more than ${cellsMax} cells: group by less`
      : `must be ${addDays(lastDay, -1)} or earlier, as an answer has at most ${cellsMax} cells`;
  return invalid([{ path: lastDay === firstDay ? "group_by" : "to", message }]);
}

/** Subscriptions that are projected are read so many at once. */
const pageSize = 1_000;

/** The ids lead: by the index of numbers, every subscription of the account would be read. */
function pageOfOthers({ account }: Ctx, { to }: Question, after: number) {
  const sql = `SELECT s.* FROM (${idsOfOthers}) AS other
    CROSS JOIN subscriptions AS s ON s.account_seq = ?1 AND s.id = other.id
    WHERE s.number > ?3 ORDER BY +s.number LIMIT ${pageSize}`;
  return { sql, params: [account.seq, to, after] };
}

type Stored = { today: CalendarDate; earliest: string };

function selectStored({ account }: Ctx, asked: Question, { today, earliest }: Stored): Statement<Cell> {
  const { from, to, by, groupBy } = asked;
  const packed = selectToPack(columnsOfOrder, by);
  const planned = `SELECT * FROM (${selectPlanned(by)}) WHERE ${by} BETWEEN ?3 AND ?4`;
  const isPast = to < today;
  const sql = `SELECT ${by} AS date, variant_id AS variant, slot_id AS slot, plan_id AS plan, entity_type,
      product_title, variant_title, sku, packed, planned, at_risk
    FROM (${selectCells(isPast ? packed : `${packed} UNION ALL ${planned}`, by, groupBy)})
    ORDER BY date, variant LIMIT ${cellsMax + 1}`;
  return raw<Cell>(sql, ...[account.seq, today, from, to], ...(isPast ? [] : [earliest]));
}

/** The earliest delivery from today on in each slot, and without one, as JSON. */
function earliestOf(account: Ctx["account"], slots: Map<string, SlotWithDay>, today: CalendarDate): string {
  const datesIn = (slot: SlotWithDay | undefined) => {
    const calendar = calendarOf({ account, slot, today });
    const delivery = earliestDelivery(calendar, today);
    return { delivery, production: packingDate(calendar, delivery, today) ?? delivery };
  };
  const all = [...slots].map(([id, slot]) => [id, datesIn(slot)] as const);
  return JSON.stringify({ "": datesIn(undefined), ...Object.fromEntries(all) });
}
