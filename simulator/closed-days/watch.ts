import { lookupTtlMs } from "../../src/base/accounts/queries.ts";
import { raw, read } from "../../src/base/db/statement.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import type { ClosedDayHistory, Moment } from "../dates/history.ts";
import { askedBy } from "../http/asked.ts";
import type { Task } from "../kernel/task.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { checkBilled } from "./check-billed.ts";
import { checkDates } from "./check-dates.ts";
import { newFollowCheck } from "./check-follow.ts";
import {
  type Entry,
  type Ordered,
  readSlotDays,
  type Seen,
  selectEntries,
  selectOrders,
  selectSeen,
} from "./rows.ts";
import { newStandingDeliveries } from "./standing.ts";

/** Looks at the account after every of its commits: at what was billed, where dates went, and what was told of it. */
export function newClosedDayWatch(world: World, history: ClosedDayHistory) {
  const { database } = world;
  const follow = newFollowCheck(world, history);
  let seen = new Map<string, Seen>();
  let last = { entry: 0, order: 0 };
  let slots: Awaited<ReturnType<typeof readSlotDays>> = new Map();
  const standing = newStandingDeliveries();

  const readAll = async () => {
    const { account } = world;
    const [[found], rows, entries, orders] = await read<
      [{ closed_days: string | null }, Seen, Entry, Ordered]
    >(database, [
      raw("SELECT closed_days FROM accounts WHERE seq = ?", account.seq),
      selectSeen(account.seq),
      selectEntries(account.seq, last.entry),
      selectOrders(account.seq, last.order),
    ]);
    const text = found?.closed_days ?? null;
    history.note(text, { commit: world.commits, at: world.clock });
    // Whoever asks from now on knows of them.
    if (account.closed_days !== text) world.account = { ...account, closed_days: text };
    last = {
      entry: Math.max(last.entry, ...entries.map(({ sequence }) => sequence)),
      order: Math.max(last.order, ...orders.map(({ seq }) => seq)),
    };
    return { rows, entries, orders };
  };

  return {
    /** Begins anew, as after a restore. */
    async begin(): Promise<void> {
      last = { entry: 0, order: 0 };
      slots = await readSlotDays(database, world.account.seq);
      const { rows } = await readAll();
      seen = new Map(rows.map((row) => [row.id, row]));
      follow.begin();
    },
    async look(task: Task): Promise<void> {
      const { rows, entries, orders } = await readAll();
      const since = begunAt(task);
      const today = dateIn(instantOf(world), world.account.timezone);
      for (const now of rows) {
        const before = seen.get(now.id);
        seen.set(now.id, now);
        if (!before) continue;
        const own = entries.filter(({ subscription_id }) => subscription_id === now.id);
        const made = orders.filter(({ subscription_id }) => subscription_id === now.id);
        const change = {
          before,
          now,
          entries: own,
          orders: made,
          since,
          today,
          slot: slots.get(now.delivery_slot_id ?? ""),
        };
        checkBilled(world, history, change);
        checkDates(world, history, change);
        follow.check(change);
        standing.note(change);
      }
    },
    isStanding: standing.has,
  };
}

export type ClosedDayWatch = ReturnType<typeof newClosedDayWatch>;

/** Requests over HTTP may know the account as it was for so long. */
function begunAt(task: Task): Moment {
  const { bornAt, bornAfter } = task;
  return { commit: bornAfter, at: askedBy(task) ? bornAt - lookupTtlMs : bornAt };
}
