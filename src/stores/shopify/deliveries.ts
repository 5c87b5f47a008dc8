import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, first, statement } from "../../base/db/statement.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import type { DesiredContract } from "../port/contracts.ts";
import { shopifyContracts } from "./tables.ts";

/**
 * Whether Shopify has a contract's delivery address already, by what it was sent last: it spells addresses in its own way, so
 * they cannot be compared. Before a new one is sent the last one is forgotten, as nobody knows which of the two Shopify has if it
 * does not answer.
 */
export type SentDelivery = {
  isKnown: boolean;
  forget: () => Promise<void>;
  remember: () => Promise<void>;
};

export async function fetchDeliveryState(
  db: Db,
  account_seq: AccountSeq,
  { subscription_id, address }: Pick<DesiredContract, "subscription_id" | "address">,
): Promise<SentDelivery> {
  if (address === null) return noDelivery;
  const hash = await sha256Hex(JSON.stringify(address));
  const query = build
    .select({ delivery: shopifyContracts.delivery })
    .from(shopifyContracts)
    .where(
      and(
        eq(shopifyContracts.account_seq, account_seq),
        eq(shopifyContracts.subscription_id, subscription_id),
      ),
    );
  const sent = await first(db, statement(query));
  const write = async (delivery: string | null): Promise<void> => {
    const upsert = build
      .insert(shopifyContracts)
      .values({ account_seq, subscription_id, lease_until: "", delivery })
      .onConflictDoUpdate({
        target: [shopifyContracts.account_seq, shopifyContracts.subscription_id],
        set: { delivery },
      });
    await commit({ db }, [statement(upsert)]);
  };
  return { isKnown: sent?.delivery === hash, forget: () => write(null), remember: () => write(hash) };
}

const noDelivery: SentDelivery = { isKnown: true, forget: async () => {}, remember: async () => {} };
