import { vi } from "vitest";
import { markContractChanged } from "../../src/domain/contracts/outbox.ts";
import { ctxOn } from "../support/ctx.ts";
import { testDb } from "../support/database.ts";
import { entriesOf, type Json, read } from "../support/shops.ts";
import type { ConnectedShop } from "./shop.ts";

/** Requests about a subscription, and what follows from them at its store. */
export function syncSteps(shop: ConnectedShop, idOf: () => string) {
  const asked = async (method: string, path: string, body?: Json): Promise<Json> => {
    const {
      status,
      text,
      body: answer,
    } = await shop.worker.call(
      shop.merchant.api,
      method,
      `/api/subscriptions/${idOf()}/${path}`,
      body === undefined ? {} : { body },
    );
    if (status >= 300) throw new Error(`${status} ${text}`);
    return answer;
  };
  const firstLine = async (): Promise<string> => (await read(shop.merchant, idOf())).lines[0].id;
  const refusals = async (): Promise<Json[]> =>
    (await entriesOf(idOf())).filter(({ action }) => action === "store_sync_refused");

  /** A quarter of an hour later a webhook of Shopify has the contract checked. */
  const noticed = async (): Promise<void> => {
    vi.useFakeTimers({ now: Date.now() + 15 * 60_000, toFake: ["Date"] });
    const { store_contract_id } = await read(shop.merchant, idOf());
    const realNow = new Date().toISOString();
    if (store_contract_id !== null)
      await markContractChanged(ctxOn(testDb(), shop.merchant.of.account, { realNow }), store_contract_id);
    await shop.worker.tick(Date.now() + 1000);
  };

  const line = (variant: string, more: Json = {}): Json => ({
    store_product_id: "31002",
    store_variant_id: variant,
    product_title: "Treats",
    selling_plan_id: shop.plan,
    price: 5,
    quantity: 1,
    ...more,
  });
  return { asked, firstLine, refusals, noticed, line };
}
