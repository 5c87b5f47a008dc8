/** An answer by another version of Shopify's API is used, and is an alert once an hour. */
import { afterEach, expect, test, vi } from "vitest";
import { subscribed, useShop } from "./shop.ts";

const shop = useShop();
afterEach(() => {
  vi.restoreAllMocks();
});

/** The alerts about the version that the log has. */
async function alerts(act: () => Promise<unknown>): Promise<unknown[]> {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  await act();
  return lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "store_api_version");
}

test("an answer by the version that was asked for is no news", async () => {
  expect(await alerts(() => subscribed(shop))).toEqual([]);
});

test("an answer by another version is an alert, once an hour, and is used", async () => {
  shop.store.settings.apiVersion = "2027-01";
  expect(await alerts(() => subscribed(shop))).toMatchObject([
    {
      event: "store_api_version",
      alert: true,
      shop: shop.merchant.of.account.shop,
      asked: "2026-10",
      answered: "2027-01",
    },
  ]);
  expect(shop.store.contracts()).toHaveLength(1);
  expect(await alerts(() => subscribed(shop))).toEqual([]);
});
