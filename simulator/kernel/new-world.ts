import type { Account } from "../../src/base/accounts/tables.ts";
import { hourMs } from "../../src/base/lib/time/durations.ts";
import { alarmOf } from "./alarm.ts";
import type { Choices } from "./choices.ts";
import type { Database } from "./database.ts";
import { newQueue } from "./queue.ts";
import type { Platform, SimulatedStore } from "./store.ts";
import type { World } from "./world.ts";

/** A world before its first day, without its store, its account and its parts. */
export function newWorld({ seed, platform, choices, database, isTraced, rule: only }: Options): World {
  let ids = 0;
  const started = choices.pick(firstDays) + choices.below(24) * hourMs;
  const world: World = {
    choices,
    database,
    whereabouts: undefined,
    clock: started,
    account: undefined as unknown as Account,
    subscriptionId: "",
    platform,
    store: undefined as unknown as SimulatedStore,
    worlds: [],
    parts: [],
    alarm: alarmOf(database, () => world.clock),
    tasks: [],
    queue: newQueue(),
    faultRate: 0,
    scenario: "usual",
    isQuiesced: true,
    quiescedAt: started,
    commits: 0,
    injected: new WeakSet(),
    restoredTo: undefined,
    restores: 0,
    isRestorable: false,
    newId: () => `${hex(seed >>> 0, 8)}-0000-7000-8000-${hex(++ids, 12)}`,
    violations: [],
    report: (rule, detail) => {
      if (only !== undefined && rule !== only) return;
      world.log(() => `VIOLATED ${rule}: ${detail}`);
      world.violations.push({ rule, detail });
    },
    log: (line) => {
      if (!isTraced || world.violations.length > 0) return;
      const minutes = Math.floor((world.clock - started) / 60_000);
      const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes / 60) % 24)];
      const time = `${days}d ${String(hours).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
      world.trace.push(`${time}  ${line()}`);
    },
    trace: [],
    tally: {},
    count: (what, by = 1) => {
      world.tally[what] = (world.tally[what] ?? 0) + by;
    },
  };
  world.worlds.push(world);
  return world;
}

/** Schedules last about a month: daylight saving begins or ends in it in the north (March, October) or the south (April, September). */
const firstDays = [
  [2, 2],
  [2, 23],
  [8, 1],
  [9, 12],
].map(([month, day]) => Date.UTC(2026, month!, day, 8));

function hex(number: number, length: number): string {
  return number.toString(16).padStart(length, "0");
}

type Options = {
  seed: number;
  platform: Platform;
  choices: Choices;
  database: Database;
  isTraced: boolean;
  /** Check only this rule. */
  rule?: string | undefined;
};
