import { raw, read, rows } from "../../src/base/db/statement.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { createClosedDay, removeClosedDay } from "../../src/domain/closed-days/actions.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { nthDay, plusDays } from "../accounts/calendar.ts";
import { type ClosedDayHistory, closedKinds, isClosed } from "../dates/history.ts";
import { drain, runToEnd, spawn } from "../kernel/invocations.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { isTooLate } from "./check-dates.ts";
import { readSlotDays, type Seen, selectSeen } from "./rows.ts";
import type { ClosedDayWatch } from "./watch.ts";

/**
 * All work on closed days is done. Once no day is closed any more, all dates are those of the schedule, as if none had ever been. Then the next
 * ones are closed and opened again, and come back, each as it was.
 */
export async function checkEnd(
  world: World,
  history: ClosedDayHistory,
  watch: ClosedDayWatch,
): Promise<void> {
  await checkDone(world);
  for (const { id } of history.now()) await ask(world, "open closed days", (ctx) => removeClosedDay(ctx, id));
  await checkDone(world, "second round");
  await checkPutBack(world, watch);
  if (world.violations.length === 0) await closeAndOpen(world, history);
}

/** No work on closed days is left, except the second round of days that were opened just now. */
async function checkDone({ database, account, report }: World, isToCome?: "second round"): Promise<void> {
  const left = await rows(
    database,
    raw<{ walk: string | null; next_action_at: string | null }>(
      "SELECT walk, next_action_at FROM closed_days WHERE account_seq = ? AND (walk IS NOT NULL OR next_action_at IS NOT NULL)",
      account.seq,
    ),
  );
  const unexpected = left.filter(({ walk }) => !isToCome || !walk || !JSON.parse(walk).isSecond);
  for (const { walk } of unexpected) report("the work on closed days comes to its end", `it is at ${walk}`);
}

async function closeAndOpen(world: World, history: ClosedDayHistory): Promise<void> {
  const { choices, account, report } = world;
  const today = dateIn(instantOf(world), account.timezone);
  const before = await readRows(world);
  const next = before.flatMap((row) => datesIn(row));
  if (next.length === 0 || next.some((date) => date <= today)) return;
  const from = next.toSorted()[0]!;
  const to = plusDays(from, choices.below(10));
  const rule = choices.pick(["earlier", "later", "skip"] as const);
  world.count("dates closed and opened again");
  await ask(world, `close ${from} to ${to}, ${rule}`, (ctx) =>
    createClosedDay(ctx, { from, to, rule, label: "Closed at last" }),
  );
  const [moved] = await readRows(world);
  const isFree = moved!.open_attempt_id === null;
  // A payment that is owed stays due.
  const isOwed = moved!.dunning_episode_id !== null || moved!.status === "PAYMENT_FAILED";
  for (const kind of closedKinds) {
    if (kind === "billing" && isOwed) continue;
    const day = moved![`next_${kind}_date`];
    const where = { kind, slotId: moved!.delivery_slot_id };
    if (isFree && day !== null && day > today && isClosed(history.now(), where, day))
      report("dates follow closed days", `${kind} stays on ${day}, ${from} to ${to} are closed`);
  }
  for (const { id } of history.now()) await ask(world, "open closed days", (ctx) => removeClosedDay(ctx, id));
  const after = await readRows(world);
  for (const [nth, row] of after.entries())
    if (isFree && before[nth]!.scheduled_index === null && textOf(row) !== textOf(before[nth]!))
      report(putBack, `${textOf(before[nth]!)} becomes ${textOf(row)} on ${today}`);
}

const putBack = "opened days put each date back";

/** Every date is the schedule's own, except one that was moved so late that its own day has come. */
async function checkPutBack(world: World, watch: ClosedDayWatch): Promise<void> {
  const { database, account, report } = world;
  const today = dateIn(instantOf(world), account.timezone);
  const slots = await readSlotDays(database, account.seq);
  const skips = await rows(
    database,
    raw<{ id: string }>(
      "SELECT DISTINCT loggable_id AS id FROM activity_logs WHERE account_seq = ? AND action LIKE 'subscription_%skipped'",
      account.seq,
    ),
  );
  for (const row of await readRows(world)) {
    const { next_delivery_date: delivery, scheduled_delivery_date: scheduled } = row;
    if (delivery === null || row.open_attempt_id !== null) continue;
    // A month counted from a day some weeks later need not have that day.
    if (row.delivery_interval === "MONTH" && skips.some(({ id }) => id === row.id)) continue;
    const slot = slots.get(row.delivery_slot_id ?? "");
    const grid = {
      anchor: row.anchor_date,
      anchorDay: row.anchor_day,
      unit: row.delivery_interval,
      count: row.delivery_interval_count,
      slot,
    };
    const day = nthDay(grid, row.scheduled_index ?? row.next_index);
    if (isTooLate(row, { today, slot })) continue;
    if (delivery === day) continue;
    // Days that were closed after its own had passed have moved it from where it stood, and put it back there.
    if (delivery === (scheduled ?? delivery) && watch.isStanding(row)) continue;
    const what = `${textOf(row)} on ${today}, as the schedule has ${day}`;
    report(scheduled === null ? "closed days leave the schedule as it is" : putBack, what);
  }
}

async function ask(world: World, name: string, work: (ctx: Ctx) => Promise<unknown>): Promise<void> {
  await spawn(world, name, { type: "admin", name: "Ada" }, work);
  await runToEnd(world);
  await drain(world);
}

async function readRows({ database, account }: World): Promise<Seen[]> {
  const [found] = await read<[Seen]>(database, [selectSeen(account.seq)]);
  return found;
}

function datesIn(row: Seen): string[] {
  return [row.next_delivery_date, row.next_billing_date, row.next_production_date].filter(
    (date) => date !== null,
  );
}

function textOf(row: Seen): string {
  const {
    anchor_date,
    next_index,
    next_billed_index,
    scheduled_index,
    scheduled_delivery_date: planned,
  } = row;
  const moved = scheduled_index === null ? "" : `, by schedule ${scheduled_index} on ${planned}`;
  return `${row.status} ${next_index} (${next_billed_index}) from ${anchor_date}: ${datesIn(row).join(", ")}${moved}`;
}
