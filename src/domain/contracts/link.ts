import { and, asc, eq, gt, gte, lte, or, sql } from "drizzle-orm";
import { isOpen } from "../../base/accounts/closed.ts";
import { accounts } from "../../base/accounts/tables.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, inJson, type Params, prepare, rows } from "../../base/db/statement.ts";
import type { Engine } from "../../base/env.ts";
import { syncContractJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Sweep } from "../../kit/outbox/sweep.ts";
import { storesWithoutContracts } from "../../stores/platforms.ts";
import { changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { isHeld } from "../subscriptions/lifecycle.ts";
import { linkedSearchText } from "../subscriptions/list/search.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { isUnlinked, unlinkedAfterMs } from "../subscriptions/unlinked.ts";
import { desiredContract } from "./desired-contract.ts";

/**
 * Creates a subscription's contract at the store, which does so once for each life, and links it: where there is none yet, or instead
 * of one that the store has ended (`replaced`). Repeating it changes nothing. One that somebody has ended before it was linked, as where a restore
 * has undone the link, is linked too, and then ends the subscription.
 */
export function linkContract(ctx: Ctx, id: string, replaced: number | null = null): Promise<unknown> {
  return changeSubscription(ctx, id, {}, async (view) => {
    const { row } = view;
    if (row.store_contract_id !== replaced || isHeld(row)) return undefined;
    const store_contract_id = await ctx.store.createContract(desiredContract(view), replaced);
    return {
      entry: { action: "store_contract_linked" },
      columns: { store_contract_id, search_text: linkedSearchText(row.number, store_contract_id) },
    };
  });
}

/** The place of a row among those of an account without a contract, account after account. */
type Place = { account_seq: AccountSeq; seq: number };

const pageSize = 200;

/**
 * Subscriptions of stores that keep no contracts, which were made over a minute ago and have none, those of each account oldest first: their
 * message was lost. Other stores have a sweep of their own (outbox.ts). A page begins behind the last, so that those whose contract fails
 * again and again hide none behind them.
 */
export const unlinkedSweep: Sweep<Unlinked> = {
  pageOf: ({ realNow, engine, last = beforeAll }) =>
    selectUnlinkedUntil({
      stores: JSON.stringify(storesWithoutContracts()),
      ...{ engine, until: later(realNow, -unlinkedAfterMs), ...last },
    }),
  jobOf: ({ account_id, id }) => syncContractJob(account_id, id),
  moreFrom: pageSize,
};

type Unlinked = Place & { account_id: string; id: string };

const beforeAll: Place = { account_seq: 0 as AccountSeq, seq: 0 };

/** An account's subscriptions that have no contract, oldest first. */
export async function findUnlinkedOfAccount({ db, account }: Ctx): Promise<string[]> {
  const found: (Place & { id: string })[] = [];
  for (let pages = 1; pages <= pagesMax; pages++) {
    const { seq } = found.at(-1) ?? beforeAll;
    const page = await rows(db, selectUnlinkedOfAccount({ account_seq: account.seq, seq }));
    found.push(...page);
    if (page.length < pageSize) break;
  }
  return found.map(({ id }) => id);
}

/** Pages that are read at once, as by a sweep; what is left after so many is found once some of these have their contract. */
const pagesMax = 20;

const position = { account_seq: subscriptions.account_seq, id: subscriptions.id, seq: subscriptions.seq };

const selectUnlinkedUntil = prepare((p: Params<Place & { stores: string; engine: Engine; until: Instant }>) =>
  build
    .select({ ...position, account_id: sql<string>`${accounts.id}`.as("account_id") })
    .from(accounts)
    .crossJoin(subscriptions)
    .where(
      and(
        eq(accounts.engine, p("engine")),
        inJson(accounts.store, p("stores")),
        sql.raw(isOpen),
        gte(accounts.seq, p("account_seq")),
        eq(subscriptions.account_seq, accounts.seq),
        sql.raw(isUnlinked),
        or(gt(accounts.seq, p("account_seq")), gt(subscriptions.seq, p("seq"))),
        or(lte(subscriptions.created_at, p("until")), lte(subscriptions.created_at, accounts.clock_at)),
      ),
    )
    .orderBy(asc(accounts.seq), asc(subscriptions.seq))
    .limit(pageSize),
);

const selectUnlinkedOfAccount = prepare((p: Params<Place>) =>
  build
    .select(position)
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_seq, p("account_seq")),
        sql.raw(isUnlinked),
        gt(subscriptions.seq, p("seq")),
      ),
    )
    .orderBy(asc(subscriptions.seq))
    .limit(pageSize),
);
