/** A contract that was not made here is checked with the store before it becomes a subscription. */
import { expect, test } from "vitest";
import { checkMark } from "../../../src/stores/shopify/contracts/contract-input.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { soldAtCheckout } from "../../stores/shopify/sold.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { hookedShop, processAll } from "./hooks.ts";

const shop = useShop(hookedShop);

function subscriptions(): Promise<object[]> {
  return select(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
}

test.each([
  ["is taken over", [], 1],
  ["is left alone with the mark of a check", [{ key: checkMark, value: "yes" }], 0],
])("a contract that was not made here %s", async (_what, customAttributes, taken) => {
  const contract = soldAtCheckout(shop);
  Object.assign(shop.store.contract(contract), { customAttributes, originOrder: null });
  await processAll(shop);
  await shop.worker.drain();
  expect(await subscriptions()).toHaveLength(taken);
  const listed = await api(shop.merchant.admin, "GET", "/api/account/store/unsupported-contracts");
  expect(listed.body.data).toEqual([]);
  expect(shop.store.contract(contract)).toMatchObject({ status: "ACTIVE", customAttributes });
});
