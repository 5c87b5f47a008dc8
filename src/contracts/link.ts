import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import { rows } from "../db/statement.ts";
import { changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { linkedSearchText } from "../subscriptions/search.ts";
import { desiredContract } from "./desired-contract.ts";

/**
 * Makes a subscription's contract at the store, which does so once, and links it: in the place of none, or of one that is
 * over. Repeating it changes nothing.
 */
export const linkContract = (ctx: Ctx, id: string, over: number | null = null): Promise<unknown> =>
  changeSubscription(ctx, id, {}, async (view) => {
    const { row } = view;
    if (row.store_contract_id !== over) return undefined;
    const store_contract_id = await ctx.store.createContract(desiredContract(view));
    return {
      entry: { action: "store_contract_linked" },
      columns: { store_contract_id, search_text: linkedSearchText(row.number, store_contract_id) },
    };
  });

export type Found = { account_id: string; id: string };

/**
 * Subscriptions of the sandbox store still without a contract since before an instant, oldest first: their message was
 * lost. Other stores have a sweep of their own (contract-syncs.ts).
 */
export const findUnlinked = (db: Db, before: string, limit: number): Promise<Found[]> =>
  rows<Found>(db, {
    sql: `SELECT s.account_id, s.id FROM subscriptions AS s JOIN accounts AS a ON a.id = s.account_id
      WHERE a.store = 'sandbox' AND s.store_contract_id IS NULL AND (s.created_at < ? OR s.created_at <= a.clock_at)
      ORDER BY s.created_at, s.id LIMIT ?`,
    params: [before, limit],
  });

const pageSize = 200;

/** An account's subscriptions that are still without a contract. */
export const findUnlinkedOf = async ({ db, account }: Ctx): Promise<string[]> => {
  const found = await rows<{ id: string }>(db, {
    sql: `SELECT id FROM subscriptions WHERE account_id = ? AND store_contract_id IS NULL ORDER BY created_at, id LIMIT ?`,
    params: [account.id, pageSize],
  });
  return found.map(({ id }) => id);
};
