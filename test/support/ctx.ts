import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db } from "../../src/base/db/port.ts";
import type { Env } from "../../src/base/env.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { network } from "../../src/base/network.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { sandboxStore } from "../../src/stores/sandbox/adapter.ts";

/** The context of an action, on any database; actions see of `env` only what a test puts there. */
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
    store: sandboxStore(db, account.seq, now),
    network,
    ...more,
  } as Ctx;
}
