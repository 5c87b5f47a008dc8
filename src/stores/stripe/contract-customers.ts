import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Db } from "../../base/db/port.ts";
import { build, columnsEqual, first, type Params, prepare } from "../../base/db/statement.ts";
import { profiles } from "../../domain/profiles/tables.ts";
import { subscriptions } from "../../domain/subscriptions/tables.ts";
import { ownContracts } from "../tables.ts";

/** The customer at Stripe whose contract it is; null if their profile is linked to none. */
export async function findCustomerOfContract(
  db: Db,
  accountSeq: AccountSeq,
  contractId: number,
): Promise<string | null> {
  const found = await first(db, selectOfContract({ account_seq: accountSeq, contract_id: contractId }));
  return found?.store_customer_id ?? null;
}

const selectOfContract = prepare((p: Params<{ account_seq: AccountSeq; contract_id: number }>) =>
  build
    .select({ store_customer_id: profiles.store_customer_id })
    .from(ownContracts)
    .innerJoin(
      subscriptions,
      and(
        eq(subscriptions.account_seq, ownContracts.account_seq),
        eq(subscriptions.id, ownContracts.subscription_id),
      ),
    )
    .innerJoin(
      profiles,
      and(eq(profiles.account_seq, subscriptions.account_seq), eq(profiles.id, subscriptions.profile_id)),
    )
    .where(columnsEqual(ownContracts, p, "account_seq", "contract_id")),
);
