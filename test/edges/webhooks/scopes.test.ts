/** A scope that the merchant takes away is one alert, and is named until it is given again. */
import { describe, expect, test, vi } from "vitest";
import { useShop } from "../../stores/shopify/shop.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { connect, hookedShop, logged, processAll } from "./hooks.ts";

const shop = useShop(hookedShop);

async function shown(): Promise<string[]> {
  return (await api(shop.merchant.api, "GET", "/api/account")).body.data.store_missing_scopes;
}

function alertsOf(act: () => Promise<unknown>) {
  return logged(act).then((lines) => lines.filter(({ event }) => event === "store_scopes_missing"));
}

describe("a scope that the merchant takes away", () => {
  test("is an alert, once, and named by the account, until it is given again", async () => {
    expect(await shown()).toEqual([]);
    shop.store.changeScopes((scopes) => scopes.filter((scope) => scope !== "read_discounts"));
    expect(await alertsOf(() => processAll(shop))).toMatchObject([
      { alert: true, account_id: shop.merchant.of.account.id, scopes: ["read_discounts"] },
    ]);
    expect(await shown()).toEqual(["read_discounts"]);
    shop.store.changeScopes((scopes) => [...scopes]);
    expect(await alertsOf(() => processAll(shop))).toEqual([]);
    shop.store.changeScopes((scopes) => [...scopes, "read_discounts"]);
    expect(await alertsOf(() => processAll(shop))).toEqual([]);
    expect(await shown()).toEqual([]);
  });

  test("is found in the next night where its webhook was lost", async () => {
    shop.store.changeScopes((scopes) => scopes.filter((scope) => scope !== "read_orders"));
    await shop.store.webhooks();
    await execute(
      "UPDATE shopify_connections SET next_action_at = '2026-01-01' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.merchant.of.account.id,
    );
    expect(await alertsOf(() => shop.worker.tick())).toMatchObject([{ scopes: ["read_orders"] }]);
    expect(await shown()).toEqual(["read_orders"]);
  });
});

test("a scope that the app can do without is named from the connection on", async () => {
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  shop.store.settings.scopes = shop.store.settings.scopes.filter((scope) => scope !== "read_customer_merge");
  await connect(shop);
  expect(await shown()).toEqual(["read_customer_merge"]);
});
