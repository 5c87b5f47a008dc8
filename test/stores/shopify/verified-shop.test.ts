/** A store's credentials are sent to the domain that they were verified for, and to no other. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { renameAccount } from "../../../src/base/accounts/rename.ts";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import type { ShopifyCredentials } from "../../../src/stores/shopify/app/connection.ts";
import {
  credentialsKey,
  hookedShop,
  isDisconnected,
  processAll,
  type Shop,
  send,
} from "../../edges/webhooks/hooks.ts";
import { api } from "../../support/client.ts";
import { execute, testDb } from "../../support/database.ts";
import { type FakeShopify, fakeShopify, fetchOf } from "../../support/fake-shopify.ts";
import { faults } from "../../support/records.ts";
import { openShop, refusal, type Shop as Seller } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { subscribed } from "./shop.ts";

/** Every host that was asked for anything. */
let hosts: string[];

function watch(...stores: FakeShopify[]): void {
  const reach = fetchOf(...stores);
  hosts = [];
  vi.stubGlobal("fetch", async (...asked: Parameters<typeof fetch>) => {
    hosts.push(new URL(new Request(...asked).url).host);
    return reach(...asked);
  });
}

function asked(): string[] {
  return [...new Set(hosts)];
}
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function nowText() {
  return new Date().toISOString();
}

/** As somebody would who writes into the database; whichever account has the name gives it up. */
async function renamed({ merchant }: Pick<Shop, "merchant">, shop: string): Promise<void> {
  await execute("UPDATE accounts SET shop = id || '.example' WHERE shop = ?", shop);
  await execute("UPDATE accounts SET shop = ? WHERE id = ?", shop, merchant.of.account.id);
  forgetAccount(merchant.of.account.id);
}

/** Looks a payment method up, makes a contract, charges it, and is told that the app is gone. */
async function useEverything(shop: Shop): Promise<void> {
  const id = await subscribed(shop);
  expect((await shipNow(shop.merchant, shop.worker, id)).status).toBe(200);
  await shop.worker.drain();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  await shop.store.webhooks();
  shop.store.uninstall();
  await processAll(shop);
  expect(await isDisconnected(shop)).toBe(true);
}

function tokenOf({ store }: Pick<Shop, "store">): ShopifyCredentials {
  return {
    token: store.settings.token,
    secret: store.settings.secret,
  };
}

function clientOf({ store }: Pick<Shop, "store">): ShopifyCredentials {
  return {
    client_id: store.settings.clientId,
    secret: store.settings.secret,
  };
}

describe.each([
  ["a token", tokenOf],
  ["client credentials", clientOf],
])("%s", (_, credentialsOf) => {
  let shop: Shop;
  let verified: string;
  beforeEach(async () => {
    shop = await hookedShop();
    verified = shop.merchant.of.account.shop;
    await connectShopify(testDb(), credentialsKey, shop.merchant.of.account, credentialsOf(shop), nowText());
    watch(shop.store);
  });

  test.each(["evil.example", "127.0.0.1", "evil.myshopify.com"])(
    "a merchant cannot have its store's credentials sent to %s",
    async (host) => {
      const body = { shop: host };
      const answer = await shop.worker.call(shop.merchant.api, "PUT", "/api/account", { body });
      await useEverything(shop).finally(() => expect(asked()).toEqual([verified]));
      expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "shop"]);
    },
  );

  test.each(["evil.example", "127.0.0.1", "evil.myshopify.com"])(
    "they go to the domain they were verified for where the account's shop says %s",
    async (host) => {
      await renamed(shop, host);
      await useEverything(shop).finally(() => expect(asked()).toEqual([verified]));
    },
  );

  test("a changed domain prevents the credentials from opening, and nothing is sent", async () => {
    const id = await subscribed(shop);
    watch(shop.store);
    await execute(
      "UPDATE shopify_connections SET shop = 'evil-' || shop WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.merchant.of.account.id,
    );
    expect(refusal(await shipNow(shop.merchant, shop.worker, id))).toEqual([503, "UNAVAILABLE"]);
    expect(asked()).toEqual([]);
  });
});

describe("connecting sends nothing to a host that is not a store's own", () => {
  const credentials: ShopifyCredentials[] = [
    { token: "shpat_test", secret: "shpss_test" },
    { client_id: "client", secret: "shpss_test" },
  ];
  test.each([
    "127.0.0.1",
    "169.254.169.254",
    "example.com",
    "evil.example",
    "myshopify.com",
    "shop.myshopify.com.evil.example",
    "shop.evil.myshopify.com",
    "shop-myshopify.com",
    "-shop.myshopify.com",
    "admin.shopify.com",
  ])("%s", async (host) => {
    const shop = await openShop({ currency: "EUR" });
    await renamed({ merchant: shop }, host);
    watch(fakeShopify({ shop: host, token: "shpat_test" }));
    const account = { ...shop.of.account, shop: host };
    for (const one of credentials)
      await expect(connectShopify(testDb(), credentialsKey, account, one, nowText())).rejects.toMatchObject({
        code: "INVALID_STATE",
      });
    expect(hosts).toEqual([]);
  });
});

test("connecting tries the new credentials, whatever token was granted before", async () => {
  const shop = await hookedShop();
  const connectWith = (credentials: ShopifyCredentials) =>
    connectShopify(testDb(), credentialsKey, shop.merchant.of.account, credentials, nowText());
  await connectWith(clientOf(shop));
  const wrong = { client_id: shop.store.settings.clientId, secret: "shpss_wrong" };
  await expect(connectWith(wrong)).rejects.toMatchObject({ codes: ["CREDENTIALS"] });
});

test("a store is connected to one account: another one that takes its name is refused", async () => {
  const [shop, other] = [await hookedShop(), await openShop({ currency: "EUR" })];
  const domain = shop.merchant.of.account.shop;
  await renamed({ merchant: other }, domain);
  vi.stubGlobal("fetch", fetchOf(shop.store));
  const account = { ...other.of.account, shop: domain };
  await expect(
    connectShopify(testDb(), credentialsKey, account, tokenOf(shop), nowText()),
  ).rejects.toMatchObject({ code: "INVALID_STATE", message: `Another account is connected to ${domain}` });
});

describe("an operator's rename", () => {
  const rename = ({ of }: Seller, shop: string) =>
    renameAccount(testDb(), { account: of.account, shop, now: nowText() });

  test("of an account on the sandbox changes its store, and nothing is sent to the former one", async () => {
    const merchant = await openShop({ currency: "EUR" });
    const [before, after] = [merchant.of.account.shop, `renamed-${merchant.of.account.shop}`];
    const store = (shop: string) => fakeShopify({ shop, token: `of ${shop}`, now: Date.now });
    const [first, second] = [store(before), store(after)];
    watch(first, second);
    const account = await rename(merchant, after);
    await expect(
      connectShopify(testDb(), credentialsKey, account, { token: `of ${before}` }, nowText()),
    ).rejects.toThrow();
    await connectShopify(testDb(), credentialsKey, account, { token: `of ${after}` }, nowText());
    expect(asked()).toEqual([after]);
  });

  test("in the meantime: credentials that were verified for the former name are not stored", async () => {
    const merchant = await openShop({ currency: "EUR" });
    const { shop } = merchant.of.account;
    watch(fakeShopify({ shop, token: "shpat_test", now: Date.now }));
    await rename(merchant, `renamed-${shop}`);
    await expect(
      connectShopify(testDb(), credentialsKey, merchant.of.account, { token: "shpat_test" }, nowText()),
    ).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect((await api(merchant.api, "GET", "/api/account")).body.data.store).toBe("sandbox");
  });

  test.each([
    ["connected", async () => {}],
    [
      "disconnected",
      async (shop: Shop) => {
        shop.store.uninstall();
        await processAll(shop);
        expect(await isDisconnected(shop)).toBe(true);
      },
    ],
  ])("is refused of an account that is %s", async (_, bring) => {
    const shop = await hookedShop();
    await bring(shop);
    await expect(rename(shop.merchant, "another.myshopify.com")).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    const { body } = await api(shop.merchant.api, "GET", "/api/account");
    expect(body.data.shop).toBe(shop.merchant.of.account.shop);
  });
});

describe("webhooks", () => {
  test("are those of the verified domain, whatever the account's shop is", async () => {
    const shop = await hookedShop();
    await renamed(shop, "another.myshopify.com");
    const hook = await shop.store.webhookOf("shop/redact", {
      shop_id: 1,
      shop_domain: shop.merchant.of.account.shop,
    });
    expect((await send(shop, hook)).status).toBe(200);
    const other = { headers: { "X-Shopify-Shop-Domain": "another.myshopify.com" } };
    expect((await send(shop, hook, other)).status).toBe(401);
  });
});
