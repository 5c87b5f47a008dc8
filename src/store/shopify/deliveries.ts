import { and, eq } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { commit } from "../../db/commit.ts";
import { build, first, statement } from "../../db/statement.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import type { DesiredContract } from "../port.ts";
import type { Delivery } from "./contracts.ts";
import { shopifyContracts } from "./tables.ts";

const nowhere: Delivery = { isTold: true, forget: async () => {}, note: async () => {} };

/** Whether Shopify was told of this address last. It spells addresses in its own way, so they cannot be compared. */
export const deliveryOf = async (
  db: Db,
  account_id: string,
  { subscription_id, address }: Pick<DesiredContract, "subscription_id" | "address">,
): Promise<Delivery> => {
  if (address === null) return nowhere;
  const told = await sha256Hex(JSON.stringify(address));
  const its = and(
    eq(shopifyContracts.account_id, account_id),
    eq(shopifyContracts.subscription_id, subscription_id),
  );
  const asked = build.select({ delivery: shopifyContracts.delivery }).from(shopifyContracts).where(its);
  const known = await first(db, statement(asked));
  const put = async (delivery: string | null): Promise<void> => {
    const upsert = build
      .insert(shopifyContracts)
      .values({ account_id, subscription_id, lease_until: "", delivery })
      .onConflictDoUpdate({
        target: [shopifyContracts.account_id, shopifyContracts.subscription_id],
        set: { delivery },
      });
    await commit({ db }, [statement(upsert)]);
  };
  return { isTold: known?.delivery === told, forget: () => put(null), note: () => put(told) };
};
