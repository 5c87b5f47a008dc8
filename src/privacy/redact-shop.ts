import { forgetAccount } from "../accounts/queries.ts";
import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { guard, isGuard } from "../db/decide.ts";
import type { Outcome } from "../job.ts";
import { type AccountTable, accountTables, deleteSome } from "./account-tables.ts";
import { isUninstalled } from "./uninstalled.ts";

/** Rows of a batch, and trips to the database of one message; what is left is for the next. */
const batchSize = 200;
const mostTrips = 300;

/** What goes with the account itself: who it is, and that this is being done. */
const last = ["webhook_deliveries", "shopify_connections", "api_keys"];

/** Deletes a table's rows of the account; false where the message has done enough. */
const empty = async ({ db, account }: Ctx, table: AccountTable): Promise<boolean> => {
  const which = table.name === "webhook_deliveries" ? "done_at IS NOT NULL" : undefined;
  for (;;) {
    if (db.usage.db_round_trips >= mostTrips) return false;
    const [deleted] = await commit({ db }, [deleteSome(table, account.id, batchSize, which)]);
    if ((deleted?.rows.length ?? 0) < batchSize) return true;
  }
};

const deleteOf = (name: string, accountId: string): Statement => ({
  sql: `DELETE FROM ${name} WHERE account_id = ?`,
  params: [accountId],
});

/** The account and its keys, provided nothing else of it has come back meanwhile; false where something has. */
const removeAccount = async ({ db, account }: Ctx, tables: AccountTable[]): Promise<boolean> => {
  const left = tables.filter(({ name }) => !last.includes(name));
  try {
    await commit({ db }, [
      ...left.map(({ name }) => guard(`EXISTS (SELECT 1 FROM "${name}" WHERE account_id = ?)`, [account.id])),
      ...last.map((name) => deleteOf(name, account.id)),
      { sql: "DELETE FROM accounts WHERE id = ?", params: [account.id] },
    ]);
    return true;
  } catch (error) {
    if (isGuard(error)) return false;
    throw error;
  }
};

/**
 * Erases a shop that has uninstalled the app: all that its account has, in every table, then the account and its keys. Only
 * where the store itself says that it has; a message that has done enough leaves the rest to the next.
 */
export const redactShop = async (ctx: Ctx): Promise<Outcome> => {
  const { account, db, log } = ctx;
  if (!(await isUninstalled(ctx))) {
    log("shop_redaction_refused", { alert: true, account_id: account.id });
    return "done";
  }
  const tables = await accountTables(db);
  const emptied = tables.filter(({ name }) => name === "webhook_deliveries" || !last.includes(name));
  for (const table of emptied) if (!(await empty(ctx, table))) return "more";
  if (!(await removeAccount(ctx, tables))) return "more";
  forgetAccount(account.id);
  log("shop_redacted", { alert: true, account_id: account.id });
  return "done";
};
