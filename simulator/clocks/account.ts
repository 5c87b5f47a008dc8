import { readAccount } from "../../src/base/accounts/queries.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { createFurtherAccount, type Sold } from "../accounts/further-account.ts";
import type { Task } from "../kernel/task.ts";
import { instantOf, type Received, type World } from "../kernel/world.ts";

/** A further account with a test clock. */
export type ClockAccount = {
  /** The world as it sees it: its commits must change no other account. */
  world: World;
  open: (task: Task, actor: Ctx["actor"]) => Promise<Ctx>;
  /** Works on one of its messages. */
  receive: (task: Task, work: (ctx: Ctx) => Promise<void>) => Received;
  /** Nobody changes it: it is billed every other day. */
  regular: Sold;
  /** Its card is declined. */
  declined: Sold;
  /** People change it. */
  changed: Sold;
};

export const retryDays = [1, 3, 7];

export async function createClockAccount(
  from: World,
  afterWrite: (actor: Ctx["actor"]) => Promise<void>,
): Promise<ClockAccount> {
  const further = await createFurtherAccount(from, {
    setUp: "setup of a test clock",
    settings: { dunning_retry_days: JSON.stringify(retryDays), clock_at: instantOf(from) },
    methods: ["pm_card_visa", "pm_card_declined", "pm_card_visa"],
    afterWrite,
  });
  const { id } = further.world.account;
  const open = async (task: Task, actor: Ctx["actor"], db = further.dbFor(task, actor)): Promise<Ctx> => {
    const account = await readAccount(db, id);
    if (!account) throw new Error(`No account ${id}`);
    return further.open({ task, actor, account, db });
  };
  const [regular, declined, changed] = further.sold as [Sold, Sold, Sold];
  const receive: ClockAccount["receive"] = (task, work) => {
    const db = further.dbFor(task, system);
    return { db, run: async () => work(await open(task, system, db)) };
  };
  return { world: further.world, open, receive, regular, declined, changed };
}

const system = { type: "system", name: null } as const;
