import { eq } from "drizzle-orm";
import { forgetAccount } from "../../base/accounts/queries.ts";
import { accounts } from "../../base/accounts/tables.ts";
import { commit } from "../../base/db/commit.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";

/** Notes which permissions the store does not give the app now, and tells people of each that it has taken away. */
export async function refreshScopes(ctx: Ctx): Promise<JobOutcome> {
  const missing = await ctx.store.findMissingScopes?.();
  if (!missing) return "done";
  const { id, store_missing_scopes: noted } = ctx.account;
  const store_missing_scopes = JSON.stringify(missing);
  if (store_missing_scopes === noted) return "done";
  const known: string[] = JSON.parse(noted ?? "[]");
  const scopes = missing.filter((scope) => !known.includes(scope));
  if (scopes.length > 0) ctx.log("store_scopes_missing", { alert: true, account_id: id, scopes });
  await commit({ db: ctx.db }, [
    statement(build.update(accounts).set({ store_missing_scopes }).where(eq(accounts.id, id))),
  ]);
  forgetAccount(id);
  return "done";
}
