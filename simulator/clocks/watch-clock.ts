import { raw, read } from "../../src/base/db/statement.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { hourMs } from "../../src/base/lib/time/durations.ts";
import { timezone } from "../accounts/further-account.ts";
import type { World } from "../kernel/world.ts";

type Stand = { clock_at: string; clock_target: string | null };
type Next = { due_on: string | null; due_at: string | null };

/**
 * Looks at a test clock after every commit of its account: it never goes back or beyond its target, and where it moves nothing is left
 * behind that was due before. What people change while the day's work is looked for may be found on the next day.
 */
export function newClockWatch({ database, report, count }: World) {
  let accountId = "";
  let last: Stand | undefined;
  let target: string | null = null;
  let isTouched = false;

  const readStand = async (): Promise<[Stand | undefined, Next | undefined]> => {
    const [[stand], [next]] = await read<[Stand, Next]>(database, [
      raw("SELECT clock_at, clock_target FROM accounts WHERE id = ?", accountId),
      raw(
        `SELECT (SELECT MIN(due_on) FROM subscriptions AS s WHERE s.account_seq = a.seq) AS due_on,
          (SELECT MIN(due_at) FROM dunning_episodes AS e WHERE e.account_seq = a.seq) AS due_at FROM accounts AS a WHERE id = ?`,
        accountId,
      ),
    ]);
    return [stand, next];
  };

  return {
    isMoving: (): boolean => last !== undefined && last.clock_target !== null,
    /** Begins anew, as after a restore. */
    async begin(id: string): Promise<void> {
      accountId = id;
      [last] = await readStand();
      target = last?.clock_target ?? last?.clock_at ?? null;
      isTouched = true;
    },
    async look(isByPeople: boolean): Promise<void> {
      if (!last) return;
      const [now, next] = await readStand();
      if (!now || !next) return;
      const { clock_at: from } = last;
      const to = now.clock_at;
      if (to < from) report("a test clock goes forward", `from ${from} to ${to}`);
      target = now.clock_target ?? target;
      if (target !== null && to > target)
        report("a test clock stops at its target", `${to}, beyond ${target}`);
      if (to > from) {
        count("stops of a test clock");
        const day = dateIn(to, timezone);
        if (!isTouched && next.due_on !== null && next.due_on < day)
          report(passes, `from ${from} to ${to}, where ${next.due_on} was due`);
        if (!isTouched && next.due_at !== null && Date.parse(to) - Date.parse(next.due_at) >= 25 * hourMs)
          report(passes, `from ${from} to ${to}, where a retry was due at ${next.due_at}`);
        isTouched = false;
      }
      if (now.clock_target !== null && last.clock_target === null) isTouched = false;
      else if (isByPeople) isTouched = true;
      last = now;
    },
    async checkEnd(): Promise<void> {
      const [now] = await readStand();
      if (now?.clock_target !== null || now.clock_at !== target)
        report("a test clock comes to its target", `${now?.clock_at}, on the way to ${target}`);
    },
  };
}

const passes = "a test clock passes nothing by";
