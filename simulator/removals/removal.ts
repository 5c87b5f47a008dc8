import { lookupTtlMs, readAccount } from "../../src/base/accounts/queries.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db } from "../../src/base/db/port.ts";
import { DomainError } from "../../src/base/errors.ts";
import { shipNow } from "../../src/domain/billing/actions/ship-now.ts";
import { pauseSubscription } from "../../src/domain/subscriptions/actions/pause.ts";
import { resumeSubscription } from "../../src/domain/subscriptions/actions/restart.ts";
import { skipSubscription } from "../../src/domain/subscriptions/actions/skip.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { handleJob } from "../../src/runtime/jobs/handle.ts";
import { createFurtherAccount } from "../accounts/further-account.ts";
import { runToEnd, start } from "../kernel/invocations.ts";
import type { Task } from "../kernel/task.ts";
import type { Part, World } from "../kernel/world.ts";
import { newOperator } from "./operator.ts";
import { newRemovalWatch } from "./watch.ts";

/**
 * A further account is deleted, and mostly imported again, while people and messages write to it by isolates that know nothing of that for
 * half a minute.
 */
export async function removal(world: World): Promise<Part> {
  const { choices } = world;
  const further = await createFurtherAccount(world, {
    setUp: "setup of an account to delete",
    methods: ["pm_card_visa", "pm_card_declined"],
  });
  const { account } = further.world;
  const watch = newRemovalWatch(further.world, account);
  const operator = newOperator(further.world, account.id, watch);
  /** The account as two isolates know it, and since when: requests come to any. */
  const isolates: { account: Account; at: number }[] = [];
  let commands = 4 + choices.below(10);

  const lookUp = async (db: Db): Promise<Account | undefined> => {
    const found = await readAccount(db, account.id);
    if (found) watch.checkServed(found);
    return found;
  };
  const enter = async (db: Db): Promise<Account> => {
    const nth = choices.below(2);
    const known = isolates[nth];
    if (known && world.clock - known.at < lookupTtlMs) return known.account;
    const found = await lookUp(db);
    if (!found) throw new DomainError("NOT_FOUND", "The account is gone");
    isolates[nth] = { account: found, at: world.clock };
    return found;
  };
  const ask = (): Promise<void> => {
    const [name, work] = choices.pick(kinds);
    const { id } = choices.pick(further.sold);
    const actor = { type: "admin", name: "Ada" } as const;
    const request = async (task: Task): Promise<unknown> => {
      const db = further.dbFor(task, actor);
      return work(await further.open({ task, actor, db, account: await enter(db) }), id);
    };
    return start(world, `${name} in an account to delete`, request, () => {});
  };

  return {
    account: {
      id: account.id,
      receive: (task, job) => {
        const actor = { type: "system", name: null } as const;
        const db = further.dbFor(task, actor);
        const run = async (): Promise<void> => {
          const found = await lookUp(db);
          if (found) await handleJob(await further.open({ task, actor, db, account: found }), job);
        };
        return { db, run };
      },
    },
    acts: [
      {
        name: "a removal",
        weight: (_, isBusy) => (commands > 0 || operator.canGoOn() ? (isBusy ? 10 : 20) : 0),
        act() {
          if (operator.canGoOn() && (commands === 0 || choices.chance(350))) return operator.goOn();
          if (commands > 0) commands--;
          return ask();
        },
      },
    ],

    watch: (_, task) => watch.afterCommit(task),
    async arrive() {
      if (!operator.canGoOn()) return;
      await operator.goOn();
      await runToEnd(world);
    },
    nextAt: () => (operator.isDone() ? undefined : Math.max(operator.notBefore(), world.clock)),
    check: () => operator.checkEnd(),
  };
}

const kinds: readonly [string, (ctx: Ctx, id: string) => Promise<unknown>][] = [
  ["ship now", (ctx, id) => shipNow(ctx, { id, request: {} })],
  ["pause", (ctx, id) => pauseSubscription(ctx, { id, request: {} })],
  ["resume", (ctx, id) => resumeSubscription(ctx, { id, request: {} })],
  ["skip", (ctx, id) => skipSubscription(ctx, { id, request: { skip_weeks: 1 } })],
];
