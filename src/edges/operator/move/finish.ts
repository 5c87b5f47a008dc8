import { and, isNotNull, sql } from "drizzle-orm";
import { movingOf } from "../../../base/accounts/moving.ts";
import { readEntry } from "../../../base/accounts/queries.ts";
import { type Account, accounts } from "../../../base/accounts/tables.ts";
import type { Db } from "../../../base/db/port.ts";
import { build, type Params, prepare, read } from "../../../base/db/statement.ts";
import type { Log } from "../../../base/lib/log.ts";
import { continueDeletion } from "../deletion.ts";
import { giveUp } from "./continue-move.ts";
import { finishLeaving } from "./finish-leaving.ts";
import { abandonedMs, type Ports } from "./state.ts";

/**
 * Ends what was begun, for cron: it takes moves back that nobody goes on with, deletes the copies that moves have left behind, and goes on
 * with deletions.
 *
 * It works on one account after the other. An invocation may run a thousand statements, and one deletion takes half of them: so the
 * first accounts get all they need, and the next tick goes on with the rest, where side by side all would be cut off half-way.
 */
export async function finishMoves({ directory, portsOf, now, log }: Finishing): Promise<void> {
  const found = await read(
    directory,
    turns.map(({ step, afterMs }) =>
      selectOnStep({ step, until: new Date(now.getTime() - afterMs).toISOString() }),
    ),
  );
  for (const [nth, { finish }] of turns.entries())
    for (const account of found[nth] ?? [])
      await finish(portsOf(account), account).catch((error) =>
        log("move_not_finished", { alert: true, account_id: account.id, cause: String(error) }),
      );
}

/** The surroundings of a tick: the database that knows where each account is, and those of both engines for an account. */
type Finishing = { directory: Db; portsOf: (account: Account) => Ports; now: Date; log: Log };

/** The accounts that have been on a step for so long, and what is done for them. */
type Turn = { step: string; afterMs: number; finish: (ports: Ports, account: Account) => Promise<unknown> };

/**
 * Closed accounts first, as they cannot be written and charged. Each step has a share of the tick of its own, so that none waits
 * for another. An import is no step of these: it goes on when it is called again, and waits for that as long as it takes.
 */
const turns: Turn[] = [
  { step: "copying", afterMs: abandonedMs, finish: takeBack },
  { step: "leaving", afterMs: 0, finish: finishLeaving },
  { step: "draining", afterMs: abandonedMs, finish: takeBack },
  /** Somebody who is deleting the account counts what is deleted, and is given the time. */
  { step: "deleting", afterMs: abandonedMs, finish: (ports, { id }) => continueDeletion(ports, id) },
];

async function takeBack(ports: Ports, account: Account): Promise<void> {
  await giveUp(ports, account);
  const latest = await readEntry(ports.d1, { id: account.id });
  if (movingOf(latest ?? { moving: null })?.step === "leaving") await finishLeaving(ports, latest!);
}

/** The most accounts of one turn that one tick works on. */
const perTick = 10;

/** In random order: accounts that cannot be finished, however many, keep no other from its turn for long. */
const selectOnStep = prepare((p: Params<{ step: string; until: string }>) =>
  build
    .select()
    .from(accounts)
    .where(
      and(
        isNotNull(accounts.moving),
        sql`${accounts.moving} ->> '$.step' = ${p("step")}`,
        sql`${accounts.moving} ->> '$.since' <= ${p("until")}`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(perTick),
);
