import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { listReader } from "../db/listing.ts";
import { build, first, type Params, prepare } from "../db/statement.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "./tables.ts";

const byId = prepare((p: Params<{ account_id: string; id: string }>) =>
  build
    .select()
    .from(episodes)
    .where(and(eq(episodes.account_id, p("account_id")), eq(episodes.id, p("id")))),
);

export const findEpisode = (ctx: Ctx, id: string): Promise<DunningEpisode | undefined> =>
  first(ctx.db, byId({ account_id: ctx.account.id, id }));

export const listEpisodes = listReader({
  table: episodes,
  columns: getTableColumns(episodes),
  scope: (p) => sql`${episodes.account_id} = ${p("account_id")}
    AND ${episodes.subscription_id} = ${p("subscription_id")}`,
  id: episodes.id,
  sorts: { created_at: episodes.opened_at },
  filters: {},
});
