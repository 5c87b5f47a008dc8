import { and, asc, eq, isNull, lt, lte, or } from "drizzle-orm";
import { accounts } from "../accounts/tables.ts";
import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import { build, type Params, prepare, rows } from "../db/statement.ts";
import { changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { linkedSearchText } from "../subscriptions/search.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { desiredContract } from "./desired-contract.ts";

/**
 * Creates a subscription's contract at the store, which does so once, and links it: where there is none yet, or instead of
 * one that has ended (`replaced`). Repeating it changes nothing.
 */
export const linkContract = (ctx: Ctx, id: string, replaced: number | null = null): Promise<unknown> =>
  changeSubscription(ctx, id, {}, async (view) => {
    const { row } = view;
    if (row.store_contract_id !== replaced) return undefined;
    const store_contract_id = await ctx.store.createContract(desiredContract(view));
    return {
      entry: { action: "store_contract_linked" },
      columns: { store_contract_id, search_text: linkedSearchText(row.number, store_contract_id) },
    };
  });

type UnlinkedSubscription = { account_id: string; id: string };

/**
 * Subscriptions of the sandbox store that have had no contract since before an instant, oldest first: their message was
 * lost. Other stores have a sweep of their own (outbox.ts). Reads across accounts, as cron does.
 */
export const findUnlinked = (db: Db, before: string, limit: number): Promise<UnlinkedSubscription[]> =>
  rows(db, unlinkedBefore({ before, limit }));

const pageSize = 200;

/** An account's oldest subscriptions that have no contract. */
export const findUnlinkedOf = async ({ db, account }: Ctx): Promise<string[]> => {
  const found = await rows(db, unlinkedOfAccount({ account_id: account.id }));
  return found.map(({ id }) => id);
};

const unlinkedBefore = prepare((p: Params<{ before: string; limit: number }>) =>
  build
    .select({ account_id: subscriptions.account_id, id: subscriptions.id })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.account_id))
    .where(
      and(
        eq(accounts.store, "sandbox"),
        isNull(subscriptions.store_contract_id),
        or(lt(subscriptions.created_at, p("before")), lte(subscriptions.created_at, accounts.clock_at)),
      ),
    )
    .orderBy(asc(subscriptions.created_at), asc(subscriptions.id))
    .limit(p("limit")),
);

const unlinkedOfAccount = prepare((p: Params<{ account_id: string }>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.account_id, p("account_id")), isNull(subscriptions.store_contract_id)))
    .orderBy(asc(subscriptions.created_at), asc(subscriptions.id))
    .limit(pageSize),
);
