/** A store's address is on a host one label below myshopify.com, whatever the text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { adminUrl, isMyshopifyDomain } from "./domain.ts";

test.each(["shop.myshopify.com", "a.myshopify.com", "9-lives.myshopify.com", "shop--2.myshopify.com"])(
  "%s is a store's own domain",
  (shop) => {
    expect(isMyshopifyDomain(shop)).toBe(true);
    expect(adminUrl(shop, "oauth/access_token")).toBe(`https://${shop}/admin/oauth/access_token`);
  },
);

test.each([
  "",
  "myshopify.com",
  ".myshopify.com",
  "-shop.myshopify.com",
  "shop.example",
  "127.0.0.1",
  "[::1]",
  "localhost",
  "SHOP.myshopify.com",
  "shop.myshopify.com.",
  "shop.myshopify.com\n",
  "shop.myshopify.com:8443",
  "shop.myshopify.com/@evil.example",
  "evil.example/shop.myshopify.com",
  "evil.example#.myshopify.com",
  "evil.example?.myshopify.com",
  "user@shop.myshopify.com",
  "shop.evil.myshopify.com",
  "shop.myshopify.com.evil.example",
  "shop-myshopify.com",
  "xn--ö.myshopify.com",
])("%j is not, and has no address", (shop) => {
  expect(isMyshopifyDomain(shop)).toBe(false);
  expect(() => adminUrl(shop, "")).toThrow("is not a store's myshopify.com domain");
});

test("whatever the shop, an address is on a host one label below myshopify.com", () => {
  const part = fc.constantFrom(
    "shop",
    ".",
    "-",
    "myshopify.com",
    "evil.example",
    "/",
    "@",
    "#",
    "?",
    ":",
    "\\",
    "%2e",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (name) => {
      const shop = `${name}.myshopify.com`;
      for (const one of [name, shop].filter(isMyshopifyDomain)) {
        const { host, pathname } = new URL(adminUrl(one, "api"));
        expect([host, pathname]).toEqual([one, "/admin/api"]);
        expect(host.split(".")).toHaveLength(3);
      }
    }),
  );
});
