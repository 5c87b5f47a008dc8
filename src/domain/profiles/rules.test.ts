/** A profile's full name, full address and search text follow from its fields, and no field can forge another. */
import { describe, expect, test } from "vitest";
import { searchTextOf } from "../../base/lib/text.ts";
import { deriveColumns, fullAddress, fullName } from "./rules.ts";

const nobody = {
  email: "a@b.test",
  first_name: null,
  last_name: null,
  phone_number: null,
  external_id: null,
  store_customer_id: null,
};

test.each([
  [null, null, ""],
  ["", "", ""],
  ["Ada", null, "Ada"],
  [null, "Lovelace", "Lovelace"],
  ["Ada", "Lovelace", "Ada Lovelace"],
])("full_name of %j and %j is %j", (first_name, last_name, expected) => {
  expect(fullName({ first_name, last_name })).toBe(expected);
});

test("full_address: address1, address2, city, region, postal_code, country, the non-empty ones", () => {
  const whole = { address1: "1", address2: "2", city: "3", region: "4", postal_code: "5", country: "6" };
  expect(fullAddress(whole)).toBe("1, 2, 3, 4, 5, 6");
  expect(fullAddress({ ...whole, address2: "", region: null, country: null })).toBe("1, 3, 5");
});

describe("search text", () => {
  test("holds each field whole, folded; none reaches into the next", () => {
    const { email_folded, search_identity, search_other } = deriveColumns({
      ...nobody,
      postal_code: "SW1A 1AA",
      city: "Xeres",
      email: "A@B.test",
      first_name: "Åda",
      last_name: "L",
      phone_number: "+1 (2)",
      external_id: "X",
      store_customer_id: "Y",
    });
    expect(email_folded).toBe("a@b.test");
    for (const part of ["a@b.test", "åda l", "+1 (2)", "+12", "sw1a 1aa", "sw1a1aa", "xeres"])
      expect(search_identity).toContain(part);
    for (const part of ["x", "y"]) expect(search_other).toContain(part);
    for (const across of ["teståda", "test åda"]) expect(search_identity).not.toContain(across);
    for (const across of ["xy", "x y"]) expect(search_other).not.toContain(across);
  });

  test("a field cannot forge the border between fields", () => {
    const border = searchTextOf(["a", "b"]).slice(1, -1);
    expect(searchTextOf([`a${border}b`])).not.toBe(searchTextOf(["a", "b"]));
    expect(searchTextOf(["", null, "a", ""])).toBe("a");
  });
});
