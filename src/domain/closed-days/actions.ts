import { insertAccountEntry } from "../../base/accounts/history.ts";
import { forgetAccount } from "../../base/accounts/queries.ts";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict, StaleError } from "../../base/db/retry-on-conflict.ts";
import { insertRow, updateRow } from "../../base/db/row-writes.ts";
import { followClosedDaysJob } from "../../base/job.ts";
import { type CalendarDate, parseDate } from "../../base/lib/time/dates.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { requireNotTooFar, todayOf } from "../../kit/days.ts";
import { type ClosedDay, closedKinds } from "../delivery/closed-days.ts";
import { type ClosedDayRow, closedDays } from "../delivery/tables.ts";
import { requireWithinLimits } from "./limits.ts";
import { lostAt } from "./outbox.ts";
import { getClosedDay, readClosedDays, requireSlots } from "./queries.ts";
import type { ClosedDayChanges, NewClosedDay } from "./schemas.ts";
import { firstWalk, type Walk } from "./walk.ts";

/** A change of an account's closed days: those before it and after it, in the order of their creation. */
export type ClosedDaysChange = { before: ClosedDay[]; after: ClosedDay[]; changed: ClosedDay };

/** Closes days, and has the dates on them moved. Throws VALIDATION_FAILED beyond the limits, UNKNOWN_DELIVERY_SLOT. */
export async function createClosedDay(ctx: Ctx, input: NewClosedDay): Promise<ClosedDayRow> {
  const id = ctx.newId();
  keepCreated(ctx, { closedDay: id });
  return decideOnChange(ctx, id, async () => {
    const { change, text } = await planCreation(ctx, input, id);
    const row = rowOf(ctx, change.changed, { created_at: ctx.now, walk: firstWalk.afterCreation });
    await commitChange(ctx, change, { text, write: insertRow(closedDays, row) });
    return row;
  });
}

/** Changes closed days, and has the dates moved anew that they concern, or no longer do. */
export async function changeClosedDay(ctx: Ctx, id: string, input: ClosedDayChanges): Promise<ClosedDayRow> {
  return decideOnChange(ctx, id, async () => {
    const { change, text, row: stored } = await planUpdate(ctx, id, input);
    const { created_at } = stored;
    const row = rowOf(ctx, change.changed, { created_at, walk: firstWalk.afterChange });
    const { id: _id, account_seq, ...set } = row;
    await commitChange(ctx, change, { text, write: updateRow(closedDays, { account_seq, id }, set) });
    return row;
  });
}

/** Opens the days again, and has every date put back. */
export async function removeClosedDay(ctx: Ctx, id: string): Promise<void> {
  await decideOnChange(ctx, id, async () => {
    const { change, text } = await planDeletion(ctx, id);
    const set = { deleted_at: ctx.now, updated_at: ctx.now, ...dueNow(ctx, firstWalk.afterDeletion) };
    const write = updateRow(closedDays, { account_seq: ctx.account.seq, id }, set);
    await commitChange(ctx, change, { text, write });
  });
}

/** Decides on closed days to be created. */
export async function planCreation(ctx: Ctx, input: NewClosedDay, id = ctx.newId()): Promise<Planned> {
  const { slot_ids = [], applies_to = [...closedKinds], ...rest } = input;
  const { text, closed, slots } = await readClosedDays(ctx, slot_ids);
  requireSlots(slot_ids, slots);
  const days = { from: dayIn(ctx, input.from, "from"), to: dayIn(ctx, input.to, "to") };
  const changed = withoutRepeats({ ...rest, id, slot_ids, applies_to, ...days });
  requireWithinLimits(closed, changed);
  return { text, change: { before: closed, after: [...closed, changed], changed } };
}

/** Decides on a change of closed days. */
export async function planUpdate(
  ctx: Ctx,
  id: string,
  input: ClosedDayChanges,
): Promise<Planned & { row: ClosedDayRow }> {
  const row = await getClosedDay(ctx, id);
  const { text, closed, slots } = await readClosedDays(ctx, input.slot_ids ?? []);
  requireSlots(input.slot_ids ?? [], slots);
  const before = closedDayOf(row);
  const { from, to, ...named } = input;
  const days = {
    from: from === undefined ? before.from : dayIn(ctx, from, "from"),
    to: to === undefined ? before.to : dayIn(ctx, to, "to"),
  };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  const changed = withoutRepeats({ ...before, ...given, ...days });
  const others = closed.filter((one) => one.id !== id);
  requireWithinLimits(others, changed);
  const after = closed.map((one) => (one.id === id ? changed : one));
  return { text, row, change: { before: closed, after, changed } };
}

/** Decides on opening closed days again. */
export async function planDeletion(ctx: Ctx, id: string): Promise<Planned> {
  const changed = closedDayOf(await getClosedDay(ctx, id));
  const { text, closed } = await readClosedDays(ctx, []);
  return { text, change: { before: closed, after: closed.filter((one) => one.id !== id), changed } };
}

/** Closed days as their row has them. */
export function closedDayOf({ from_date, to_date, ...row }: ClosedDayRow): ClosedDay {
  return {
    id: row.id,
    from: from_date,
    to: to_date,
    applies_to: JSON.parse(row.applies_to),
    slot_ids: JSON.parse(row.slot_ids),
    rule: row.rule,
    label: row.label,
  };
}

/** Each kind and each slot once, however often a request names it. */
function withoutRepeats(closed: ClosedDay): ClosedDay {
  return {
    ...closed,
    applies_to: [...new Set(closed.applies_to)],
    slot_ids: [...new Set(closed.slot_ids)],
  };
}

/** A change, and the account's closed days that it was decided on. */
type Planned = { text: string | null; change: ClosedDaysChange };

/** The day that a request names. */
function dayIn(ctx: Ctx, text: string, path: "from" | "to"): CalendarDate {
  const date = parseDate(text, ctx.account.timezone) ?? text;
  requireNotTooFar(todayOf(ctx), date, path);
  return date;
}

function rowOf(
  ctx: Ctx,
  { from, to, applies_to, slot_ids, ...rest }: ClosedDay,
  { created_at, walk }: { created_at: string; walk: Walk },
): ClosedDayRow {
  return {
    ...rest,
    account_seq: ctx.account.seq,
    from_date: from,
    to_date: to,
    applies_to: JSON.stringify(applies_to),
    slot_ids: JSON.stringify(slot_ids),
    ...dueNow(ctx, walk),
    created_at,
    updated_at: ctx.now,
    deleted_at: null,
  };
}

function dueNow({ realNow }: Ctx, walk: Walk): Pick<ClosedDayRow, "walk" | "next_action_at"> {
  return { walk: JSON.stringify(walk), next_action_at: lostAt(realNow) };
}

/** Decides and writes, then has the dates worked out. This isolate knows the account's closed days at once, others within their cache's time. */
async function decideOnChange<T>(ctx: Ctx, id: string, change: () => Promise<T>): Promise<T> {
  try {
    const result = await retryOnConflict(change);
    await ctx.send([followClosedDaysJob(ctx.account.id, id)]);
    return result;
  } finally {
    forgetAccount(ctx.account.id);
  }
}

/** Writes a change with its entry in the account's history, unless other closed days have changed since it was decided. */
async function commitChange(
  ctx: Ctx,
  { before, after, changed: { id, label } }: ClosedDaysChange,
  { text, write }: { text: string | null; write: Statement },
): Promise<void> {
  const { account, actor, now } = ctx;
  const value = (closed: ClosedDay[]) => closed.find((one) => one.id === id) ?? null;
  const entry = insertAccountEntry({
    id: ctx.newId(now),
    ...{ account: account.seq, action: "account_updated", author: actor, now },
    subject: { type: "account", id: account.id },
    changes: { closed_days: { from: value(before), to: value(after) } },
    metadata: { closed_day_id: id, label },
  });
  const isChanged = guard("NOT EXISTS (SELECT 1 FROM accounts WHERE seq = ? AND closed_days IS ?)", [
    account.seq,
    text,
  ]);
  await commit(ctx, [isChanged, entry, write]).catch((error) => {
    throw isGuard(error) ? new StaleError() : error;
  });
}
