import type { Ctx } from "../../context.ts";
import type { Db } from "../../db/client.ts";
import { rows } from "../../db/statement.ts";
import { linkedSearchText } from "../search.ts";
import { perform } from "./perform.ts";

/** Makes a subscription's contract at the store, which does so once, and links it. Repeating it changes nothing. */
export const linkContract = (ctx: Ctx, id: string): Promise<unknown> =>
  perform(ctx, id, false, async ({ row }) => {
    if (row.store_contract_id !== null) return undefined;
    const store_contract_id = await ctx.store.createContract(row.id);
    return {
      action: "store_contract_linked",
      after: { store_contract_id, search_text: linkedSearchText(row.number, store_contract_id) },
    };
  });

export type Found = { account_id: string; id: string };

/** Subscriptions still without a contract since before an instant, oldest first: their message was lost. */
export const findUnlinked = (db: Db, before: string, limit: number): Promise<Found[]> =>
  rows<Found>(db, {
    sql: `SELECT account_id, id FROM subscriptions WHERE store_contract_id IS NULL AND created_at < ?
      ORDER BY created_at, id LIMIT ?`,
    params: [before, limit],
  });
