import { eq, type Placeholder, type SQL } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, first, type Params, prepare } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { foundByAny } from "../subscriptions/list/found-by-any.ts";
import { subscriptions } from "../subscriptions/tables.ts";

type OfContract = { account_seq: AccountSeq; store_contract_id: number };

/** The subscription that a contract is linked to, or was in the life before: it is nobody else's. */
export function findOwnerOfContract(ctx: Ctx, id: number): Promise<{ id: string } | undefined> {
  return first(ctx.db, selectOwner({ account_seq: ctx.account.seq, store_contract_id: id }));
}

const selectOwner = prepare((p: Params<OfContract>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(ownsContract({ account_seq: p("account_seq"), store_contract_id: p("store_contract_id") })),
);

/** Whether a subscription is the owner of a contract. */
export function ownsContract({ account_seq, store_contract_id }: Given<OfContract>): SQL {
  return foundByAny(account_seq, [
    eq(subscriptions.store_contract_id, store_contract_id),
    eq(subscriptions.former_contract_id, store_contract_id),
  ]);
}

type Given<Values> = { [Name in keyof Values]: Values[Name] | Placeholder };
