import type { Account } from "../../src/base/accounts/tables.ts";
import { emptyUsage } from "../../src/base/db/usage.ts";
import type { Engine } from "../../src/base/env.ts";
import type { Progress } from "../../src/edges/operator/move/state.ts";
import type { Database } from "../kernel/database.ts";
import { perAccount } from "../kernel/per-account.ts";

export type ErasableDatabase = Database & { erase: () => void };

/** Both engines, where the account moves between them. */
export const homesOf = perAccount((): Homes | undefined => undefined);

/** The two databases of an account that moves between the engines, and where it is. */
export type Homes = {
  /** The deployment's database, which is the directory too. */
  d1: Database;
  object: ErasableDatabase;
  /** That of the engine at which the directory has the account. */
  current: Database;
  engine: () => Engine;
  /** Called in the turn in which the account has come to the other engine. */
  onSwitch: (to: Engine) => Promise<void>;
  /** Since when it is where it is. */
  switchedAt: number;
  /** The account as two isolates know it, and since when: requests come to any. */
  isolates: { account: Account; at: number }[];
  /** The way that an operator is on. */
  way: Way | undefined;
};

export type Way = { to: Engine; cursor: Progress["cursor"]; notBefore: number };

export function openHomes(first: Database, object: ErasableDatabase): Homes {
  let engine: Engine = "d1";
  const d1: Database = Object.create(first, {
    batch: {
      value: async (...[statements, mode]: Parameters<Database["batch"]>) => {
        const results = await first.batch(statements, mode);
        if (mode === "write") await follow();
        return results;
      },
    },
  });
  const homes: Homes = {
    d1,
    object,
    current: {
      get engine() {
        return engine;
      },
      usage: emptyUsage(),
      batch: (statements, mode) => (engine === "d1" ? d1 : object).batch(statements, mode),
      changes: () => (first.changes?.() ?? 0) + (object.changes?.() ?? 0),
      hasChanged: () => [first, object].map(({ hasChanged }) => hasChanged?.()).includes(true),
    },
    engine: () => engine,
    onSwitch: async () => {},
    switchedAt: Number.NEGATIVE_INFINITY,
    isolates: [],
    way: undefined,
  };
  const follow = async (): Promise<void> => {
    const [found] = await first.batch([{ sql: "SELECT engine FROM accounts LIMIT 1", params: [] }], "read");
    const now = (found?.rows[0]?.engine ?? "d1") as Engine;
    if (now === engine) return;
    await homes.onSwitch(now);
    engine = now;
  };
  return homes;
}
