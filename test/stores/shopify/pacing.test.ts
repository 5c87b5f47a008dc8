/** Queries wait for Shopify's points instead of being refused, for each shop by itself. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoreThrottledError } from "../../../src/stores/port.ts";
import { requestShopify } from "../../../src/stores/shopify/client.ts";
import { readContract } from "../../../src/stores/shopify/documents.ts";
import { type FakeShopify, fakeShopify, fetchOf } from "../../support/fake-shopify.ts";

/** A query is sent once its shop's bucket holds the points that it costs, by what the last answer has said. */

const contract = { id: "gid://shopify/SubscriptionContract/1" };
let store: FakeShopify;
let number = 0;
beforeEach(() => {
  vi.useFakeTimers();
  store = openShop();
});
afterEach(() => vi.useRealTimers());

/** 400 points, of which 50 are restored in a second. */
function openShop(): FakeShopify {
  number += 1;
  const points = { maximum: 400, restoreRate: 50 };
  return fakeShopify({ shop: `paced-${number}.myshopify.com`, token: "t", now: () => Date.now(), points });
}

function ask(at = store): Promise<unknown> {
  const { shop, token } = at.settings;
  return requestShopify({ shop, token, send: fetchOf(at) }, readContract, contract);
}

test("a query waits for as long as its points take, and is not refused", async () => {
  await ask();
  store.leavePoints(0);
  await ask().catch(() => undefined);
  const sent = store.requests.length;
  const answered = vi.fn();
  const waiting = ask().then(answered);
  await vi.advanceTimersByTimeAsync(500);
  expect([store.requests.length - sent, answered.mock.calls.length]).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(2500);
  await waiting;
  expect([store.requests.length - sent, answered.mock.calls.length]).toEqual([1, 1]);
});

test("many queries at once: none is refused, and those that would wait for long are not sent", async () => {
  await ask();
  const results = Array.from({ length: 24 }, () =>
    ask().then(
      () => "answered",
      (error) => (error instanceof StoreThrottledError ? error : Promise.reject(error)),
    ),
  );
  await vi.advanceTimersByTimeAsync(4000);
  const ended = await Promise.all(results);
  const left = ended.filter((result) => result !== "answered") as StoreThrottledError[];
  expect(store.requests).toHaveLength(1 + ended.length - left.length);
  expect(left.map(({ message }) => message)).not.toContain("Shopify has throttled the request");
  expect(left.length).toBeGreaterThan(0);
  for (const { retryAfter } of left) expect(retryAfter).toBeGreaterThan(3);
});

test("another shop waits for nobody", async () => {
  await ask();
  store.leavePoints(0);
  await ask().catch(() => undefined);
  const other = openShop();
  await ask(other);
  const waiting = ask();
  await ask(other);
  expect(other.requests).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(3000);
  await waiting;
});
