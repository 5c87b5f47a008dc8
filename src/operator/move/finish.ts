import { and, asc, isNotNull, sql } from "drizzle-orm";
import { type Closing, closingOf } from "../../accounts/closed.ts";
import { type Account, accounts } from "../../accounts/tables.ts";
import type { Db } from "../../db/client.ts";
import { build, prepare, rows } from "../../db/statement.ts";
import type { Env } from "../../env.ts";
import type { Log } from "../../lib/log.ts";
import { deleteOn } from "../deletion.ts";
import { leave } from "./leave.ts";
import { giveBack, type Ports, release } from "./move.ts";
import { portsOf } from "./ports.ts";
import { fencedMs, movingOf, waitMs } from "./state.ts";

const perTick = 10;

/**
 * What cron does for accounts on their way: it deletes the copies that moves have left behind, opens an account again that stands
 * behind its fence for too long, as its operator is gone, and goes on with deletions. Calling `move` again goes on.
 */
export async function finishMoves(env: Env, directory: Db, now: Date, log: Log): Promise<void> {
  for (const account of await rows(directory, onTheirWay({})))
    await finish(env, account, now).catch((error) =>
      log("move_not_finished", { alert: true, account_id: account.id, cause: String(error) }),
    );
}

async function finish(env: Env, account: Account, now: Date): Promise<void> {
  const ports = portsOf(env, account, now);
  const closing = closingOf(account);
  if (closing) return closing.step === "deleting" ? deleteFurther(ports, closing, account) : undefined;
  const moving = movingOf(account);
  if (moving?.step === "leaving") await leave(ports, account);
  else if (moving?.step === "copying") await release(ports, account);
  else if (moving && waitMs(moving.since, ports.now, fencedMs) === 0) await giveBack(ports, account);
}

/** Somebody who is deleting the account counts what is deleted, and is given the time. */
async function deleteFurther(ports: Ports, { since }: Closing, { id }: Account): Promise<void> {
  if (waitMs(since, ports.now, fencedMs) === 0) await deleteOn(ports, id);
}

/** An import goes on when it is called again, and waits for that as long as it takes. */
const onTheirWay = prepare(() =>
  build
    .select()
    .from(accounts)
    .where(and(isNotNull(accounts.moving), sql`${accounts.moving} ->> '$.step' <> 'importing'`))
    .orderBy(asc(accounts.id))
    .limit(perTick),
);
