import { first, raw } from "../../src/base/db/statement.ts";
import { type CalendarDate, dateIn, startOfDay } from "../../src/base/lib/time/dates.ts";
import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { nextDueAt } from "../../src/edges/operator/next-due.ts";
import { lengthOf } from "./pass-time.ts";
import { instantOf, type Part, type World } from "./world.ts";

/** When something next happens by itself: a message, what is under way at a store, or what cron has to find. */
export async function nextOf(world: World): Promise<number> {
  const stores = world.worlds.map(({ store }) => store.nextAt());
  const arriving = world.parts.map(({ nextAt }) => nextAt?.(world));
  const ahead = [world.queue.nextAt(), ...stores, ...arriving, ...(await momentsToFind(world))];
  return Math.min(...ahead.filter((at) => at !== undefined));
}

/** An object looks within a minute after a write, and knows when something falls due without one. */
export async function checkAlarm(world: World): Promise<void> {
  const { alarm, clock, database, report } = world;
  if (!alarm) return;
  const rule = "an object looks when something is due";
  const moments = await momentsToFind(world);
  if (moments.some((at) => at <= clock) && alarm.at() > clock + minuteMs)
    report(rule, `it is due, and the alarm rings in ${lengthOf(alarm.at() - clock)}`);
  const known = (await nextDueAt(database, new Date(clock))) ?? Number.POSITIVE_INFINITY;
  const missed = moments.filter((at) => at > clock && at < known);
  if (missed.length > 0) report(rule, `it does not know what is due in ${lengthOf(missed[0]! - clock)}`);
}

/** When things are next due that cron, or the alarm of an object, has to find. */
async function momentsToFind({ worlds, parts }: World): Promise<number[]> {
  const moments: (number | undefined)[] = [];
  for (const one of worlds) {
    moments.push(...(await nextInDatabase(one)));
    for (const { findNext } of parts) moments.push(await findNext?.(one));
  }
  return moments.filter((at) => at !== undefined);
}

/** When something is next due by the database's columns. */
async function nextInDatabase({ database, account, clock, parts }: World): Promise<number[]> {
  const { seq, timezone } = account;
  const [changes, today] = [database.changes?.(), dateIn(instantOf({ clock }), timezone)];
  const known = nextKnown.get(account);
  if (known && known.changes === changes && known.today === today) return known.moments;
  const found = await first(database, raw<{ at: string; days: string }>(selectNext(parts), seq, today));
  const days: (string | null)[] = JSON.parse(found!.days);
  const instants: (string | null)[] = JSON.parse(found!.at);
  const moments = [...instants, ...days.map((day) => day && startOfDay(day, timezone))]
    .filter((instant) => instant !== null)
    .map((instant) => Date.parse(instant));
  if (changes !== undefined) nextKnown.set(account, { changes, today, moments });
  return moments;
}

/** The moments that are next due of an account on a day, after so many changes of the database. */
const nextKnown = new WeakMap<
  World["account"],
  { changes: number; today: CalendarDate; moments: number[] }
>();

/** One statement for all parts, which name the account ?1 and today ?2. */
function selectNext(parts: readonly Part[]): string {
  const listOf = (all: string[]) => `json_array(${all.map((one) => `(${one})`).join(", ")})`;
  const at = listOf(parts.flatMap(({ dueAt = [] }) => dueAt));
  return `SELECT ${at} AS at, ${listOf(parts.flatMap(({ dueOn = [] }) => dueOn))} AS days, ?2 AS today`;
}
