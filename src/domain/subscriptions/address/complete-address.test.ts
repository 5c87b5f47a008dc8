/** An address lacks the parts that its country needs, and only an account that requires an address waits for one. */
import { expect, test } from "vitest";
import { isComplete, lacksAddress, missingFields } from "./complete-address.ts";

const whole = {
  address1: "1 Elm St",
  city: "Troy",
  zip: "12180",
  country: "United States",
  country_code: "US",
};

test.each([
  [null, ["address1", "city", "zip", "country_code"]],
  [whole, []],
  [{ ...whole, zip: " " }, ["zip"]],
  [{ ...whole, zip: "", country_code: "HK" }, []],
  [{ ...whole, address1: "", city: "" }, ["address1", "city"]],
  [{ ...whole, country_code: "" }, ["country_code"]],
])("%j lacks %j", (address, missing) => {
  expect(missingFields(address)).toEqual(missing);
  expect(isComplete(address)).toBe(missing.length === 0);
});

test("only an account that requires an address waits for one", () => {
  const bare = { delivery_address: null };
  expect([0 as const, 1 as const].map((require_address) => lacksAddress({ require_address }, bare))).toEqual([
    false,
    true,
  ]);
  expect(lacksAddress({ require_address: 1 }, { delivery_address: JSON.stringify(whole) })).toBe(false);
});
