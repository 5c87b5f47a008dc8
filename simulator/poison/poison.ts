import { readAccount } from "../../src/base/accounts/queries.ts";
import { raw, rows } from "../../src/base/db/statement.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { handleJob } from "../../src/runtime/jobs/handle.ts";
import { createFurtherAccount, type FurtherAccount } from "../accounts/further-account.ts";
import { todayOf } from "../accounts/today.ts";
import type { Task } from "../kernel/task.ts";
import type { Part, World } from "../kernel/world.ts";

/**
 * A row of an account comes to hold what no code of ours has written, as after a fault that was mended since. Whoever works on it fails; the
 * account's other subscriptions are billed as if it were not there.
 */
export async function poison(world: World): Promise<Part> {
  const { choices } = world;
  const further = await createFurtherAccount(world, {
    setUp: "setup of an account with a broken row",
    methods: Array.from({ length: 2 + choices.below(4) }, () => "pm_card_visa"),
  });
  const { account } = further.world;
  const broken = choices.pick(further.sold).id;
  let isBroken = false;
  let isAnyDue = false;

  const breakIt = async (): Promise<void> => {
    isBroken = true;
    const set = choices.pick(breaks);
    world.log(() => `a row is BROKEN: ${set}`);
    world.count("rows that were broken");
    const sql = `UPDATE subscriptions SET ${set} WHERE account_seq = ? AND id = ?`;
    await world.database.batch([raw(sql, account.seq, broken)], "write");
  };
  const run = async (task: Task, work: (ctx: Ctx) => Promise<void>, db: Ctx["db"]): Promise<void> => {
    const found = await readAccount(db, account.id);
    try {
      await work(await further.open({ task, actor: system, account: found!, db }));
    } catch (error) {
      if (!isBroken || !(error instanceof SyntaxError)) throw error;
      world.count("messages that failed for a broken row");
    }
  };

  return {
    acts: [{ name: "break a row", weight: () => (isBroken ? 0 : 6), act: breakIt }],
    account: {
      id: account.id,
      receive: (task, job) => {
        const db = further.dbFor(task, system);
        return { db, run: () => run(task, (ctx) => handleJob(ctx, job), db) };
      },
    },
    async arrive() {
      isAnyDue = (await dueOf(further)).some(({ id }) => id !== broken);
    },
    nextAt: () => (isAnyDue ? world.clock : undefined),
    async check() {
      for (const { id, due_on } of await dueOf(further))
        if (id !== broken) world.report("a row that breaks holds up no other", `${id} is due on ${due_on}`);
    },
  };
}

const system = { type: "system", name: null } as const;

/** A text that is no JSON, and a day that is out of reach. */
const breaks = ["discounts = '['", "next_delivery_date = '9999-12-31', next_billing_date = '9999-12-31'"];

/** The subscriptions that are due by now, though everything was done that cron has found. */
function dueOf({ world }: FurtherAccount): Promise<{ id: string; due_on: string }[]> {
  const sql = "SELECT id, due_on FROM subscriptions WHERE account_seq = ? AND due_on <= ?";
  return rows(world.database, raw(sql, world.account.seq, todayOf(world)));
}
