import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../base/db/columns.ts";
import { commit } from "../base/db/commit.ts";
import type { Db } from "../base/db/port.ts";
import { build, statement } from "../base/db/statement.ts";
import type { Instant } from "../base/lib/dates.ts";
import type { Store } from "./port.ts";
import { nextNumber, ownContracts } from "./tables.ts";

/** Contracts of a store that keeps none: a number is all there is to them. */
export function numberedContracts(
  db: Db,
  accountSeq: AccountSeq,
  now: Instant,
): Pick<Store, "createContract"> {
  return {
    async createContract({ subscription_id: subscriptionId }) {
      const [, found] = await commit({ db }, [
        statement(
          build
            .insert(ownContracts)
            .values({
              contract_id: nextNumber(ownContracts.contract_id, ownContracts, accountSeq),
              account_seq: accountSeq,
              subscription_id: subscriptionId,
              created_at: now,
            })
            .onConflictDoNothing(),
        ),
        statement(
          build
            .select({ contract_id: ownContracts.contract_id })
            .from(ownContracts)
            .where(
              and(eq(ownContracts.account_seq, accountSeq), eq(ownContracts.subscription_id, subscriptionId)),
            ),
        ),
      ]);
      return found?.rows[0]?.contract_id as number;
    },
  };
}
