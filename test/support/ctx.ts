import type { Account } from "../../src/accounts/tables.ts";
import type { Ctx } from "../../src/context.ts";
import type { Db } from "../../src/db/client.ts";
import type { Env } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { sandboxStore } from "../../src/store/sandbox/adapter.ts";

/** What an action is given, on any database; actions see of `env` only what a test puts there. */
export function ctxOn(db: Db, account: Account, more: Partial<Ctx> = {}): Ctx {
  const now = new Date().toISOString();
  return {
    env: {} as Env,
    db,
    account,
    actor: { type: "admin", name: "Ada" },
    now,
    realNow: now,
    newId,
    log: () => {},
    store: sandboxStore(db, account.id, now),
    ...more,
  } as Ctx;
}
