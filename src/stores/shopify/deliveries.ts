import { isNull, type SQL } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { build, columnsEqual, first, type Params, prepare, statement } from "../../base/db/statement.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { newId } from "../../base/lib/ids.ts";
import type { DesiredContract } from "../port/contracts.ts";
import { shopifyContracts } from "./tables.ts";

/**
 * Whether Shopify has a contract's delivery address already. Shopify spells addresses in its own way, so they cannot be compared: a note
 * says which address was sent last, and to which contract. Whoever sends one writes a mark of its own once it has begun a draft, and the
 * note after the commit, only where its mark still stands. Shopify refuses the commit of a draft if the contract has changed since the draft was
 * begun, so that of two senders that both commit the second has begun after the first's commit, and has the later mark.
 */
export type SentDelivery = {
  isKnown: (contractId: number) => Promise<boolean>;
  mark: () => Promise<void>;
  /** Notes the address of whoever has left the mark; nothing where none was left. */
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
  let isMarked = false;
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
      isMarked = true;
      await upsert(mark);
    },
    async note(contractId) {
      if (!isMarked) return;
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
    .where(columnsEqual(shopifyContracts, p, "account_seq", "subscription_id")),
);

const noDelivery: SentDelivery = {
  isKnown: async () => true,
  mark: async () => {},
  note: async () => {},
  noteFirst: async () => {},
};
