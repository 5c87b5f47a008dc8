import { and, eq, inArray } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, inJson, type Params, prepare } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "../dunning/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";

/** The episodes that these subscriptions are in. */
export function selectCurrentEpisodes(
  { account }: Ctx,
  subscriptionIds: string[],
): Statement<DunningEpisode> {
  return selectCurrent({ account_seq: account.seq, ids: JSON.stringify(subscriptionIds) });
}

const selectCurrent = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
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
