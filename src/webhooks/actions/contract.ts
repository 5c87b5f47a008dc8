import type { Ctx } from "../../context.ts";
import { rows } from "../../db/statement.ts";
import { numberIn } from "../../store/shopify/ids.ts";
import type { Outcome } from "../outcome.ts";

/** Brings a contract's subscription in line with it. A contract that no subscription has, its customer's checkout has made. */
export const refreshContract = async (ctx: Ctx, gid: string): Promise<Outcome> => {
  const its = await rows<{ id: string }>(ctx.db, {
    sql: "SELECT id FROM subscriptions WHERE account_id = ? AND store_contract_id = ?",
    params: [ctx.account.id, numberIn(gid)],
  });
  await ctx.send(
    its.map(({ id }) => ({ type: "sync_contract", account_id: ctx.account.id, subscription_id: id })),
  );
  return "done";
};
