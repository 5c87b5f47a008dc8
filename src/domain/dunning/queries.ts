import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { listReader } from "../../base/db/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, first, inJson, type Params, prepare } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "./tables.ts";

export function findEpisode({ account, db }: Ctx, id: string): Promise<DunningEpisode | undefined> {
  return first(db, byId({ account_id: account.id, id }));
}

/** The episodes that these subscriptions are in. */
export function currentEpisodes({ account }: Ctx, subscriptionIds: string[]): Statement<DunningEpisode> {
  return current({ account_id: account.id, ids: JSON.stringify(subscriptionIds) });
}

const byId = prepare((p: Params<{ account_id: string; id: string }>) =>
  build
    .select()
    .from(episodes)
    .where(and(eq(episodes.account_id, p("account_id")), eq(episodes.id, p("id")))),
);

const current = prepare((p: Params<{ account_id: string; ids: string }>) =>
  build
    .select()
    .from(episodes)
    .where(
      and(
        eq(episodes.account_id, p("account_id")),
        inArray(
          episodes.id,
          build
            .select({ id: subscriptions.dunning_episode_id })
            .from(subscriptions)
            .where(and(eq(subscriptions.account_id, p("account_id")), inJson(subscriptions.id, p("ids")))),
        ),
      ),
    ),
);

export const listEpisodes = listReader({
  table: episodes,
  columns: getTableColumns(episodes),
  scope: (p) => sql`${episodes.account_id} = ${p("account_id")}
    AND ${episodes.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: episodes.id,
  sorts: { created_at: episodes.opened_at },
  filters: {},
});
