import { eq } from "drizzle-orm";
import { forgetAccount } from "../../base/accounts/queries.ts";
import { accounts } from "../../base/accounts/tables.ts";
import { seqOfId } from "../../base/db/account-seq.ts";
import { openDirectory } from "../../base/db/client.ts";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { connectionTables } from "../../stores/platforms.ts";
import { type AccountTable, accountTables, deleteAll, deleteSome } from "./account-tables.ts";
import { erasedAccounts } from "./tables.ts";
import { isUninstalled } from "./uninstalled.ts";

/**
 * Erases a shop that has uninstalled the app: every row of its account in every table, then the account and its keys, provided
 * that the store confirms the uninstallation. One message does a limited amount of work and leaves the rest to the next. The directory
 * forgets an account with an object before its object does: whoever goes on after a crash is the object itself (engine/).
 */
export async function redactShop(ctx: Ctx): Promise<JobOutcome> {
  const { account, db, log } = ctx;
  if (!(await isUninstalled(ctx))) {
    log("shop_redaction_refused", { alert: true, account_id: account.id });
    return "done";
  }
  const tables = await accountTables(db);
  const emptied = tables.filter(({ name }) => name === "webhook_deliveries" || !lastTables.includes(name));
  for (const table of emptied) if (!(await empty(ctx, table))) return "more";
  if (account.engine === "object") await removeFromDirectory(ctx);
  if (!(await removeAccount(ctx, tables))) return "more";
  forgetAccount(account.id);
  log("shop_redacted", { alert: true, account_id: account.id });
  return "done";
}

/** Deleted together with the account: its credentials, and the delivery that is being worked on. */
const lastTables = ["webhook_deliveries", ...connectionTables, "api_keys"];

const batchSize = 200;
/** Well within what the platform allows an invocation. */
const maxStatements = 300;

/** Deletes a table's rows of the account; false once the message has done its share. */
async function empty({ db, account }: Ctx, table: AccountTable): Promise<boolean> {
  const which = table.name === "webhook_deliveries" ? "done_at IS NOT NULL" : undefined;
  for (;;) {
    if (db.usage.db_statements >= maxStatements) return false;
    const [deleted] = await commit({ db }, [deleteSome(table, account.id, batchSize, which)]);
    if ((deleted?.rows.length ?? 0) < batchSize) return true;
  }
}

/** Deletes what the directory has of an account with an object: its keys, their history, and its entry. */
async function removeFromDirectory({ env, account }: Ctx): Promise<void> {
  const directory = openDirectory(env);
  const tables = await accountTables(directory);
  await commit({ db: directory }, [
    ...tables.map(({ name }) => deleteAll(name, account.id)),
    statement(build.delete(accounts).where(eq(accounts.id, account.id))),
  ]);
}

/** Deletes the account and its keys; false where rows were added to another table in the meantime. */
async function removeAccount({ db, account, realNow }: Ctx, tables: AccountTable[]): Promise<boolean> {
  const erased = { id: account.id, erased_at: realNow };
  const others = tables.filter(({ name }) => !lastTables.includes(name));
  try {
    await commit({ db }, [
      ...others.map(({ name }) =>
        guard(`EXISTS (SELECT 1 FROM "${name}" WHERE account_seq = ${seqOfId})`, [account.id]),
      ),
      ...lastTables.map((name) => deleteAll(name, account.id)),
      statement(build.delete(accounts).where(eq(accounts.id, account.id))),
      ...(account.engine === "object" ? [insertRow(erasedAccounts, erased)] : []),
    ]);
    return true;
  } catch (error) {
    if (isGuard(error)) return false;
    throw error;
  }
}
