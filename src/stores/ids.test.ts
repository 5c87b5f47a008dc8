/** The id of a store's record is stored in one form, and tells kinds of records apart. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { gidOf, isIdOf } from "./global-ids.ts";
import { isSameStoreId, plainId, type StoreRecord, storeIdPattern } from "./ids.ts";

const kinds = [
  "Customer",
  "CustomerPaymentMethod",
  "Order",
  "Product",
  "ProductVariant",
  "SellingPlan",
] as const;
const kind = fc.constantFrom<StoreRecord>(...kinds);
const number = fc.bigInt(1n, 10n ** 19n).map(String);
const anyId = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc
    .tuple(fc.constantFrom(...kinds, "Refund"), fc.oneof(number, fc.string({ maxLength: 10 })))
    .map(([of, ending]) => `gid://shopify/${of}/${ending}`),
);

describe("the id of a store's record", () => {
  test.each<[StoreRecord, string, string]>([
    ["Order", "gid://shopify/Order/5001", "5001"],
    ["Order", "5001", "5001"],
    ["CustomerPaymentMethod", "gid://shopify/CustomerPaymentMethod/4a7b_C-9", "4a7b_C-9"],
    ["Order", "gid://shopify/Product/5001", "gid://shopify/Product/5001"],
    ["Order", "gid://shopify/Order/", "gid://shopify/Order/"],
    ["Order", "gid://shopify/Order/5/1", "gid://shopify/Order/5/1"],
    ["Order", "gid://shopify/Order/5001?x=1", "gid://shopify/Order/5001?x=1"],
    ["Order", "gid://other/Order/5001", "gid://other/Order/5001"],
    ["Order", "GID://shopify/Order/5001", "GID://shopify/Order/5001"],
    ["Order", " gid://shopify/Order/5001", " gid://shopify/Order/5001"],
    ["Order", "order-1", "order-1"],
    ["Order", "", ""],
  ])("%s %j is stored as %j", (of, id, plain) => {
    expect(plainId(of, id)).toBe(plain);
  });

  test("is stored in one form, whichever it came in, and stays it", () => {
    fc.assert(
      fc.property(kind, number, (of, id) => {
        expect(plainId(of, gidOf(of, id))).toBe(id);
        expect(plainId(of, id)).toBe(id);
        expect(isSameStoreId(of, id, gidOf(of, id))).toBe(true);
        expect(isIdOf(of, id) && isIdOf(of, gidOf(of, id))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(kind, anyId, (of, id) => {
        expect(plainId(of, plainId(of, id))).toBe(plainId(of, id));
      }),
    );
  });

  test("is of one kind: the same number of another kind is another record", () => {
    fc.assert(
      fc.property(kind, kind, number, (one, other, id) => {
        fc.pre(one !== other);
        expect(isSameStoreId(one, gidOf(other, id), id)).toBe(false);
        expect(plainId(one, gidOf(other, id))).toBe(gidOf(other, id));
      }),
    );
  });

  test("fits the pattern of its kind, as any text does but a global id of another kind", () => {
    fc.assert(
      fc.property(kind, anyId, (of, id) => {
        const isOfAnother = id.startsWith("gid://shopify/") && !id.startsWith(`gid://shopify/${of}/`);
        expect(new RegExp(storeIdPattern(of), "u").test(id)).toBe(!isOfAnother && !id.includes("\0"));
      }),
    );
  });
});
