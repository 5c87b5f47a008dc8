import { getTableColumns, sql } from "drizzle-orm";
import { rangeOf } from "../../base/db/filters.ts";
import { listReader, type RowOfList } from "../../base/db/list/listing.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { first } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { billingAttempts as attempts } from "../billing/tables.ts";
import { profiles } from "../profiles/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { type DunningEpisode, episodeStatuses, dunningEpisodes as episodes } from "./tables.ts";

export function findEpisode({ account, db }: Ctx, id: string): Promise<DunningEpisode | undefined> {
  return first(db, selectById({ account_seq: account.seq, id }));
}

const selectById = selectBy(episodes, "account_seq", "id");

export const listEpisodes = listReader({
  table: episodes,
  columns: getTableColumns(episodes),
  scope: (p) => sql`${episodes.account_seq} = ${p("account_seq")}
    AND ${episodes.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: episodes.id,
  sorts: { created_at: episodes.opened_at },
  filters: {},
});

/**
 * The amount that is owed. Of an episode that is over, the amount that its last payment was to charge: a subscription may cost something else
 * by now.
 */
const amount = sql<number>`CASE WHEN ${episodes.closed_at} IS NULL THEN ${subscriptions.total} ELSE COALESCE((
    SELECT ${attempts.amount} FROM ${attempts} WHERE ${attempts.account_seq} = ${episodes.account_seq}
      AND ${attempts.subscription_id} = ${episodes.subscription_id} AND ${attempts.created_at} <= ${episodes.closed_at}
      AND ${attempts.cycle} = ${episodes.cycle} ORDER BY ${attempts.created_at} DESC LIMIT 1), ${subscriptions.total}) END`;

/** The episodes of an account, with the customers who owe. */
export const listAccountEpisodes = listReader({
  table: episodes,
  columns: {
    ...getTableColumns(episodes),
    subscription_number: subscriptions.number,
    currency_code: subscriptions.currency_code,
    amount,
    customer_first_name: profiles.first_name,
    customer_last_name: profiles.last_name,
  },
  joins: sql`JOIN ${subscriptions} ON ${subscriptions.account_seq} = ${episodes.account_seq}
      AND ${subscriptions.id} = ${episodes.subscription_id}
    JOIN ${profiles} ON ${profiles.account_seq} = ${subscriptions.account_seq} AND ${profiles.id} = ${subscriptions.profile_id}`,
  scope: (p) => sql`${episodes.account_seq} = ${p("account_seq")}`,
  tiebreaker: episodes.id,
  sorts: { created_at: episodes.opened_at },
  filters: {
    next_retry_before: {
      // Only an open episode is tried again: a wait for the customer ends at its due_at.
      ...rangeOf("due_at", "upper", (p) => sql`${episodes.due_at} < ${p("next_retry_before")}`),
      implies: ["OPEN"],
    },
  },
  split: { name: "status", column: episodes.status, values: episodeStatuses, sorts: ["created_at"] },
});
export type AccountEpisode = RowOfList<typeof listAccountEpisodes>;
