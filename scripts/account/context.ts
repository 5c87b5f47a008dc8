import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db } from "../../src/base/db/port.ts";
import type { Env } from "../../src/base/env.ts";
import type { Log } from "../../src/base/lib/log.ts";
import { findKeyFault } from "../../src/base/lib/secrets/sealed.ts";
import { type Ctx, openCtx } from "../../src/kit/context.ts";
import { localVar } from "../dev-vars.ts";
import { UsageError } from "./options.ts";

/** The system, on behalf of an account. The Worker's sweep finds the jobs that it would send. */
export async function ctxFor(
  db: Db,
  account: Account,
  env: Partial<Env> = {},
  log: Log = () => {},
): Promise<Ctx> {
  const actor = { type: "system", name: null } as const;
  const ctx = await openCtx({ env: env as Env, db, account, actor, log, realNow: new Date() });
  return { ...ctx, send: async () => {} };
}

/** The system, on behalf of an account whose store is to be asked. */
export function ctxAtStore(db: Db, account: Account): Promise<Ctx> {
  return ctxFor(db, account, account.store === "sandbox" ? {} : storeEnv());
}

/** The secrets with which a store is reached. The app's id and secret refresh the tokens of stores that have installed it. */
export function storeEnv(): Env {
  const { STORE_CLIENT_ID, STORE_CLIENT_SECRET } = process.env;
  const app = STORE_CLIENT_ID && STORE_CLIENT_SECRET ? { STORE_CLIENT_ID } : {};
  const secrets = app.STORE_CLIENT_ID ? (STORE_CLIENT_SECRET ?? "").split(",") : [];
  return { STORE_CREDENTIALS_KEY: credentialsKey(), STORE_CLIENT_SECRET: secrets, ...app } as Env;
}

/** The key that the Worker has as a secret; locally it is in .dev.vars. */
export function credentialsKey(): string {
  const key = process.env.STORE_CREDENTIALS_KEY ?? localVar("STORE_CREDENTIALS_KEY");
  if (!key)
    throw new UsageError("STORE_CREDENTIALS_KEY must be set in the environment, to the Worker's secret");
  const fault = findKeyFault(key);
  if (fault !== undefined) throw new UsageError(`STORE_CREDENTIALS_KEY: ${fault}`);
  return key;
}
