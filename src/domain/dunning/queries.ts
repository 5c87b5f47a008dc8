import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { listReader } from "../../base/db/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, first, inJson, type Params, prepare } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "./tables.ts";

export function findEpisode({ account, db }: Ctx, id: string): Promise<DunningEpisode | undefined> {
  return first(db, byId({ account_seq: account.seq, id }));
}

/** The episodes that these subscriptions are in. */
export function currentEpisodes({ account }: Ctx, subscriptionIds: string[]): Statement<DunningEpisode> {
  return current({ account_seq: account.seq, ids: JSON.stringify(subscriptionIds) });
}

const byId = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select()
    .from(episodes)
    .where(and(eq(episodes.account_seq, p("account_seq")), eq(episodes.id, p("id")))),
);

const current = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select()
    .from(episodes)
    .where(
      and(
        eq(episodes.account_seq, p("account_seq")),
        inArray(
          episodes.id,
          build
            .select({ id: subscriptions.dunning_episode_id })
            .from(subscriptions)
            .where(and(eq(subscriptions.account_seq, p("account_seq")), inJson(subscriptions.id, p("ids")))),
        ),
      ),
    ),
);

export const listEpisodes = listReader({
  table: episodes,
  columns: getTableColumns(episodes),
  scope: (p) => sql`${episodes.account_seq} = ${p("account_seq")}
    AND ${episodes.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: episodes.id,
  sorts: { created_at: episodes.opened_at },
  filters: {},
});
