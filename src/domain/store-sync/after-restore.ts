import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { shopifyContracts } from "../../stores/shopify/tables.ts";
import { sellingPlanSyncs } from "../selling-plans/tables.ts";
import { contractSyncs } from "../subscriptions/tables.ts";

/**
 * After a restore of an account's object, has its contracts and plans sent to their store again: the store was not restored, and has what
 * was sent last, which need not be what the rows say.
 */
export async function sendAllAgain(db: Db): Promise<void> {
  await commit({ db }, [
    statement(build.update(shopifyContracts).set({ delivery: null })),
    statement(build.update(contractSyncs).set({ next_action_at: longAgo })),
    statement(build.update(sellingPlanSyncs).set({ next_action_at: longAgo })),
  ]);
}

const longAgo = "2000-01-01T00:00:00.000Z";
