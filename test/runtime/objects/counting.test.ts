/** A request to an account with an object is counted once. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { deployment, nobody } from "../../support/client.ts";
import { openShop, type Shop } from "../../support/shops.ts";
import { bearer, token } from "../../support/tenant.ts";

/** The names of the limiters that have counted, outside and within the object, which have the same. */
let counted: string[];

function limiterOf(name: string): RateLimit {
  return {
    limit: async () => {
      counted.push(name);
      return { success: true };
    },
  } as unknown as RateLimit;
}
const bindings: Bindings = {
  ...env,
  KEY_LIMITER: limiterOf("credential"),
  TOKENS_LIMITER: limiterOf("tokens"),
  ADDRESS_LIMITER: limiterOf("address"),
};
const call = deployment(bindings);

let shop: Shop;
let admin: string;
beforeAll(async () => {
  shop = await openShop();
  admin = await token(shop.of);
  await call(shop.api, "PUT", "/api/account/portal", { body: { is_enabled: true } });
  await call(bearer(admin), "GET", "/api/account");
});
beforeEach(() => {
  counted = [];
});

function page() {
  return `/portal/${shop.of.account.shop}`;
}
const cases: [what: string, counts: string[], () => Promise<{ status: number }>][] = [
  ["with a key", ["credential"], () => call(shop.api, "GET", "/api/subscriptions")],
  ["with a token", ["credential", "tokens"], () => call(bearer(admin), "GET", "/api/subscriptions")],
  [
    "for the public look-up",
    ["address"],
    () => call(nobody, "GET", "/api/public/portal/skip-reasons", { query: { shop: shop.of.account.shop } }),
  ],
  ["for a page", ["address"], () => call(nobody, "GET", page())],
  ["that is refused", ["address"], () => call(bearer("nonsense"), "GET", "/api/subscriptions")],
];

test.each(cases)("a request %s is counted once", async (_, counts, ask) => {
  for (let times = 0; times < 2; times++) {
    counted = [];
    await ask();
    expect(counted.toSorted()).toEqual(counts);
  }
});

test("a webhook that nobody has signed is counted by its address, once", async () => {
  const headers = { "X-Shopify-Shop-Domain": shop.of.account.shop, "X-Shopify-Hmac-Sha256": "bm8=" };
  expect((await call(nobody, "POST", "/webhooks/shopify", { body: {}, headers })).status).toBe(401);
  expect(counted).toEqual(["address"]);
});

const origin = "https://shop.example";

function namesOf({ headers }: { headers: Headers }): [string, string][] {
  return [...headers];
}

test.each([
  ["the API", "https://shop.example", () => ["GET", "/api/subscriptions", shop.api] as const],
  ["a page", null, () => ["GET", page(), nobody] as const],
  [
    "the public look-up",
    "*",
    () => ["GET", `/api/public/portal/skip-reasons?shop=${shop.of.account.shop}`, nobody] as const,
  ],
])("no header of %s stands twice, nor a value in one", async (_, allowed, request) => {
  const [method, path, caller] = request();
  const asked = await deployment({ ALLOWED_ORIGINS: origin })(caller, method, path, {
    headers: { Origin: origin },
  });
  expect(asked.status).toBe(200);
  for (const [name, value] of namesOf(asked)) {
    const values = value.split(", ").filter((part) => !part.includes("="));
    expect(new Set(values).size, `${name}: ${value}`).toBe(values.length);
  }
  expect(asked.headers.get("Access-Control-Allow-Origin")).toBe(allowed);
});
