import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { build, first, type Params, prepare, statement } from "../../base/db/statement.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { newId } from "../../base/lib/ids.ts";
import type { DesiredContract } from "../port/contracts.ts";
import { shopifyContracts } from "./tables.ts";

/**
 * Whether Shopify has a contract's delivery address already, by what it was sent last: it spells addresses in its own way, so they
 * cannot be compared. Whoever sends one leaves a mark before, and notes the address after that only where the mark still stands: between
 * the two somebody else may have sent another. The mark is left once Shopify counts what changes the contract meanwhile as a conflict, so
 * that whatever is sent after another's address was sent has also been marked after it.
 */
export type SentDelivery = {
  isKnown: (contractId: number) => Promise<boolean>;
  mark: () => Promise<void>;
  note: (contractId: number) => Promise<void>;
  /** Notes the address that a contract was sold with, if nobody has begun to send one. */
  noteFirst: (contractId: number) => Promise<void>;
};

type Desired = Pick<DesiredContract, "subscription_id" | "address">;

export function sentDelivery(
  db: Db,
  account_seq: AccountSeq,
  { subscription_id, address }: Desired,
): SentDelivery {
  if (address === null) return noDelivery;
  const key = { account_seq, subscription_id };
  const mark = newId();
  const noteOf = (contractId: number) => sha256Hex(JSON.stringify([contractId, address]));
  const upsert = (delivery: string, setWhere?: SQL) =>
    commit({ db }, [
      statement(
        build
          .insert(shopifyContracts)
          .values({ ...key, lease_until: "", delivery })
          .onConflictDoUpdate({
            target: [shopifyContracts.account_seq, shopifyContracts.subscription_id],
            set: { delivery },
            ...(setWhere ? { setWhere } : {}),
          }),
      ),
    ]);
  return {
    async isKnown(contractId) {
      const sent = await first(db, selectSent(key));
      return sent?.delivery === (await noteOf(contractId));
    },
    async mark() {
      await upsert(mark);
    },
    async note(contractId) {
      const delivery = await noteOf(contractId);
      await commit({ db }, [updateRow(shopifyContracts, { ...key, delivery: mark }, { delivery })]);
    },
    async noteFirst(contractId) {
      await upsert(await noteOf(contractId), isNull(shopifyContracts.delivery));
    },
  };
}

const selectSent = prepare((p: Params<{ account_seq: AccountSeq; subscription_id: string }>) =>
  build
    .select({ delivery: shopifyContracts.delivery })
    .from(shopifyContracts)
    .where(
      and(
        eq(shopifyContracts.account_seq, p("account_seq")),
        eq(shopifyContracts.subscription_id, p("subscription_id")),
      ),
    ),
);

const noDelivery: SentDelivery = {
  isKnown: async () => true,
  mark: async () => {},
  note: async () => {},
  noteFirst: async () => {},
};
