import { and, asc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
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

/** The place of a row in the index of subscriptions without a contract. */
type Place = { created_at: string; id: string };

const pageSize = 200;
/** Pages that are read at once, as by a sweep; what is left after so many is found once some of these have their contract. */
const pagesMax = 20;

/**
 * Subscriptions of the sandbox store that have had no contract since before an instant, oldest first: their message was
 * lost. Other stores have a sweep of their own (outbox.ts). Reads across accounts, as cron does. It reads page after page, so that
 * those whose contract fails again and again hide none behind them.
 */
export const findUnlinked = (db: Db, before: string, limit: number): Promise<UnlinkedSubscription[]> =>
  readPages(limit, (after) => rows(db, unlinkedBefore({ before, limit, ...after })));

/** An account's subscriptions that have no contract, oldest first. */
export const findUnlinkedOf = async ({ db, account }: Ctx): Promise<string[]> => {
  const found = await readPages(pageSize, (after) =>
    rows(db, unlinkedOfAccount({ account_id: account.id, ...after })),
  );
  return found.map(({ id }) => id);
};

async function readPages<Row extends Place>(
  size: number,
  readPage: (after: Place) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let pages = 1; pages <= pagesMax; pages++) {
    const page = await readPage(found.at(-1) ?? { created_at: "", id: "" });
    found.push(...page);
    if (page.length < size) break;
  }
  return found;
}

const place = { created_at: subscriptions.created_at, id: subscriptions.id };
const unlinkedBefore = prepare((p: Params<Place & { before: string; limit: number }>) =>
  build
    .select({ ...place, account_id: subscriptions.account_id })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.account_id))
    .where(
      and(
        eq(accounts.store, "sandbox"),
        isNull(subscriptions.store_contract_id),
        sql`(${subscriptions.created_at}, ${subscriptions.id}) > (${p("created_at")}, ${p("id")})`,
        or(lt(subscriptions.created_at, p("before")), lte(subscriptions.created_at, accounts.clock_at)),
      ),
    )
    .orderBy(asc(subscriptions.created_at), asc(subscriptions.id))
    .limit(p("limit")),
);

const unlinkedOfAccount = prepare((p: Params<Place & { account_id: string }>) =>
  build
    .select(place)
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_id, p("account_id")),
        isNull(subscriptions.store_contract_id),
        // Unindexed, so that the index by contract leads: few of an account have none.
        sql`(+${subscriptions.created_at}, +${subscriptions.id}) > (${p("created_at")}, ${p("id")})`,
      ),
    )
    .orderBy(asc(subscriptions.created_at), asc(subscriptions.id))
    .limit(pageSize),
);
