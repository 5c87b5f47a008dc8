import { getTableColumns, sql } from "drizzle-orm";
import { listReader } from "../../base/db/list/listing.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { first } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "./tables.ts";

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
