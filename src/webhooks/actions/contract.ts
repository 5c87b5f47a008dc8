import type { Ctx } from "../../context.ts";
import { numberIn } from "../../store/shopify/ids.ts";
import { noticeContract } from "../../subscriptions/contract-syncs.ts";
import type { Outcome } from "../outcome.ts";

/** Has a contract's subscription brought together with it. One that no subscription has, a checkout has made: it stays there. */
export const refreshContract = async (ctx: Ctx, gid: string): Promise<Outcome> => {
  const subscription_id = await noticeContract(ctx, numberIn(gid));
  if (subscription_id !== undefined)
    await ctx.send([{ type: "sync_contract", account_id: ctx.account.id, subscription_id }]);
  return "done";
};
